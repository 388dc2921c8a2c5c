// The platform of a request, and how it is known, as values and as JSON.
#pragma once

#include <vector>

#include "runtime/api/document.hpp"
#include "runtime/core/environment.hpp"
#include "runtime/core/settings.hpp"
#include "runtime/machine/accelerator.hpp"
#include "runtime/machine/platform.hpp"
#include "runtime/machine/root.hpp"
#include "runtime/machine/visibility.hpp"

namespace hyperacc::api {

struct Detection {
  std::vector<Accelerator> accelerators;
  Visibility visibility;      // of a process with the environment in question
  DetectedPlatform platform;  // of that process
};

Detection detect(const RootDirectory& root, const Environment& environment);

// "accelerators" of hyperacc.h.
Json accelerators_json(const Detection& detection);

// "platform" of hyperacc.h, where it was detected.
Json platform_json(const Detection& detection);

// The same, where `from` says which platform it is.
Json platform_json(Platform platform, const char* from);

}  // namespace hyperacc::api

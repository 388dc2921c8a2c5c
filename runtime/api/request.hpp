// What the caller of the C API wants to know, as a value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/api/document.hpp"
#include "runtime/core/environment.hpp"
#include "runtime/core/settings.hpp"

namespace hyperacc::api {

struct Request {
  std::optional<std::string> option;
  std::optional<std::vector<std::string>> policy;
  Environment environment;
  std::optional<Platform> platform;
  std::string machine = "/";
};

// `text` as hyperacc.h describes it, null for an empty request. Anything of the wrong type, an
// unknown member, an unknown platform and a relative machine directory are usage errors.
Expected<Request> parse_request(const char* text, const Environment& process);

}  // namespace hyperacc::api

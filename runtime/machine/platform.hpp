// The platform of this node, and of what one process on it may use.
#pragma once

#include <string>
#include <vector>

#include "runtime/core/settings.hpp"
#include "runtime/machine/accelerator.hpp"
#include "runtime/machine/visibility.hpp"

namespace hyperacc {

struct DetectedPlatform {
  Platform platform = Platform::none;  // none, nvidia, dcu, amd, mixed
  // For people, a line each: "8 × nvidia: NVIDIA H100 80GB HBM3 (/proc/driver/nvidia/gpus/…)".
  std::vector<std::string> evidence;
};

DetectedPlatform detect_platform(const std::vector<Accelerator>& accelerators);

// Where the node is mixed: the platform of what the process sees, none where it sees nothing, mixed
// where it still sees two kinds. Any other platform stays, whatever is visible: the process may
// have hidden the devices for a moment, and hooks do nothing on CPU tensors.
DetectedPlatform narrow(const DetectedPlatform& node, const std::vector<Accelerator>& accelerators,
                        const Visibility& visibility);

}  // namespace hyperacc

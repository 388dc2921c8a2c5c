// NVIDIA GPUs by what their kernel driver says.
#pragma once

#include <vector>

#include "runtime/machine/accelerator.hpp"

namespace hyperacc {

// In PCI order. Where a container hides /proc/driver/nvidia, the device files: then the PCI address
// is known only where there is but one of each.
std::vector<Accelerator> find_nvidia_gpus(const RootDirectory& root);

}  // namespace hyperacc

// The accelerators of this node, each with the evidence for it. Files only: no vendor library, no
// driver call, no GPU context; half a dozen small reads a device.
#pragma once

#include <vector>

#include "runtime/machine/accelerator.hpp"

namespace hyperacc {

// NVIDIA's first, then those of the KFD topology, each kind in the order in which its runtime
// numbers devices. A partition of a Hygon or AMD device (CPX, TPX) is an accelerator of its own; a
// MIG instance is not. Compilers, toolkits and environment variables are never evidence, nor is a
// Hygon PCI id on anything but a device that a GPU driver holds. What cannot be read is left out.
std::vector<Accelerator> find_accelerators(const RootDirectory& root);

}  // namespace hyperacc

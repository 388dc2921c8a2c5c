// Which CPUs are near an accelerator, without any vendor's library.
#pragma once

#include "runtime/machine/accelerator.hpp"
#include "runtime/node/topology.hpp"

namespace hyperacc::node {

// What hwloc says of its PCI address; else the kernel's CPU list, if it is not the whole machine;
// else the CPUs of its NUMA node or, where that has none, of the nearest node that has. Empty:
// unknown, which on most machines with one NUMA node it is.
Bitmap near_cpus(const Topology& topology, const Accelerator& accelerator);

}  // namespace hyperacc::node

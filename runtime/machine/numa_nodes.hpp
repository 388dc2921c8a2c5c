// The NUMA nodes that are online, with their CPUs and memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/machine/root.hpp"

namespace hyperacc {

struct NumaNode {
  unsigned id = 0;
  std::vector<unsigned> cpus;      // online ones; empty: a memory-only node (GPU memory, CXL)
  std::uint64_t memory_bytes = 0;  // 0: a node without memory
  std::uint64_t free_bytes = 0;    // unused right now; page cache is not counted as free
};

// By rising id, which may have gaps. Empty on a kernel without NUMA.
std::vector<NumaNode> numa_nodes(const RootDirectory& root);

}  // namespace hyperacc

// CPUs, caches and memory of one node, as a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/core/result.hpp"
#include "runtime/node/bitmap.hpp"

namespace hyperacc::node {

struct NumaNode {
  unsigned id = 0;
  Bitmap cpus;               // empty: memory only (GPU memory, CXL, high-bandwidth memory)
  std::uint64_t memory = 0;  // bytes; 0: none

  friend bool operator==(const NumaNode&, const NumaNode&) = default;
};

struct Topology {
  // What the machine has online, not only what this process may use.
  Bitmap cpus;
  std::vector<NumaNode> nodes;  // by id; ids may have gaps, and need not begin with 0
  // [from][to] by position in `nodes`, as firmware tells it: 10 is local.
  std::vector<std::vector<std::uint32_t>> distances;
  // The hardware threads of each core: NUMA node by NUMA node, L3 by L3. One thread a core without
  // SMT.
  std::vector<Bitmap> cores;
  std::vector<Bitmap> complexes;  // CPUs that share an L3, in the same order; empty: no L3 known
  // PCI address ("0000:c1:00.0") of a device that can compute → CPUs near it. Devices that are near
  // all CPUs, which is also how firmware says nothing, are not in it.
  std::map<std::string, Bitmap, std::less<>> near_pci;

  friend bool operator==(const Topology&, const Topology&) = default;
};

// Distance where firmware tells none.
inline constexpr std::uint32_t kLocalDistance = 10;
inline constexpr std::uint32_t kRemoteDistance = 20;

std::vector<std::vector<std::uint32_t>> plain_distances(std::size_t nodes);

// As text, to hand a topology from one process to another. Error: not what topology_to_text wrote.
std::string topology_to_text(const Topology& topology);
Result<Topology> topology_from_text(const std::string& text);

}  // namespace hyperacc::node

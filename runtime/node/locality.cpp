#include "runtime/node/locality.hpp"

#include <algorithm>

namespace hyperacc::node {
namespace {

Bitmap cpus_of_node(const Topology& topology, unsigned id) {
  const auto found = std::find_if(topology.nodes.begin(), topology.nodes.end(),
                                  [id](const NumaNode& node) { return node.id == id; });
  if (found == topology.nodes.end()) return {};
  const auto from = static_cast<std::size_t>(found - topology.nodes.begin());
  const NumaNode* nearest = nullptr;
  std::uint32_t distance = UINT32_MAX;
  for (std::size_t to = 0; to < topology.nodes.size(); ++to) {
    if (topology.nodes[to].cpus.empty() || topology.distances[from][to] >= distance) continue;
    distance = topology.distances[from][to];
    nearest = &topology.nodes[to];
  }
  if (!found->cpus.empty()) nearest = &*found;
  return nearest == nullptr ? Bitmap() : nearest->cpus;
}

}  // namespace

Bitmap near_cpus(const Topology& topology, const Accelerator& accelerator) {
  const auto told = topology.near_pci.find(accelerator.pci_address);
  if (told != topology.near_pci.end()) return told->second;
  // Linux gives all CPUs where it does not know the node.
  const auto is_told = [&topology](const Bitmap& cpus) {
    return cpus.intersects(topology.cpus) && !cpus.includes(topology.cpus);
  };
  if (const Result<Bitmap> list = Bitmap::parse_list(accelerator.local_cpulist)) {
    if (is_told(*list)) return *list & topology.cpus;
  }
  if (accelerator.numa_node < 0) return {};
  Bitmap cpus = cpus_of_node(topology, static_cast<unsigned>(accelerator.numa_node));
  return is_told(cpus) ? cpus : Bitmap();
}

}  // namespace hyperacc::node

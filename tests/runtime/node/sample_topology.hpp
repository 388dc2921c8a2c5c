// Small topologies for tests of the pure parts.
#pragma once

#include "runtime/node/topology.hpp"

namespace hyperacc::node {

// `nodes` NUMA nodes of `cores` cores in L3s of `per_l3`, with `threads` hardware threads each;
// thread t of core c is CPU c + t × (all cores), as Linux numbers them on x86.
inline Topology sample_topology(unsigned nodes, unsigned cores, unsigned threads, unsigned per_l3) {
  Topology topology;
  const unsigned all_cores = nodes * cores;
  Bitmap complex;
  for (unsigned n = 0; n < nodes; ++n) {
    NumaNode node{n, {}, std::uint64_t{64} << 30};
    for (unsigned c = n * cores; c < (n + 1) * cores; ++c) {
      Bitmap core;
      for (unsigned t = 0; t < threads; ++t) core.add(c + t * all_cores);
      node.cpus |= core;
      complex |= core;
      if (per_l3 != 0 && (c + 1 - n * cores) % per_l3 == 0) {
        topology.complexes.push_back(complex);
        complex = {};
      }
      topology.cores.push_back(std::move(core));
    }
    topology.cpus |= node.cpus;
    topology.nodes.push_back(std::move(node));
  }
  topology.distances = plain_distances(nodes);
  return topology;
}

inline Bitmap list(const char* text) {
  return Bitmap::parse_list(text).value();
}

}  // namespace hyperacc::node

// The part of a node that one step may use, NUMA node by NUMA node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/node/topology.hpp"

namespace hyperacc::node {

// A NUMA node that owns at least one CPU of the step.
struct Domain {
  std::size_t node = 0;  // position in Topology::nodes
  Bitmap cpus;           // those of the step
  // Hardware threads of the step, core by core, L3 by L3. One SMT thread of a core may be missing.
  std::vector<Bitmap> cores;
  // Runs of `cores` that share an L3: the number of cores in each. One run where no L3 is known.
  std::vector<std::size_t> complexes;
};

// By NUMA node id. Empty only if no NUMA node owns a CPU of `allowed`.
std::vector<Domain> make_domains(const Topology& topology, const Bitmap& allowed);

// `total` in whole parts by `weights` (largest remainder, the first of equals). Only zeros where
// all weights are zero.
std::vector<std::size_t> apportion(std::size_t total, const std::vector<std::size_t>& weights);

}  // namespace hyperacc::node

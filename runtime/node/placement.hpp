// Which CPUs and which memory each task of one step gets on one node: a pure function.
//
// The count of CPUs is a promise, locality is a wish. Every task computes the whole answer from the
// same values, so the tasks of a step agree without talking about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/node/homes.hpp"
#include "runtime/node/topology.hpp"

namespace hyperacc::node {

enum class BindMode : std::uint8_t {
  node,          // all of the home's CPUs, shared with the others who live there
  exclusive,     // a slice of the home's cores for each task
  core_complex,  // one L3 of the home for each task, or a slice of one where there are too few
};
std::string_view name(BindMode mode);
std::optional<BindMode> find_bind_mode(std::string_view word);

struct PlacementRequest {
  Bitmap allowed;                 // the CPUs of the step
  Bitmap memory_allowed;          // NUMA nodes that the tasks may allocate from
  std::vector<Localities> tasks;  // by local task id; what is near the devices of each
  unsigned cpus_per_task = 1;     // the promise, of hardware threads
  // Nothing: exclusive if there are at least two tasks and each has a known home, else node.
  std::optional<BindMode> mode;
};

struct TaskPlacement {
  Bitmap home;  // NUMA nodes
  bool home_known = false;
  Bitmap cpus;  // never empty unless `allowed` is; at least the promise, or all of `allowed`
  Bitmap memory_nodes;  // with memory, allowed, of the CPUs or nearest to them; may be empty
  bool shared = false;  // another task may use some of these CPUs
};

struct Placement {
  BindMode mode = BindMode::node;
  std::vector<TaskPlacement> tasks;
};

Placement place(const Topology& topology, const PlacementRequest& request);

// The memory of `cpus`: the nodes that own them; for one without usable memory the nearest that has
// some, CPU-less nodes last (GPU memory and CXL are not main memory).
Bitmap memory_of(const Topology& topology, const Bitmap& cpus, const Bitmap& memory_allowed);

}  // namespace hyperacc::node

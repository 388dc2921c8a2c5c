// Near which part of the node each task belongs.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/node/domains.hpp"
#include "runtime/node/topology.hpp"

namespace hyperacc::node {

// CPUs near each device of one task; an empty set, and one that is the whole machine (which is how
// Linux says that it does not know): unknown.
using Localities = std::vector<Bitmap>;

struct Home {
  std::vector<std::size_t> domains;  // positions in the domains, ascending, never empty
  bool known = false;                // from a device; else the task's share of what is left
};

// One home for each task. `domains` must not be empty.
std::vector<Home> find_homes(const Topology& topology, const std::vector<Domain>& domains,
                             const std::vector<Localities>& tasks);

}  // namespace hyperacc::node

// A placement as a page for people: a pure function.
#pragma once

#include <string>

#include "runtime/node/machine_view.hpp"
#include "runtime/node/placement.hpp"

namespace hyperacc::node {

struct PlacementMap {
  const MachineView& machine;
  const PlacementRequest& request;
  const Placement& placement;
  std::vector<DeviceList> used;  // by task
  std::string policy;            // of memory, "preferred_many"
};

// For each NUMA node its accelerators and a line with one character a core: the task that may use
// it, '+' several tasks, '.' no task, '-' not the step's. L3s are set apart by blanks. Then one
// line a task. At most 100 columns.
std::string draw(const PlacementMap& map);

}  // namespace hyperacc::node

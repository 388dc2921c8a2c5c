// What binding needs to know about a machine: read once, then only looked at.
#pragma once

#include <vector>

#include "runtime/core/environment.hpp"
#include "runtime/core/result.hpp"
#include "runtime/machine/accelerator.hpp"
#include "runtime/machine/root.hpp"
#include "runtime/node/homes.hpp"
#include "runtime/node/meeting.hpp"
#include "runtime/node/topology.hpp"

namespace hyperacc::node {

struct MachineView {
  RootDirectory root;
  Topology topology;
  std::vector<Accelerator> accelerators;
  std::vector<Bitmap> near;  // CPUs near each accelerator, empty: unknown
};

// `directory`: "/" or a recorded machine.
Result<MachineView> view_machine(const std::string& directory);

// The accelerators of this process, as positions: those it may open, less those that its visibility
// variables hide. Devices that files cannot tell apart (MIG instances) are left out, unless all
// that they could be are near the same CPUs: then one of these stands for them.
DeviceList held_devices(const MachineView& machine, const Environment& environment);

// What is near the devices of each task. If all tasks hold the same two or more devices, task i
// uses the one at i modulo their count, as torchrun, Megatron and most scripts do.
std::vector<Localities> localities_of(const MachineView& machine,
                                      const std::vector<DeviceList>& devices);
// The devices that each task uses by that rule.
std::vector<DeviceList> used_devices(const std::vector<DeviceList>& devices);

}  // namespace hyperacc::node

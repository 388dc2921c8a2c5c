#include "runtime/node/machine_view.hpp"

#include <algorithm>
#include <utility>

#include "runtime/machine/accelerators.hpp"
#include "runtime/machine/visibility.hpp"
#include "runtime/node/locality.hpp"
#include "runtime/node/read_topology.hpp"

namespace hyperacc::node {

Result<MachineView> view_machine(const std::string& directory) {
  Result<RootDirectory> root = RootDirectory::open(directory);
  if (!root) return tl::unexpected<Error>(root.error());
  Result<Topology> topology = read_topology(*root);
  if (!topology) return tl::unexpected<Error>(topology.error());
  std::vector<Accelerator> accelerators = find_accelerators(*root);
  std::vector<Bitmap> near;
  for (const Accelerator& each : accelerators) near.push_back(near_cpus(*topology, each));
  return MachineView{*std::move(root), *std::move(topology), std::move(accelerators),
                     std::move(near)};
}

DeviceList held_devices(const MachineView& machine, const Environment& environment) {
  const std::vector<bool> may_open = openable(machine.root, machine.accelerators);
  Visibility visible = visible_devices(environment, machine.accelerators, may_open);
  if (visible.unidentified_nvidia == 0) return std::move(visible.devices);
  DeviceList candidates;
  for (std::size_t i = 0; i < machine.accelerators.size(); ++i) {
    if (may_open[i] && machine.accelerators[i].vendor == Vendor::nvidia) candidates.push_back(i);
  }
  const bool same_place = !candidates.empty() &&
                          std::all_of(candidates.begin(), candidates.end(), [&](std::size_t each) {
                            return machine.near[each] == machine.near[candidates.front()];
                          });
  if (same_place) visible.devices.push_back(candidates.front());
  return std::move(visible.devices);
}

std::vector<DeviceList> used_devices(const std::vector<DeviceList>& devices) {
  const bool alike = std::all_of(devices.begin(), devices.end(),
                                 [&](const DeviceList& each) { return each == devices.front(); });
  if (devices.size() < 2 || !alike || devices.front().size() < 2) return devices;
  std::vector<DeviceList> used;
  for (std::size_t task = 0; task < devices.size(); ++task) {
    used.push_back({devices[task][task % devices[task].size()]});
  }
  return used;
}

std::vector<Localities> localities_of(const MachineView& machine,
                                      const std::vector<DeviceList>& devices) {
  std::vector<Localities> tasks;
  for (const DeviceList& list : used_devices(devices)) {
    Localities& near = tasks.emplace_back();
    for (const std::size_t device : list) {
      // A position comes from another process of this step: believed, but not blindly.
      if (device < machine.near.size()) near.push_back(machine.near[device]);
    }
  }
  return tasks;
}

}  // namespace hyperacc::node

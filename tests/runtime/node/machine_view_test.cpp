#include "runtime/node/machine_view.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc::node;
using hyperacc::Environment;

namespace {

MachineView view(const std::string& name) {
  auto machine = view_machine("machines/" + name);
  INFO((machine ? "" : machine.error().text));
  REQUIRE(machine);
  return *std::move(machine);
}

std::vector<std::string> near_lists(const MachineView& machine) {
  std::vector<std::string> lists;
  for (const Bitmap& near : machine.near) lists.push_back(near.to_list());
  return lists;
}

}  // namespace

TEST_CASE("DCUs, NVIDIA's and AMD's devices have a locality without a vendor library") {
  CHECK(near_lists(view("dcu_node")) ==
        std::vector<std::string>{"0-7,32-39", "0-7,32-39", "8-15,40-47", "8-15,40-47",
                                 "16-23,48-55", "16-23,48-55", "24-31,56-63", "24-31,56-63"});
  // Guards flux-framework/flux-core#4622: device order is not CPU order.
  CHECK(near_lists(view("amd_node"))[0] == "48-63,112-127");
  CHECK(near_lists(view("nvidia_no_node")) == std::vector<std::string>(4, ""));
}

TEST_CASE("a task holds what it may open, less what its variables hide") {
  const MachineView machine = view("nvidia_8gpu");
  CHECK(held_devices(machine, {}).size() == 8);
  CHECK(held_devices(machine, {{"CUDA_VISIBLE_DEVICES", "5,2"}}) == DeviceList{5, 2});
  CHECK(held_devices(machine, {{"CUDA_VISIBLE_DEVICES", ""}}).empty());
}

TEST_CASE("a MIG instance has the place of its GPUs if that is one place") {
  const MachineView machine = view("nvidia_8gpu");
  const Environment mig = {{"CUDA_VISIBLE_DEVICES", "MIG-11111111-2222-3333-4444-555555555555"}};
  // Any of eight GPUs in two places.
  CHECK(held_devices(machine, mig).empty());
  MachineView one_place = view("nvidia_8gpu");
  for (Bitmap& near : one_place.near) near = one_place.near.front();
  CHECK(held_devices(one_place, mig) == DeviceList{0});
}

TEST_CASE("tasks that all hold the same devices use one each") {
  // Guards pytorch/pytorch#160848: rank and GPU agree only where all see all.
  const DeviceList all{4, 0, 1};
  CHECK(used_devices({all, all, all, all}) == std::vector<DeviceList>{{4}, {0}, {1}, {4}});
  CHECK(used_devices({all}) == std::vector<DeviceList>{all});
  CHECK(used_devices({{0, 1}, {2, 3}}) == std::vector<DeviceList>{{0, 1}, {2, 3}});
  CHECK(used_devices({{0}, {0}}) == std::vector<DeviceList>{{0}, {0}});
  CHECK(used_devices({{}, {}}) == std::vector<DeviceList>{{}, {}});
  // One task's own choice ends the convention for all.
  CHECK(used_devices({all, all, {0}}) == std::vector<DeviceList>{all, all, {0}});
}

TEST_CASE("localities are those of the devices that a task uses") {
  const MachineView machine = view("nvidia_8gpu");
  const std::vector<Localities> tasks = localities_of(machine, {{0, 7}, {5}, {1000}, {}});
  REQUIRE(tasks.size() == 4);
  REQUIRE(tasks[0].size() == 2);
  CHECK(tasks[0][1].to_list() == "32-63,96-127");
  CHECK(tasks[1].size() == 1);
  CHECK(tasks[2].empty());
  CHECK(tasks[3].empty());
}

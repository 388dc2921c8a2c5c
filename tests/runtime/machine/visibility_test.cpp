#include "runtime/machine/visibility.hpp"

#include <catch2/catch.hpp>

#include "runtime/machine/accelerators.hpp"
#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;
using Devices = std::vector<std::size_t>;

namespace {

// `count` alike devices; their UUIDs begin with GPU-a0, GPU-a1, …
std::vector<Accelerator> node_of(Vendor vendor, std::size_t count) {
  std::vector<Accelerator> node(count);
  for (std::size_t i = 0; i < count; ++i) {
    node[i].vendor = vendor;
    node[i].uuid = "GPU-a" + std::to_string(i) + "00000000000000";
  }
  return node;
}

Visibility seen(const Environment& environment, const std::vector<Accelerator>& node) {
  return visible_devices(environment, node, std::vector<bool>(node.size(), true));
}

Devices nvidia(const std::string& value) {
  return seen({{"CUDA_VISIBLE_DEVICES", value}}, node_of(Vendor::nvidia, 4)).devices;
}

Devices dcu(const Environment& environment) {
  return seen(environment, node_of(Vendor::dcu, 4)).devices;
}

}  // namespace

TEST_CASE("without variables a process sees what it may open") {
  const auto node = node_of(Vendor::nvidia, 3);
  CHECK(visible_devices({}, node, {true, false, true}).devices == Devices{0, 2});
  CHECK(visible_devices({}, node, {false, false, false}).devices.empty());
  CHECK(visible_devices({}, {}, {}).devices.empty());
}

// Guards against taking the index for the node's: under ConstrainDevices every task of a step has
// CUDA_VISIBLE_DEVICES=0 and a device of its own.
TEST_CASE("indices count the devices that the process may open") {
  const auto node = node_of(Vendor::nvidia, 4);
  const Environment zero = {{"CUDA_VISIBLE_DEVICES", "0"}};
  CHECK(visible_devices(zero, node, {false, false, true, false}).devices == Devices{2});
  CHECK(visible_devices(zero, node, {false, true, false, true}).devices == Devices{1});
  const Environment two = {{"CUDA_VISIBLE_DEVICES", "2"}};
  CHECK(visible_devices(two, node, {false, false, true, false}).devices.empty());
}

TEST_CASE("CUDA_VISIBLE_DEVICES by index") {
  CHECK(nvidia("2,0") == Devices{2, 0});
  CHECK(nvidia(" 1 , 3 ") == Devices{1, 3});
  CHECK(nvidia("").empty());
  CHECK(nvidia("0,9,1") == Devices{0});
  CHECK(nvidia("0,-1,1") == Devices{0});
  CHECK(nvidia("NoDevFiles").empty());
  CHECK(nvidia("0,,1") == Devices{0});
  CHECK(nvidia("1,1").empty());
  CHECK(nvidia("1gpu,2x") == Devices{1, 2});
}

TEST_CASE("CUDA_VISIBLE_DEVICES by UUID") {
  CHECK(nvidia("GPU-a200000000000000") == Devices{2});
  CHECK(nvidia("GPU-a3,GPU-a1") == Devices{3, 1});
  CHECK(nvidia("GPU-a").empty());  // fits several
  CHECK(nvidia("GPU-a1,GPU-ff,GPU-a0") == Devices{1});
  CHECK(nvidia("GPU-a1,GPU-a1").empty());
}

TEST_CASE("a UUID where the node's are unknown is a device that cannot be told") {
  auto node = node_of(Vendor::nvidia, 2);
  node[0].uuid.clear();
  node[1].uuid.clear();
  const Visibility visibility = seen({{"CUDA_VISIBLE_DEVICES", "GPU-12345678"}}, node);
  CHECK(visibility.devices.empty());
  CHECK(visibility.unidentified_nvidia == 1);
}

TEST_CASE("MIG instances") {
  const auto node = node_of(Vendor::nvidia, 2);
  const auto with = [&node](const char* value) {
    return seen({{"CUDA_VISIBLE_DEVICES", value}}, node);
  };
  const Visibility opaque = with("MIG-0b5b1c00-1111-4000-8000-000000000000");
  CHECK(opaque.devices.empty());
  CHECK(opaque.unidentified_nvidia == 1);
  // The older form names the GPU.
  const Visibility older = with("MIG-GPU-a100000000000000/1/0,MIG-GPU-a100000000000000/2/0");
  CHECK(older.devices == Devices{1});
  CHECK(older.unidentified_nvidia == 0);
  CHECK(with("MIG-GPU-ff00/1/0").devices.empty());
  // With one GPU in reach an instance can only be of that one.
  CHECK(visible_devices({{"CUDA_VISIBLE_DEVICES", "MIG-0b5b1c00"}}, node, {false, true}).devices ==
        Devices{1});
  const Visibility none =
      visible_devices({{"CUDA_VISIBLE_DEVICES", "MIG-0"}}, node, {false, false});
  CHECK(none.devices.empty());
  CHECK(none.unidentified_nvidia == 0);
}

TEST_CASE("unlike GPUs are in PCI order only on request") {
  auto node = node_of(Vendor::nvidia, 2);
  node[0].name = "NVIDIA T4";
  node[1].name = "NVIDIA A100";
  const Visibility by_speed = seen({{"CUDA_VISIBLE_DEVICES", "0"}}, node);
  CHECK(by_speed.devices.empty());
  CHECK(by_speed.unidentified_nvidia == 1);
  const Visibility by_bus =
      seen({{"CUDA_VISIBLE_DEVICES", "0"}, {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}}, node);
  CHECK(by_bus.devices == Devices{0});
  CHECK(seen({{"CUDA_VISIBLE_DEVICES", "GPU-a1"}}, node).devices == Devices{1});
}

TEST_CASE("ROCR_VISIBLE_DEVICES") {
  const auto rocr = [](const char* value) { return dcu({{"ROCR_VISIBLE_DEVICES", value}}); };
  CHECK(rocr("2,0") == Devices{2, 0});
  CHECK(rocr("").empty());
  CHECK(rocr("1,7,0") == Devices{1});
  CHECK(rocr("1,1,0") == Devices{1});  // the repeated entry ends the list
  CHECK(rocr("1x,0").empty());
  CHECK(rocr("0x3") == Devices{3});
  CHECK(rocr("gpu-A2,GPU-a0") == Devices{2, 0});
  CHECK(rocr("GPU-a").empty());
  CHECK(rocr("GPU-").empty());
}

TEST_CASE("HIP_VISIBLE_DEVICES") {
  const auto hip = [](const char* value) { return dcu({{"HIP_VISIBLE_DEVICES", value}}); };
  CHECK(hip("3,1") == Devices{3, 1});
  CHECK(hip("") == Devices{0, 1, 2, 3});  // HIP takes an empty value for none given
  CHECK(hip("1,1,0") == Devices{1, 0});
  CHECK(hip("01").empty());
  CHECK(hip("GPU-a200000000000000,0") == Devices{2, 0});
  CHECK(hip("0,4,1") == Devices{0});
}

TEST_CASE("HIP reads CUDA_VISIBLE_DEVICES where its own is unset or empty") {
  CHECK(dcu({{"CUDA_VISIBLE_DEVICES", "2"}}) == Devices{2});
  CHECK(dcu({{"CUDA_VISIBLE_DEVICES", "2"}, {"HIP_VISIBLE_DEVICES", ""}}) == Devices{2});
  CHECK(dcu({{"CUDA_VISIBLE_DEVICES", "2"}, {"HIP_VISIBLE_DEVICES", "1"}}) == Devices{1});
  CHECK(dcu({{"CUDA_VISIBLE_DEVICES", ""}}) == Devices{0, 1, 2, 3});
}

// Guards against Parsl/parsl#3858: ROCR and CUDA variables that both say 1 leave no device, since
// the second counts what the first left.
TEST_CASE("HIP's variable counts what ROCR's left") {
  CHECK(dcu({{"ROCR_VISIBLE_DEVICES", "1"}, {"CUDA_VISIBLE_DEVICES", "1"}}).empty());
  CHECK(dcu({{"ROCR_VISIBLE_DEVICES", "3,1"}, {"HIP_VISIBLE_DEVICES", "1"}}) == Devices{1});
  const Visibility nothing =
      seen({{"ROCR_VISIBLE_DEVICES", "1"}, {"CUDA_VISIBLE_DEVICES", "1"}}, node_of(Vendor::dcu, 4));
  CHECK(nothing.notes == std::vector<std::string>{"CUDA_VISIBLE_DEVICES=1: '1' is no device of "
                                                  "this process, the list ends there"});
}

TEST_CASE("partitions with one id cannot be told apart by it") {
  std::vector<Accelerator> node = node_of(Vendor::amd, 2);
  node[1].uuid = node[0].uuid;
  CHECK(seen({{"ROCR_VISIBLE_DEVICES", "GPU-a000000000000000"}}, node).devices.empty());
  CHECK(seen({{"ROCR_VISIBLE_DEVICES", "1"}}, node).devices == Devices{1});
}

TEST_CASE("DCU_VISIBLE_DEVICES hides nothing, and is noted") {
  const Visibility visibility = seen({{"DCU_VISIBLE_DEVICES", "3"}}, node_of(Vendor::dcu, 2));
  CHECK(visibility.devices == Devices{0, 1});
  CHECK(visibility.notes.size() == 1);
  CHECK(seen({{"DCU_VISIBLE_DEVICES", "3"}}, node_of(Vendor::nvidia, 2)).notes.empty());
}

TEST_CASE("each vendor of a mixed node reads its own variables") {
  std::vector<Accelerator> node = node_of(Vendor::nvidia, 2);
  for (const Accelerator& each : node_of(Vendor::amd, 2)) node.push_back(each);
  CHECK(seen({{"ROCR_VISIBLE_DEVICES", ""}}, node).devices == Devices{0, 1});
  CHECK(seen({{"CUDA_VISIBLE_DEVICES", ""}, {"HIP_VISIBLE_DEVICES", "1"}}, node).devices ==
        Devices{3});
  CHECK(seen({{"CUDA_VISIBLE_DEVICES", "1"}}, node).devices == Devices{1, 3});
}

TEST_CASE("what ends or empties a list is said") {
  const auto notes = [](const char* value) {
    return seen({{"CUDA_VISIBLE_DEVICES", value}}, node_of(Vendor::nvidia, 2)).notes;
  };
  CHECK(notes("0,9") == std::vector<std::string>{"CUDA_VISIBLE_DEVICES=0,9: '9' is no device of "
                                                 "this process, the list ends there"});
  CHECK(notes("0,0") == std::vector<std::string>{"CUDA_VISIBLE_DEVICES=0,0: the same device twice, "
                                                 "which CUDA takes for none at all"});
  CHECK(notes("").empty());
  CHECK(notes("1").empty());
}

TEST_CASE("a process may use a device when it may open all of its files") {
  const ScratchMachine machine("dcu_node");
  machine.remove("/dev/dri/renderD129");
  const RootDirectory root = machine.root();
  const std::vector<Accelerator> node = find_accelerators(root);
  CHECK(openable(root, node) == std::vector<bool>{true, false, true, true, true, true, true, true});
  machine.remove("/dev/kfd");
  CHECK(openable(root, node) == std::vector<bool>(8, false));
  CHECK(openable(root, {Accelerator{}}) == std::vector<bool>{false});
}

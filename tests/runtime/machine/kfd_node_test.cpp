#include "runtime/machine/kfd_node.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;

// Guards against reading the stepping as decimal: 90010 is gfx90a, not gfx9010.
TEST_CASE("gfx_target_version is decimal, its minor and stepping are written in hexadecimal") {
  CHECK(gfx_name(90006) == "gfx906");
  CHECK(gfx_name(90008) == "gfx908");
  CHECK(gfx_name(90010) == "gfx90a");
  CHECK(gfx_name(90208) == "gfx928");
  CHECK(gfx_name(90210) == "gfx92a");
  CHECK(gfx_name(90306) == "gfx936");
  CHECK(gfx_name(90402) == "gfx942");
  CHECK(gfx_name(90500) == "gfx950");
  CHECK(gfx_name(100300) == "gfx1030");
  CHECK(gfx_name(110501) == "gfx1151");
  CHECK(gfx_name(120001) == "gfx1201");
}

TEST_CASE("what is no version has no name") {
  for (const std::uint32_t version : {0U, 906U, 9999U, 90016U, 91600U, 4294967295U}) {
    CAPTURE(version);
    CHECK(gfx_name(version).empty());
  }
}

TEST_CASE("a GPU node's properties") {
  const auto node = parse_kfd_properties(
      "cpu_cores_count 0\nsimd_count 440\ngfx_target_version 90010\nvendor_id 4098\n"
      "location_id 49664\ndomain 1\ndrm_render_minor 130\nunique_id 18446744073709551615\n");
  REQUIRE(node);
  CHECK(node->vendor == 0x1002);
  CHECK(node->gfx == "gfx90a");
  CHECK(node->address == "0001:c2:00.0");
  CHECK(node->render_minor == 130);
  CHECK(node->unique_id == UINT64_MAX);
}

TEST_CASE("nodes that are no GPU of AMD or Hygon") {
  CHECK_FALSE(parse_kfd_properties("cpu_cores_count 64\nsimd_count 0\nvendor_id 4098\n"));
  CHECK_FALSE(parse_kfd_properties("cpu_cores_count 64\nvendor_id 4098\n"));
  CHECK_FALSE(parse_kfd_properties("simd_count 132\nvendor_id 4318\n"));  // NVIDIA
  CHECK_FALSE(parse_kfd_properties("simd_count 132\nvendor_id 0\n"));
  CHECK_FALSE(parse_kfd_properties(""));
}

TEST_CASE("damaged and older properties") {
  // Older kernels have no gfx_target_version.
  const auto old = parse_kfd_properties("simd_count 240\nvendor_id 4098\nlocation_id 7424\n");
  REQUIRE(old);
  CHECK(old->gfx.empty());
  CHECK(old->address == "0000:1d:00.0");
  CHECK(old->render_minor == 0);
  CHECK_FALSE(parse_kfd_properties("simd_count\nvendor_id 4098\n"));
  CHECK_FALSE(parse_kfd_properties("simd_count many\nvendor_id 4098\n"));
}

TEST_CASE("GPU nodes come in numeric order") {
  std::vector<std::string> paths;
  for (const KfdNode& node : kfd_gpu_nodes(test::recorded_machine("dcu_node"))) {
    paths.push_back(node.path.substr(node.path.rfind('/') + 1));
  }
  // As text, 10 and 11 would come before 4.
  CHECK(paths == std::vector<std::string>{"4", "5", "6", "7", "8", "9", "10", "11"});
}

// Guards against LLNL/mpibind#45: partitions of one device (MI300 in TPX and CPX mode) share a PCI
// id, and the kernel puts the partition's number where the PCI function is.
TEST_CASE("partitions keep their device's address") {
  const std::vector<KfdNode> nodes = kfd_gpu_nodes(test::recorded_machine("amd_partitioned"));
  REQUIRE(nodes.size() == 8);
  for (const KfdNode& node : nodes) CHECK(node.address == "0000:05:00.0");
  CHECK(nodes[7].render_minor == 135);
}

TEST_CASE("an address stays as it is where /sys shows no PCI devices at all") {
  const ScratchMachine machine;
  machine.write("/sys/class/kfd/kfd/topology/nodes/1/properties",
                "simd_count 440\nvendor_id 4098\nlocation_id 49665\n");
  const std::vector<KfdNode> nodes = kfd_gpu_nodes(machine.root());
  REQUIRE(nodes.size() == 1);
  CHECK(nodes[0].address == "0000:c2:00.1");
}

// The kernel answers EPERM for a device that the process's cgroup denies.
TEST_CASE("a node that cannot be read is left out") {
  const ScratchMachine machine("amd_node");
  machine.remove("/sys/class/kfd/kfd/topology/nodes/5/properties");
  CHECK(kfd_gpu_nodes(machine.root()).size() == 7);
}

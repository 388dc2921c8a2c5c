#include "runtime/node/read_topology.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/node/folder.hpp"
#include "tests/runtime/node/in_child.hpp"

using namespace hyperacc::node;
using hyperacc::RootDirectory;

namespace {

Topology machine(const std::string& name) {
  const auto root = RootDirectory::open("machines/" + name);
  REQUIRE(root);
  const auto topology = read_topology(*root);
  INFO((topology ? "" : topology.error().text));
  REQUIRE(topology);
  return *topology;
}

}  // namespace

TEST_CASE("two sockets with SMT") {
  const Topology topology = machine("nvidia_8gpu");
  CHECK(topology.cpus.to_list() == "0-127");
  REQUIRE(topology.nodes.size() == 2);
  CHECK(topology.nodes[1].cpus.to_list() == "32-63,96-127");
  CHECK(topology.nodes[1].memory == std::uint64_t{263845040} * 1024);
  CHECK(topology.distances == std::vector<std::vector<std::uint32_t>>{{10, 21}, {21, 10}});
  REQUIRE(topology.cores.size() == 64);
  CHECK(topology.cores[40].to_list() == "40,104");
  CHECK(topology.complexes.size() == 2);
  REQUIRE(topology.near_pci.size() == 8);
  CHECK(topology.near_pci.at("0000:88:00.0").to_list() == "32-63,96-127");
}

TEST_CASE("cores come L3 by L3") {
  const Topology topology = machine("amd_node");
  REQUIRE(topology.complexes.size() == 8);
  std::size_t core = 0;
  for (const Bitmap& complex : topology.complexes) {
    for (int i = 0; i < 8; ++i, ++core) CHECK(complex.includes(topology.cores.at(core)));
  }
}

TEST_CASE("memory-only nodes own no CPU, though hwloc shows them beside CPUs") {
  // Guards eth-cscs/cscs-docs#179 and NVIDIA/mlperf-common#16: GPU memory counted as NUMA nodes.
  const Topology topology = machine("nvidia_grace");
  REQUIRE(topology.nodes.size() == 6);
  CHECK(topology.nodes[0].cpus.to_list() == "0-71");
  CHECK(topology.nodes[1].cpus.to_list() == "72-143");
  for (std::size_t i = 2; i < 6; ++i) {
    CHECK(topology.nodes[i].cpus.empty());
    CHECK(topology.nodes[i].memory == std::uint64_t{184} << 30);
  }
  CHECK(topology.nodes[2].id == 2);
  CHECK(topology.nodes[3].id == 10);
}

TEST_CASE("without the kernel's lists the node numbered first owns the CPUs") {
  const Folder folder;
  const auto root = RootDirectory::open("machines/cxl_memory");
  folder.write("/topology.xml", *root->read_file("/topology.xml", 1 << 20));
  const auto topology = load_with_hwloc(folder.root());
  REQUIRE(topology);
  REQUIRE(topology->nodes.size() == 3);
  CHECK(topology->nodes[0].cpus.to_list() == "0-31,64-95");
  CHECK(topology->nodes[2].cpus.empty());
}

TEST_CASE("a device that is near everything is near nothing") {
  CHECK(machine("nvidia_no_node").near_pci.empty());
}

TEST_CASE("gaps in the numbers of CPUs and nodes") {
  const Topology topology = machine("cpu_offline");
  REQUIRE(topology.nodes.size() == 3);
  CHECK(topology.nodes[0].id == 1);
  CHECK(topology.cpus.to_list() == "16-19,24-63,80-83,89-127");
}

TEST_CASE("what is no topology is an error that names the file") {
  const Folder folder;
  const auto missing = read_topology(folder.root());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().text.find("topology.xml") != std::string::npos);
  folder.write("/topology.xml", "<topology>");
  CHECK_FALSE(read_topology(folder.root()));
  folder.write("/topology.xml", "");
  CHECK_FALSE(read_topology(folder.root()));
}

TEST_CASE("this machine: all CPUs of the mask are known, whatever hwloc's variables say") {
  const auto root = RootDirectory::open("/");
  setenv("HWLOC_SYNTHETIC", "numa:3 core:2 pu:1", 1);
  setenv("HWLOC_XMLFILE", "machines/nvidia_8gpu/topology.xml", 1);
  const auto topology = read_topology(*root);
  unsetenv("HWLOC_SYNTHETIC");
  unsetenv("HWLOC_XMLFILE");
  REQUIRE(topology);
  CHECK(topology->cpus.includes(*get_affinity()));
  Bitmap owned;
  for (const NumaNode& node : topology->nodes) owned |= node.cpus;
  CHECK(owned == topology->cpus);
}

TEST_CASE("CPUs outside the mask are read, too") {
  if (!has_two_cpus()) return;
  const std::string seen = in_child([] {
    const Bitmap all = *get_affinity();
    (void)set_affinity(Bitmap{all.first()});
    return read_topology(*RootDirectory::open("/"))->cpus.includes(all) ? std::string("all")
                                                                        : std::string("some");
  });
  CHECK(seen == "all");
}

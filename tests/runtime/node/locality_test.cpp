#include "runtime/node/locality.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/node/sample_topology.hpp"

using namespace hyperacc::node;
using hyperacc::Accelerator;

namespace {

Accelerator device(std::string address, int node, std::string cpus) {
  Accelerator accelerator;
  accelerator.pci_address = std::move(address);
  accelerator.numa_node = node;
  accelerator.local_cpulist = std::move(cpus);
  return accelerator;
}

}  // namespace

TEST_CASE("hwloc's word counts first, then the kernel's CPU list, then its NUMA node") {
  Topology topology = sample_topology(4, 4, 1, 4);
  topology.near_pci.emplace("0000:01:00.0", list("4-7"));
  CHECK(near_cpus(topology, device("0000:01:00.0", 3, "8-11")).to_list() == "4-7");
  CHECK(near_cpus(topology, device("0000:02:00.0", 3, "8-11")).to_list() == "8-11");
  CHECK(near_cpus(topology, device("0000:02:00.0", 3, "")).to_list() == "12-15");
}

TEST_CASE("a list of all CPUs tells nothing, the node beside it may") {
  const Topology topology = sample_topology(4, 4, 1, 4);
  CHECK(near_cpus(topology, device("", -1, "0-15")).empty());
  CHECK(near_cpus(topology, device("", -1, "0-63")).empty());
  CHECK(near_cpus(topology, device("", 2, "0-15")).to_list() == "8-11");
  CHECK(near_cpus(topology, device("", -1, "")).empty());
  CHECK(near_cpus(topology, device("", 9, "")).empty());
  CHECK(near_cpus(topology, device("", -1, "garbage")).empty());
  // Offline ones are left out.
  CHECK(near_cpus(topology, device("", -1, "12-99")).to_list() == "12-15");
}

TEST_CASE("on a machine with one NUMA node nothing is near") {
  CHECK(near_cpus(sample_topology(1, 4, 1, 4), device("", 0, "0-3")).empty());
}

TEST_CASE("firmware with one distance for all does not move a device") {
  Topology topology = sample_topology(3, 4, 1, 4);
  topology.distances.assign(3, std::vector<std::uint32_t>(3, kLocalDistance));
  CHECK(near_cpus(topology, device("", 2, "")).to_list() == "8-11");
}

TEST_CASE("a device at a memory-only node is near the closest CPUs") {
  Topology topology = sample_topology(2, 4, 1, 4);
  topology.nodes.push_back({5, {}, 1});
  topology.distances = {{10, 40, 40}, {40, 10, 20}, {40, 20, 10}};
  CHECK(near_cpus(topology, device("", 5, "")).to_list() == "4-7");
}

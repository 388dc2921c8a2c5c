#include "runtime/machine/numa_nodes.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;

TEST_CASE("nodes with CPUs and memory") {
  const std::vector<NumaNode> nodes = numa_nodes(test::recorded_machine("nvidia_8gpu"));
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[1].id == 1);
  REQUIRE(nodes[1].cpus.size() == 64);
  CHECK(nodes[1].cpus.front() == 32);
  CHECK(nodes[1].cpus.back() == 127);
  CHECK(nodes[1].memory_bytes == 263845040ULL * 1024);
  CHECK(nodes[1].free_bytes == 237460536ULL * 1024);
}

// Guards against NVIDIA/mlperf-common#16: GPU memory shows as nodes, with gaps in their ids.
TEST_CASE("memory-only nodes and gaps in the ids") {
  const ScratchMachine machine;
  machine.write("/sys/devices/system/node/online", "0,4\n");
  machine.write("/sys/devices/system/node/node0/cpulist", "0-71\n");
  machine.write("/sys/devices/system/node/node4/cpulist", "\n");
  machine.write("/sys/devices/system/node/node4/meminfo",
                "Node 4 MemTotal:       97280 kB\nNode 4 MemFree:         1 kB\n");
  const std::vector<NumaNode> nodes = numa_nodes(machine.root());
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].cpus.size() == 72);
  CHECK(nodes[0].memory_bytes == 0);
  CHECK(nodes[1].id == 4);
  CHECK(nodes[1].cpus.empty());
  CHECK(nodes[1].memory_bytes == 97280 * 1024);
  CHECK(nodes[1].free_bytes == 1024);
}

TEST_CASE("a kernel without NUMA has no nodes") {
  CHECK(numa_nodes(ScratchMachine().root()).empty());
}

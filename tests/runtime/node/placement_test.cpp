#include "runtime/node/placement.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>

#include "tests/runtime/node/sample_topology.hpp"

using namespace hyperacc::node;

namespace {

PlacementRequest request_for(const Topology& topology, std::vector<Localities> tasks) {
  PlacementRequest request;
  request.allowed = topology.cpus;
  for (const NumaNode& node : topology.nodes) request.memory_allowed.add(node.id);
  request.tasks = std::move(tasks);
  return request;
}

}  // namespace

TEST_CASE("the default mode is exclusive for two tasks or more that all have a home, else node") {
  const Topology topology = sample_topology(2, 4, 2, 4);
  const Localities near_0{list("0-3,8-11")};
  CHECK(place(topology, request_for(topology, {near_0, near_0})).mode == BindMode::exclusive);
  CHECK(place(topology, request_for(topology, {near_0})).mode == BindMode::node);
  CHECK(place(topology, request_for(topology, {near_0, {}})).mode == BindMode::node);
  CHECK(place(topology, request_for(topology, {{}, {}})).mode == BindMode::node);
  PlacementRequest named = request_for(topology, {{}});
  named.mode = BindMode::exclusive;
  CHECK(place(topology, named).mode == BindMode::exclusive);
}

TEST_CASE("CPUs that the topology does not know: each task keeps the step's") {
  const Topology topology = sample_topology(2, 2, 1, 2);
  PlacementRequest request = request_for(topology, {{}, {list("0-1")}});
  request.allowed = list("70-71");
  const Placement placement = place(topology, request);
  for (const TaskPlacement& task : placement.tasks) {
    CHECK(task.cpus.to_list() == "70-71");
    CHECK(task.shared);
    CHECK(task.memory_nodes.empty());
  }
}

TEST_CASE("no task, no placement") {
  const Topology topology = sample_topology(2, 2, 1, 2);
  CHECK(place(topology, request_for(topology, {})).tasks.empty());
}

TEST_CASE("memory is that of the CPUs, or of the nearest node that has some") {
  Topology topology = sample_topology(3, 2, 1, 2);
  topology.distances = {{10, 30, 20}, {30, 10, 20}, {20, 20, 10}};
  const Bitmap all = list("0-2");
  CHECK(memory_of(topology, list("0-3"), all).to_list() == "0-1");
  // Guards numactl#165: a node with CPUs and without memory.
  topology.nodes[0].memory = 0;
  CHECK(memory_of(topology, list("0-1"), all).to_list() == "2");
  // Firmware that tells no distances, or the same for all: the own node, else the lowest.
  Topology flat = topology;
  flat.distances.assign(3, std::vector<std::uint32_t>(3, kLocalDistance));
  CHECK(memory_of(flat, list("0-1"), all).to_list() == "1");
  CHECK(memory_of(flat, list("4-5"), all).to_list() == "2");
  CHECK(memory_of(topology, list("0-1"), list("0-1")).to_list() == "1");
  // Not allowed is as good as not there; nothing at all is nothing.
  CHECK(memory_of(topology, list("2-3"), list("0,2")).to_list() == "2");
  CHECK(memory_of(topology, list("2-3"), Bitmap{}).empty());
}

TEST_CASE("memory-only nodes are taken only where nothing else has memory") {
  // Guards eth-cscs/cscs-docs#179: a GPU's memory taken for main memory.
  Topology topology = sample_topology(2, 2, 1, 2);
  topology.nodes.push_back({8, {}, std::uint64_t{96} << 30});
  topology.distances = {{10, 40, 12}, {40, 10, 40}, {12, 40, 10}};
  topology.nodes[0].memory = 0;
  const Bitmap all = list("0-1,8");
  CHECK(memory_of(topology, list("0-1"), all).to_list() == "1");
  topology.nodes[1].memory = 0;
  CHECK(memory_of(topology, list("0-1"), all).to_list() == "8");
}

TEST_CASE("what a promise adds brings its memory along") {
  const Topology topology = sample_topology(2, 4, 1, 4);
  PlacementRequest request = request_for(topology, {{list("0-3")}});
  request.cpus_per_task = 6;
  const Placement placement = place(topology, request);
  CHECK(placement.tasks[0].cpus.to_list() == "0-5");
  CHECK(placement.tasks[0].memory_nodes.to_list() == "0-1");
  CHECK(placement.tasks[0].home.to_list() == "0");
}

TEST_CASE("modes have one word each") {
  for (const BindMode mode : {BindMode::node, BindMode::exclusive, BindMode::core_complex}) {
    CHECK(find_bind_mode(name(mode)) == mode);
  }
  CHECK_FALSE(find_bind_mode("socket"));
}

TEST_CASE("512 CPUs, 16 NUMA nodes and 16 tasks are placed in about a millisecond") {
  // Under 0.4 ms in a release build; the limit is for slow machines and checked builds.
  constexpr double kLimitMilliseconds = 50;
  const Topology topology = sample_topology(16, 16, 2, 16);
  PlacementRequest request = request_for(topology, {});
  for (const NumaNode& node : topology.nodes) request.tasks.push_back({node.cpus});
  for (const unsigned promise : {1U, 48U}) {
    request.cpus_per_task = promise;
    const auto cpu_time = [] {
      timespec now{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    };
    const double before = cpu_time();
    const Placement placement = place(topology, request);
    CHECK(cpu_time() - before < kLimitMilliseconds);
    CHECK(placement.tasks.back().cpus.count() == std::max(promise, 32U));
  }
}

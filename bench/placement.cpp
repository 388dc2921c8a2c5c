// How long placing a step takes: the pure function on the largest recorded machine, and everything
// that a node does once a step. Prints medians; run it on a quiet machine.
//
//   placement_bench [MACHINES]      default: tests/machines
#include "runtime/node/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "runtime/node/machine_view.hpp"
#include "runtime/node/read_topology.hpp"

namespace {

using namespace hyperacc::node;
using Microseconds = std::chrono::duration<double, std::micro>;

template <class Work>
void measure(const std::string& what, int repeats, const Work& work) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto before = std::chrono::steady_clock::now();
    work();
    times.push_back(Microseconds(std::chrono::steady_clock::now() - before).count());
  }
  std::sort(times.begin(), times.end());
  const auto at = [&times](double part) {
    return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
  };
  fmt::print("{:<58} median {:>9.1f} us   90 % {:>9.1f} us\n", what, at(0.5), at(0.9));
}

void bench_placement(const MachineView& machine, std::size_t tasks, BindMode mode,
                     unsigned cpus_per_task) {
  DeviceList all;
  for (std::size_t i = 0; i < machine.accelerators.size(); ++i) all.push_back(i);
  PlacementRequest request;
  request.allowed = machine.topology.cpus;
  for (const NumaNode& node : machine.topology.nodes) request.memory_allowed.add(node.id);
  request.tasks = localities_of(machine, std::vector<DeviceList>(tasks, all));
  request.mode = mode;
  request.cpus_per_task = cpus_per_task;
  const std::string promise = cpus_per_task > 1 ? fmt::format(", -c {}", cpus_per_task) : "";
  measure(fmt::format("place {} tasks on {} CPUs, {} NUMA nodes, {}{}", tasks,
                      machine.topology.cpus.count(), machine.topology.nodes.size(), name(mode),
                      promise),
          200, [&] { (void)place(machine.topology, request); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string machines = argc > 1 ? argv[1] : "tests/machines";
  const auto large = view_machine(machines + "/large_512");
  const auto here = view_machine("/");
  if (!large || !here) {
    fmt::print(stderr, "{}\n", large ? here.error().text : large.error().text);
    return 1;
  }
  for (const BindMode mode : {BindMode::exclusive, BindMode::node, BindMode::core_complex}) {
    bench_placement(*large, 16, mode, 1);
  }
  bench_placement(*large, 16, BindMode::exclusive, 48);
  bench_placement(*large, 256, BindMode::exclusive, 1);
  measure("read the topology of this machine, in its child", 30,
          [&] { (void)read_topology(here->root); });
  measure("read the recorded topology of 512 CPUs, in its child", 30,
          [&] { (void)read_topology(large->root); });
  measure("view this machine: topology and accelerators", 30, [] { (void)view_machine("/"); });
  return 0;
}

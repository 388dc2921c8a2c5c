#include "runtime/node/placement_map.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace hyperacc::node;

namespace {

std::string map_of(const std::string& machine_name, PlacementRequest request,
                   const std::vector<DeviceList>& devices) {
  const MachineView machine = view_machine("machines/" + machine_name).value();
  if (request.allowed.empty()) request.allowed = machine.topology.cpus;
  for (const NumaNode& node : machine.topology.nodes) request.memory_allowed.add(node.id);
  request.tasks = localities_of(machine, devices);
  const Placement placement = place(machine.topology, request);
  return draw({machine, request, placement, used_devices(devices), "preferred_many"});
}

}  // namespace

TEST_CASE("the map of a node") {
  PlacementRequest request;
  request.allowed = Bitmap::parse_list("0-7,17-31,64-71,81-95").value();
  CHECK(map_of("amd_node", request, {{2}, {3}, {}}) ==
        "numabind=node, memory preferred_many, 46 of 128 CPUs\n"
        "\n"
        "NUMA node 0: CPUs 0-15,64-79, 125 GiB\n"
        "  accelerators 4 (0000:d1:00.0) 5 (0000:d6:00.0)\n"
        "  cores        22222222 --------\n"
        "NUMA node 1: CPUs 16-31,80-95, 125 GiB\n"
        "  accelerators 2 (0000:c9:00.0) 3 (0000:ce:00.0)\n"
        "  cores        -+++++++ ++++++++\n"
        "NUMA node 2: CPUs 32-47,96-111, 125 GiB\n"
        "  accelerators 6 (0000:d9:00.0) 7 (0000:de:00.0)\n"
        "  cores        -------- --------\n"
        "NUMA node 3: CPUs 48-63,112-127, 125 GiB\n"
        "  accelerators 0 (0000:c1:00.0) 1 (0000:c6:00.0)\n"
        "  cores        -------- --------\n"
        "\n"
        "One character a core: the task that may use it, + several, . none, - not the step's.\n"
        "\n"
        "  task    accelerators  memory   CPUs\n"
        "  0       2             1        17-31,81-95 (30, shared)\n"
        "  1       3             1        17-31,81-95 (30, shared)\n"
        "  2       -             0        0-7,64-71 (16)\n");
}

TEST_CASE("memory-only nodes and devices without a place are shown") {
  CHECK(map_of("cxl_memory", {}, {{}}).find("NUMA node 2: no CPUs, 128 GiB\n") !=
        std::string::npos);
  CHECK(map_of("nvidia_no_node", {}, {{}})
            .find("Accelerators near no NUMA node in particular: 0 (0000:04:00.0)") !=
        std::string::npos);
}

TEST_CASE("no line is longer than 100 columns or ends in a blank") {
  PlacementRequest request;
  Bitmap every_second;
  for (unsigned cpu = 0; cpu < 512; cpu += 2) every_second.add(cpu);
  request.allowed = every_second;
  for (const std::string& page :
       {map_of("large_512", request, {{}}), map_of("large_512", {}, std::vector<DeviceList>(70)),
        map_of("nvidia_grace", {}, {{0}})}) {
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 100);
      CHECK((line.empty() || line.back() != ' '));
    }
  }
}

TEST_CASE("tasks beyond the letters share a mark and keep their numbers") {
  const std::string page = map_of("large_512", {}, std::vector<DeviceList>(64));
  CHECK(page.find("  10 (a)") != std::string::npos);
  CHECK(page.find("\n  63 ") != std::string::npos);
}

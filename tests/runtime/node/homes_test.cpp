#include "runtime/node/homes.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/node/sample_topology.hpp"

using namespace hyperacc::node;

namespace {

using Numbers = std::vector<std::size_t>;

std::vector<Numbers> homes_of(const Topology& topology, const Bitmap& allowed,
                              const std::vector<Localities>& tasks) {
  std::vector<Numbers> numbers;
  for (const Home& home : find_homes(topology, make_domains(topology, allowed), tasks)) {
    numbers.push_back(home.domains);
  }
  return numbers;
}

}  // namespace

TEST_CASE("a device's home is every NUMA node near it, devices add up") {
  const Topology topology = sample_topology(4, 4, 1, 4);
  const std::vector<Home> homes =
      find_homes(topology, make_domains(topology, topology.cpus),
                 {{list("4-7")}, {list("8-15")}, {list("0-3"), list("12-15")}});
  CHECK(homes[0].domains == Numbers{1});
  CHECK(homes[1].domains == Numbers{2, 3});
  CHECK(homes[2].domains == Numbers{0, 3});
  CHECK(homes[2].known);
}

TEST_CASE("empty and whole-machine localities are unknown") {
  // Guards pytorch's treating of numa_node -1 as node 0, and an empty NVML affinity under Slurm
  // that became EINVAL (nvidia-cosmos/cosmos-predict1#11).
  const Topology topology = sample_topology(2, 4, 1, 4);
  const std::vector<Home> homes = find_homes(topology, make_domains(topology, topology.cpus),
                                             {{Bitmap{}}, {topology.cpus}, {}, {list("100-101")}});
  for (const Home& home : homes) CHECK_FALSE(home.known);
  CHECK(homes[0].domains == Numbers{0});
  CHECK(homes[1].domains == Numbers{0});
  CHECK(homes[2].domains == Numbers{1});
  CHECK(homes[3].domains == Numbers{1});
}

TEST_CASE("where the step has no CPU near the device, the nearest domain, the lowest of equals") {
  Topology topology = sample_topology(4, 4, 1, 4);
  topology.distances = {{10, 12, 32, 32}, {12, 10, 32, 32}, {32, 32, 10, 12}, {32, 32, 12, 10}};
  CHECK(homes_of(topology, list("0-3,8-11"), {{list("12-15")}}) == std::vector<Numbers>{{1}});
  CHECK(homes_of(topology, list("0-7"), {{list("12-15")}}) == std::vector<Numbers>{{0}});
}

TEST_CASE("tasks without a device go where few tasks are, neighbours together") {
  const Topology topology = sample_topology(2, 8, 1, 8);
  const Localities near_0{list("0-7")};
  CHECK(homes_of(topology, topology.cpus, {near_0, near_0, {}, {}}) ==
        std::vector<Numbers>{{0}, {0}, {1}, {1}});
  CHECK(homes_of(topology, topology.cpus, {{}, near_0, {}, {}}) ==
        std::vector<Numbers>{{0}, {0}, {1}, {1}});
  // By cores: three quarters of them are in domain 1.
  CHECK(homes_of(topology, list("0-1,8-13"), {{}, {}, {}, {}}) ==
        std::vector<Numbers>{{0}, {1}, {1}, {1}});
}

TEST_CASE("a task in two domains counts half in each") {
  const Topology topology = sample_topology(3, 4, 1, 4);
  const Localities both{list("0-3"), list("4-7")};
  CHECK(homes_of(topology, topology.cpus, {both, {}, {}}) ==
        std::vector<Numbers>{{0, 1}, {0}, {2}});
}

TEST_CASE("fewer tasks than domains and nothing known: runs of whole domains") {
  const Topology topology = sample_topology(5, 2, 1, 2);
  CHECK(homes_of(topology, topology.cpus, {{}, {}}) == std::vector<Numbers>{{0, 1, 2}, {3, 4}});
  CHECK(homes_of(topology, topology.cpus, {{}}) == std::vector<Numbers>{{0, 1, 2, 3, 4}});
  // With one home known, the others get one domain each.
  CHECK(homes_of(topology, topology.cpus, {{list("0-1")}, {}}) == std::vector<Numbers>{{0}, {1}});
}

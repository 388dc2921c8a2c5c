#include "runtime/node/slices.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/node/sample_topology.hpp"

using namespace hyperacc::node;

namespace {

std::vector<std::string> lists(const std::vector<Bitmap>& sets) {
  std::vector<std::string> texts;
  for (const Bitmap& set : sets) texts.push_back(set.to_list());
  return texts;
}

std::vector<Home> all_in(std::size_t tasks, std::size_t domain) {
  return std::vector<Home>(tasks, Home{{domain}, true});
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("cores are split in contiguous runs, the first ones longer") {
  const Topology topology = sample_topology(1, 8, 2, 4);
  const std::vector<Domain> domains = make_domains(topology, topology.cpus);
  CHECK(lists(core_slices(domains, all_in(3, 0))) == Texts{"0-2,8-10", "3-5,11-13", "6-7,14-15"});
}

TEST_CASE("hardware threads are split only where cores are fewer than tasks") {
  const Topology topology = sample_topology(1, 4, 2, 4);
  const std::vector<Domain> domains = make_domains(topology, topology.cpus);
  CHECK(lists(core_slices(domains, all_in(4, 0))) == Texts{"0,4", "1,5", "2,6", "3,7"});
  CHECK(lists(core_slices(domains, all_in(5, 0))) == Texts{"0,4", "1,5", "2,6", "3", "7"});
  CHECK(lists(core_slices(domains, all_in(9, 0))) == Texts(9, "0-7"));
}

TEST_CASE("a complex for each task, the fullest ones") {
  const Topology topology = sample_topology(1, 12, 1, 4);
  // L3s of 2, 4 and 3 cores of the step.
  const std::vector<Domain> domains = make_domains(topology, list("0-1,4-7,8-10"));
  CHECK(lists(complex_slices(domains, all_in(1, 0))) == Texts{"4-7"});
  CHECK(lists(complex_slices(domains, all_in(2, 0))) == Texts{"4-7", "8-10"});
  CHECK(lists(complex_slices(domains, all_in(3, 0))) == Texts{"0-1", "4-7", "8-10"});
  CHECK(lists(complex_slices(domains, all_in(4, 0))) == Texts{"0-1", "4-5", "6-7", "8-10"});
  // Chosen by size, given by position.
  const std::vector<Domain> rising = make_domains(topology, list("0-1,4-6,8-11"));
  CHECK(lists(complex_slices(rising, all_in(2, 0))) == Texts{"4-6", "8-11"});
  // More tasks than cores: as core_slices.
  CHECK(lists(complex_slices(domains, all_in(10, 0))) ==
        lists(core_slices(domains, all_in(10, 0))));
}

TEST_CASE("the promise takes unclaimed cores first, then near ones, then low ones") {
  Topology topology = sample_topology(3, 2, 2, 2);
  topology.distances = {{10, 30, 20}, {30, 10, 20}, {20, 20, 10}};
  const std::vector<Domain> domains = make_domains(topology, topology.cpus);
  // Task 0 lives on node 0, task 1 on node 2: node 2 is nearer to node 0 but has a claim.
  const std::vector<Home> homes = {{{0}, true}, {{2}, true}};
  std::vector<Bitmap> cpus = core_slices(domains, homes);
  REQUIRE(lists(cpus) == Texts{"0-1,6-7", "4-5,10-11"});
  keep_promise(topology, domains, homes, 6, cpus);
  CHECK(lists(cpus) == Texts{"0-2,6-8", "3-5,9-11"});
}

TEST_CASE("of cores that nobody has the promise takes the nearest") {
  Topology topology = sample_topology(3, 2, 2, 2);
  topology.distances = {{10, 30, 20}, {30, 10, 20}, {20, 20, 10}};
  const std::vector<Domain> domains = make_domains(topology, topology.cpus);
  const std::vector<Home> homes = all_in(1, 0);
  std::vector<Bitmap> cpus = core_slices(domains, homes);
  keep_promise(topology, domains, homes, 6, cpus);
  CHECK(lists(cpus) == Texts{"0-1,4,6-7,10"});
}

TEST_CASE("of the last core only the threads needed") {
  const Topology topology = sample_topology(2, 2, 2, 2);
  const std::vector<Domain> domains = make_domains(topology, topology.cpus);
  const std::vector<Home> homes = all_in(1, 0);
  std::vector<Bitmap> cpus = core_slices(domains, homes);
  keep_promise(topology, domains, homes, 5, cpus);
  CHECK(lists(cpus) == Texts{"0-2,4-5"});
  keep_promise(topology, domains, homes, 100, cpus);
  CHECK(lists(cpus) == Texts{"0-7"});
}

TEST_CASE("a task that has but one thread of its core gets the other before others' cores") {
  const Topology topology = sample_topology(1, 2, 2, 2);
  const std::vector<Domain> domains = make_domains(topology, topology.cpus);
  const std::vector<Home> homes = all_in(3, 0);
  std::vector<Bitmap> cpus = core_slices(domains, homes);
  REQUIRE(lists(cpus) == Texts{"0,2", "1", "3"});
  keep_promise(topology, domains, homes, 2, cpus);
  CHECK(lists(cpus) == Texts{"0,2", "1,3", "1,3"});
}

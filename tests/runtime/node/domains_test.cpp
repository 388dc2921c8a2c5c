#include "runtime/node/domains.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/node/sample_topology.hpp"

using namespace hyperacc::node;

namespace {

std::vector<std::string> lists(const std::vector<Bitmap>& sets) {
  std::vector<std::string> texts;
  for (const Bitmap& set : sets) texts.push_back(set.to_list());
  return texts;
}

}  // namespace

TEST_CASE("only NUMA nodes with CPUs of the step are domains") {
  const Topology topology = sample_topology(4, 2, 2, 2);
  const std::vector<Domain> domains = make_domains(topology, list("2,10,7"));
  REQUIRE(domains.size() == 2);
  CHECK(domains[0].node == 1);
  CHECK(domains[0].cpus.to_list() == "2,10");
  CHECK(domains[1].node == 3);
  CHECK(domains[1].cpus.to_list() == "7");
}

TEST_CASE("cores are sibling sets within the step, L3 by L3") {
  const Topology topology = sample_topology(1, 8, 2, 4);
  const std::vector<Domain> domains = make_domains(topology, list("1-5,9,12-13"));
  REQUIRE(domains.size() == 1);
  CHECK(lists(domains[0].cores) == std::vector<std::string>{"1,9", "2", "3", "4,12", "5,13"});
  CHECK(domains[0].complexes == std::vector<std::size_t>{3, 2});
}

TEST_CASE("without L3 all cores are one run, CPUs without a core are cores") {
  Topology topology = sample_topology(1, 3, 1, 0);
  topology.cores.pop_back();
  const std::vector<Domain> domains = make_domains(topology, topology.cpus);
  REQUIRE(domains.size() == 1);
  CHECK(lists(domains[0].cores) == std::vector<std::string>{"0", "1", "2"});
  CHECK(domains[0].complexes == std::vector<std::size_t>{3});
}

TEST_CASE("CPUs that no NUMA node owns are in no domain") {
  CHECK(make_domains(sample_topology(2, 2, 1, 2), list("8-9")).empty());
}

TEST_CASE("apportioning is by largest remainder, the first of equals") {
  CHECK(apportion(3, {32, 32}) == std::vector<std::size_t>{2, 1});
  CHECK(apportion(4, {32, 32}) == std::vector<std::size_t>{2, 2});
  CHECK(apportion(5, {3, 5, 1}) == std::vector<std::size_t>{2, 3, 0});
  CHECK(apportion(2, {1, 8, 1}) == std::vector<std::size_t>{0, 2, 0});
  CHECK(apportion(0, {1, 1}) == std::vector<std::size_t>{0, 0});
  CHECK(apportion(3, {0, 7}) == std::vector<std::size_t>{0, 3});
  CHECK(apportion(3, {0, 0}) == std::vector<std::size_t>{0, 0});
}

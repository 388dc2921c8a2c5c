#include "runtime/node/topology.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/node/sample_topology.hpp"

using namespace hyperacc::node;

TEST_CASE("a topology survives being handed over as text") {
  Topology topology = sample_topology(3, 4, 2, 2);
  topology.nodes.push_back({40, {}, 0});
  topology.distances = plain_distances(4);
  topology.distances[0][3] = 255;
  topology.near_pci.emplace("0000:c1:00.0", list("4-7"));
  const auto copy = topology_from_text(topology_to_text(topology));
  REQUIRE(copy);
  CHECK(*copy == topology);
}

TEST_CASE("damaged text is an error, not half a topology") {
  const std::string text = topology_to_text(sample_topology(2, 2, 2, 2));
  for (std::size_t length = 0; length < text.size(); ++length) {
    CHECK_FALSE(topology_from_text(text.substr(0, length)));
  }
  for (
      const char* wrong : {
          "[]",
          "{}",
          R"({"cpus":"0","nodes":[[0,"0"]],"distances":[[10]],"cores":["0"],"complexes":[],"near_pci":{}})",
          R"({"cpus":"0","nodes":[[0,"0",1]],"distances":[[10,20]],"cores":["0"],"complexes":[],"near_pci":{}})",
          R"({"cpus":"0","nodes":[[0,"0",1]],"distances":[],"cores":["0"],"complexes":[],"near_pci":{}})",
          R"({"cpus":"0","nodes":[[0,"0",1]],"distances":[[10]],"cores":[0],"complexes":[],"near_pci":{}})",
          R"({"cpus":"x","nodes":[[0,"0",1]],"distances":[[10]],"cores":["0"],"complexes":[],"near_pci":{}})",
      }) {
    INFO(wrong);
    CHECK_FALSE(topology_from_text(wrong));
  }
}

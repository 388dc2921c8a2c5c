#include "runtime/node/topology.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace hyperacc::node {
namespace {

using Json = nlohmann::json;

Json lists(const std::vector<Bitmap>& sets) {
  Json array = Json::array();
  for (const Bitmap& set : sets) array.push_back(set.to_list());
  return array;
}

// Collects the first error, so that reading stays one line a member.
class Reader {
 public:
  explicit Reader(const Json& document) : document_(document) {}

  Bitmap set(const Json& value) {
    if (value.is_string()) {
      if (Result<Bitmap> parsed = Bitmap::parse_list(value.get_ref<const std::string&>())) {
        return *std::move(parsed);
      }
    }
    failed_ = true;
    return {};
  }

  const Json& member(const char* name, Json::value_t type) {
    static const Json kArray = Json::array();
    static const Json kObject = Json::object();
    const auto found = document_.find(name);
    if (found != document_.end() && found->type() == type) return *found;
    failed_ = true;
    return type == Json::value_t::object ? kObject : kArray;
  }

  std::vector<Bitmap> sets(const char* name) {
    std::vector<Bitmap> result;
    for (const Json& each : member(name, Json::value_t::array)) result.push_back(set(each));
    return result;
  }

  template <class Integer>
  Integer number(const Json& value) {
    if (value.is_number_unsigned()) return value.get<Integer>();
    failed_ = true;
    return 0;
  }

  void require(bool condition) { failed_ = failed_ || !condition; }
  bool failed() const { return failed_; }

 private:
  const Json& document_;
  bool failed_ = false;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> plain_distances(std::size_t nodes) {
  std::vector<std::vector<std::uint32_t>> distances(
      nodes, std::vector<std::uint32_t>(nodes, kRemoteDistance));
  for (std::size_t i = 0; i < nodes; ++i) distances[i][i] = kLocalDistance;
  return distances;
}

std::string topology_to_text(const Topology& topology) {
  Json nodes = Json::array();
  for (const NumaNode& node : topology.nodes) {
    nodes.push_back(Json::array({node.id, node.cpus.to_list(), node.memory}));
  }
  Json near_pci = Json::object();
  for (const auto& [address, cpus] : topology.near_pci) near_pci[address] = cpus.to_list();
  const Json document = {
      {"cpus", topology.cpus.to_list()},        {"nodes", std::move(nodes)},
      {"distances", topology.distances},        {"cores", lists(topology.cores)},
      {"complexes", lists(topology.complexes)}, {"near_pci", std::move(near_pci)}};
  return document.dump();
}

Result<Topology> topology_from_text(const std::string& text) {
  const Json document = Json::parse(text, nullptr, false);
  if (!document.is_object())
    return fail("the topology that the helper process wrote is unreadable");
  Reader reader(document);
  Topology topology;
  topology.cpus = reader.set(document.value("cpus", Json()));
  for (const Json& each : reader.member("nodes", Json::value_t::array)) {
    reader.require(each.is_array() && each.size() == 3);
    if (reader.failed()) break;
    topology.nodes.push_back({reader.number<unsigned>(each[0]), reader.set(each[1]),
                              reader.number<std::uint64_t>(each[2])});
  }
  for (const Json& row : reader.member("distances", Json::value_t::array)) {
    std::vector<std::uint32_t>& distances = topology.distances.emplace_back();
    for (const Json& each : row) distances.push_back(reader.number<std::uint32_t>(each));
    reader.require(distances.size() == topology.nodes.size());
  }
  reader.require(topology.distances.size() == topology.nodes.size());
  topology.cores = reader.sets("cores");
  topology.complexes = reader.sets("complexes");
  for (const auto& [address, cpus] : reader.member("near_pci", Json::value_t::object).items()) {
    topology.near_pci.emplace(address, reader.set(cpus));
  }
  if (reader.failed()) return fail("the topology that the helper process wrote is incomplete");
  return topology;
}

}  // namespace hyperacc::node

// machines/NAME/placement/CASE.json: a request to explain_placement and what its answer must
// contain.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/runtime/node/node_library.hpp"

using namespace hyperacc::node;
using Json = nlohmann::json;

namespace {

std::vector<std::filesystem::path> cases() {
  std::vector<std::filesystem::path> found;
  for (const auto& machine : std::filesystem::directory_iterator("machines")) {
    const std::filesystem::path folder = machine.path() / "placement";
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      found.push_back(file.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("recorded machines get the placements that their folders expect") {
  const std::vector<std::filesystem::path> all = cases();
  CHECK(all.size() >= 38);
  for (const std::filesystem::path& file : all) {
    INFO(file.string());
    Json fixture = Json::parse(std::ifstream(file), nullptr, false);
    REQUIRE(fixture.is_object());
    Json request = fixture["request"];
    request["machine"] =
        std::filesystem::absolute(file.parent_path().parent_path()).lexically_normal().string();
    const Json answer = ask(node_library().explain_placement, request);
    INFO(answer.value("error", "") << "\n" << answer.value("drawing", ""));
    const Json& expected = fixture["expected"];
    CHECK(answer.value("mode", "") == expected.value("mode", "none"));
    REQUIRE(answer["tasks"].size() == expected["tasks"].size());
    for (std::size_t task = 0; task < expected["tasks"].size(); ++task) {
      INFO("task " << task);
      for (const auto& [name, value] : expected["tasks"][task].items()) {
        CHECK(answer["tasks"][task][name] == value);
      }
    }
  }
}

#include "runtime/api/features_document.hpp"

#include <catch2/catch.hpp>

#include "runtime/core/features.hpp"

using hyperacc::api::Json;

TEST_CASE("the table is core's, in its order") {
  const Json document = hyperacc::api::features_document();
  CHECK(document.at("version") == HYPERACC_VERSION);
  const Json& features = document.at("features");
  REQUIRE(features.size() == hyperacc::kFeatureCount);
  for (std::size_t i = 0; i < features.size(); ++i) {
    const hyperacc::FeatureInfo& row = hyperacc::feature_table()[i];
    CHECK(features[i].at("name") == row.name);
    CHECK(features[i].at("variable") == row.variable);
    CHECK(features[i].at("summary") == row.summary);
  }
}

TEST_CASE("members of a hook and of a system feature") {
  const Json document = hyperacc::api::features_document();
  const auto feature = [&](hyperacc::Feature which) {
    return document.at("features").at(hyperacc::index(which));
  };
  CHECK(feature(hyperacc::Feature::fast_gelu) == Json::parse(R"({
    "name": "fast_gelu", "word": "fast-gelu", "variable": "HA_USE_FAST_GELU", "kind": "hook",
    "platforms": ["dcu"], "mode_variable": "HA_FAST_GELU_MODE", "modes": ["exact", "sigmoid"],
    "summary": "GELU"})"));
  CHECK(feature(hyperacc::Feature::syncbn).at("platforms") == Json({"nvidia", "dcu"}));
  CHECK(feature(hyperacc::Feature::syncbn).at("mode_variable").is_null());
  CHECK(feature(hyperacc::Feature::gc).at("platforms") == Json::array({"any"}));
  CHECK(feature(hyperacc::Feature::gc).at("kind") == "system");
}

TEST_CASE("the words of the option are complete") {
  const Json words = hyperacc::api::features_document().at("option_words");
  for (const char* word : {"all", "hooks", "none", "any-platform", "fast-gelu", "no-fast-gelu"}) {
    CHECK(std::find(words.begin(), words.end(), word) != words.end());
  }
}

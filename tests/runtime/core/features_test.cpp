#include "runtime/core/features.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "runtime/core/words.hpp"

using namespace hyperacc;

TEST_CASE("the table is in the order of the enumeration and names nothing twice") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kFeatureCount; ++i) {
    const FeatureInfo& row = feature_table()[i];
    CHECK(index(row.feature) == i);
    CHECK(names.insert(row.name).second);
    CHECK(names.insert(row.variable).second);
    CHECK(find_switch(row.variable) == row.feature);
    CHECK(find_feature(row.name) == row.feature);
    CHECK(row.mode_variable.empty() == row.modes.empty());
    CHECK_FALSE(row.summary.empty());
  }
}

TEST_CASE("platforms of the hooks") {
  std::vector<std::string> nvidia;
  std::vector<std::string> dcu;
  for (const FeatureInfo& row : feature_table()) {
    if (row.kind != FeatureKind::hook) continue;
    if (row.nvidia) nvidia.emplace_back(row.name);
    if (row.dcu) dcu.emplace_back(row.name);
  }
  CHECK(join(nvidia, " ") == "voxel deform_agg rasterizer syncbn");
  CHECK(join(dcu, " ") == "syncbn dropout focal_loss deform_attn rmsnorm rope fast_gelu");
}

TEST_CASE("features and modes are found in any spelling") {
  CHECK(find_feature("Deform-Attn") == Feature::deform_attn);
  CHECK(find_feature("deform") == std::nullopt);
  CHECK(find_mode(Feature::numabind, "CORE_COMPLEX") == "core-complex");
  CHECK(find_mode(Feature::gc, "reduce-frequency") == "reduce_frequency");
  CHECK(find_mode(Feature::thp, "node") == std::nullopt);
  CHECK(find_mode(Feature::rope, "task") == std::nullopt);
  CHECK(find_numabind_memory("Local") == "local");
  CHECK(find_numabind_memory("") == std::nullopt);
}

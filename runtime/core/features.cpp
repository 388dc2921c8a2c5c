#include "runtime/core/features.hpp"

#include <algorithm>

#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

constexpr FeatureKind kHook = FeatureKind::hook;
constexpr FeatureKind kSystem = FeatureKind::system;

std::array<FeatureInfo, kFeatureCount> make_table() {
  return {{
      {Feature::voxel,
       "voxel",
       "HA_USE_VOXEL",
       kHook,
       true,
       false,
       "",
       {},
       "point-cloud voxelization and dynamic scatter"},
      {Feature::deform_agg,
       "deform_agg",
       "HA_USE_DEFORM_AGG",
       kHook,
       true,
       false,
       "",
       {},
       "multi-camera deformable feature aggregation (Sparse4D)"},
      {Feature::rasterizer,
       "rasterizer",
       "HA_USE_RASTERIZER",
       kHook,
       true,
       false,
       "",
       {},
       "3D Gaussian rasterizer, forward and backward"},
      {Feature::syncbn,
       "syncbn",
       "HA_USE_SYNCBN",
       kHook,
       true,
       true,
       "",
       {},
       "SyncBatchNorm without redundant CPU synchronisation"},
      {Feature::dropout, "dropout", "HA_USE_DROPOUT", kHook, false, true, "", {}, "fused dropout"},
      {Feature::focal_loss,
       "focal_loss",
       "HA_USE_FOCAL_LOSS",
       kHook,
       false,
       true,
       "",
       {},
       "softmax focal loss"},
      {Feature::deform_attn,
       "deform_attn",
       "HA_USE_DEFORM_ATTN",
       kHook,
       false,
       true,
       "",
       {},
       "multi-scale deformable attention"},
      {Feature::rmsnorm, "rmsnorm", "HA_USE_RMSNORM", kHook, false, true, "", {}, "RMSNorm"},
      {Feature::rope,
       "rope",
       "HA_USE_ROPE",
       kHook,
       false,
       true,
       "",
       {},
       "rotary position embedding"},
      {Feature::fast_gelu,
       "fast_gelu",
       "HA_USE_FAST_GELU",
       kHook,
       false,
       true,
       "HA_FAST_GELU_MODE",
       {"exact", "sigmoid"},
       "GELU"},
      {Feature::gc,
       "gc",
       "HA_USE_GC",
       kSystem,
       true,
       true,
       "HA_GC_MODE",
       {"reduce_frequency", "disable", "custom"},
       "Python garbage-collector tuning"},
      {Feature::numabind,
       "numabind",
       "HA_USE_NUMABIND",
       kSystem,
       true,
       true,
       "HA_NUMABIND_MODE",
       {"node", "exclusive", "core-complex"},
       "CPU and memory binding near the accelerator"},
      {Feature::thp,
       "thp",
       "HA_USE_THP",
       kSystem,
       true,
       true,
       "HA_THP_MODE",
       {"task", "system", "off"},
       "transparent huge pages"},
  }};
}

template <class Names>
std::optional<std::string> find_name(const Names& names, std::string_view word) {
  const std::string wanted = normalize_word(word);
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& name) { return normalize_word(name) == wanted; });
  if (found == names.end()) return std::nullopt;
  return std::string(*found);
}

}  // namespace

const std::array<FeatureInfo, kFeatureCount>& feature_table() {
  static const std::array<FeatureInfo, kFeatureCount> table = make_table();
  return table;
}

const FeatureInfo& info(Feature feature) {
  return feature_table()[index(feature)];
}

std::optional<Feature> find_feature(std::string_view word) {
  const std::string wanted = normalize_word(word);
  for (const FeatureInfo& row : feature_table()) {
    if (normalize_word(row.name) == wanted) return row.feature;
  }
  return std::nullopt;
}

std::optional<Feature> find_switch(std::string_view variable) {
  for (const FeatureInfo& row : feature_table()) {
    if (row.variable == variable) return row.feature;
  }
  return std::nullopt;
}

std::optional<std::string> find_mode(Feature feature, std::string_view mode) {
  return find_name(info(feature).modes, mode);
}

const std::vector<std::string>& numabind_memories() {
  static const std::vector<std::string> memories = {"auto", "bind", "local", "none"};
  return memories;
}

std::optional<std::string> find_numabind_memory(std::string_view memory) {
  return find_name(numabind_memories(), memory);
}

std::vector<std::string> feature_words() {
  std::vector<std::string> words;
  for (const FeatureInfo& row : feature_table()) words.push_back(normalize_word(row.name));
  return words;
}

}  // namespace hyperacc

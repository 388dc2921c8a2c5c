// The one table of features: everything else finds a feature by its name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperacc {

enum class Feature : std::uint8_t {
  voxel,
  deform_agg,
  rasterizer,
  syncbn,
  dropout,
  focal_loss,
  deform_attn,
  rmsnorm,
  rope,
  fast_gelu,
  gc,
  numabind,
  thp,
};
inline constexpr std::size_t kFeatureCount = 13;

// `hook` replaces an operator inside the job; `system` acts on the process or the node.
enum class FeatureKind : std::uint8_t { hook, system };

struct FeatureInfo {
  Feature feature;
  std::string_view name;      // "deform_attn": files, JSON, HA_DENY
  std::string_view variable;  // "HA_USE_DEFORM_ATTN"
  FeatureKind kind;
  bool nvidia;  // fits NVIDIA GPUs; for system features both are true
  bool dcu;     // fits Hygon DCUs
  // The variable of its mode ("HA_THP_MODE") and the modes' names, the default first; empty: none.
  std::string_view mode_variable;
  std::vector<std::string_view> modes;
  std::string_view summary;  // what it replaces or does, for people
};

const std::array<FeatureInfo, kFeatureCount>& feature_table();
const FeatureInfo& info(Feature feature);

// By name in any spelling (`deform-attn`, `Deform_Attn`); nothing when unknown.
std::optional<Feature> find_feature(std::string_view word);
// By exact variable name, HA_USE_….
std::optional<Feature> find_switch(std::string_view variable);

// The canonical spelling of `mode`, or nothing when `feature` has no such mode. For numabind the
// mode is the part before '+'.
std::optional<std::string> find_mode(Feature feature, std::string_view mode);
// The part after '+' in numabind=MODE+MEMORY: auto, bind, local, none.
std::optional<std::string> find_numabind_memory(std::string_view memory);
const std::vector<std::string>& numabind_memories();

// The names as people type them in the option, '-' for '_'.
std::vector<std::string> feature_words();

template <class T>
using PerFeature = std::array<T, kFeatureCount>;

constexpr std::size_t index(Feature feature) {
  return static_cast<std::size_t>(feature);
}

}  // namespace hyperacc

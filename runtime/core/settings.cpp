#include "runtime/core/settings.hpp"

#include <algorithm>
#include <array>

#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

constexpr std::array<std::string_view, 4> kLogLevels = {"DEBUG", "INFO", "WARNING", "ERROR"};
constexpr std::array<std::string_view, 6> kPlatforms = {"none", "nvidia", "dcu",
                                                        "amd",  "mixed",  "cpu"};

template <class Enum, std::size_t N>
std::optional<Enum> find_in(const std::array<std::string_view, N>& names, std::string_view word) {
  const std::string wanted = normalize_word(word);
  for (std::size_t i = 0; i < N; ++i) {
    if (normalize_word(names[i]) == wanted) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_text(Source source) {
  switch (source) {
    case Source::builtin:
      return "built-in default";
    case Source::cluster_default:
      return "cluster default";
    case Source::outer_option:
      return "the job's --hyperacc";
    case Source::environment:
      return "environment";
    case Source::own_option:
      return "this command's --hyperacc";
    case Source::option:
      return "--hyperacc";
    case Source::policy:
      return "cluster policy";
  }
  return "";
}

std::string_view name(Source source) {
  switch (source) {
    case Source::builtin:
      return "builtin";
    case Source::cluster_default:
      return "cluster_default";
    case Source::outer_option:
      return "outer_option";
    case Source::environment:
      return "environment";
    case Source::own_option:
      return "own_option";
    case Source::option:
      return "option";
    case Source::policy:
      return "policy";
  }
  return "";
}

std::string_view name(LogLevel level) {
  return kLogLevels[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> find_log_level(std::string_view word) {
  return find_in<LogLevel>(kLogLevels, word);
}

std::string_view name(Platform platform) {
  return kPlatforms[static_cast<std::size_t>(platform)];
}

std::optional<Platform> find_platform(std::string_view word) {
  return find_in<Platform>(kPlatforms, word);
}

bool Settings::any_on() const {
  return std::any_of(features.begin(), features.end(), [](const Setting& s) { return s.on; });
}

bool Settings::any_hook_on() const {
  return std::any_of(feature_table().begin(), feature_table().end(), [&](const FeatureInfo& row) {
    return row.kind == FeatureKind::hook && (*this)[row.feature].on;
  });
}

bool same_values(const Settings& a, const Settings& b) {
  const bool features_equal = std::equal(a.features.begin(), a.features.end(), b.features.begin(),
                                         [](const Setting& x, const Setting& y) {
                                           return x.on == y.on && x.mode == y.mode &&
                                                  x.memory == y.memory && x.denied == y.denied;
                                         });
  return features_equal && a.auto_load.value == b.auto_load.value &&
         a.report.value == b.report.value && a.any_platform.value == b.any_platform.value &&
         a.verify.value == b.verify.value && a.log_level.value == b.log_level.value &&
         a.platform == b.platform;
}

}  // namespace hyperacc

// What was asked, resolved: one value a feature, and from which source it comes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/features.hpp"

namespace hyperacc {

// Where a value comes from. Inside a task `own_option` and `outer_option` cannot be told apart:
// both read `option`.
enum class Source : std::uint8_t {
  builtin,          // nothing was said
  cluster_default,  // default= in plugstack.conf
  outer_option,     // --hyperacc of the job, seen from a step
  environment,      // HA_* that the user exported
  own_option,       // --hyperacc of this very command
  option,           // --hyperacc, read back inside the task
  policy,           // allow=, deny= in plugstack.conf
};
std::string_view to_text(Source source);  // for people: "cluster default", "the job's option", …
std::string_view name(Source source);     // for JSON: "cluster_default", …

enum class LogLevel : std::uint8_t { debug, info, warning, error };
std::string_view name(LogLevel level);  // "DEBUG", …
std::optional<LogLevel> find_log_level(std::string_view word);

enum class Platform : std::uint8_t { none, nvidia, dcu, amd, mixed, cpu };
std::string_view name(Platform platform);
// The values of HA_PLATFORM and `explain --platform`: none, nvidia, dcu, amd, cpu (and mixed).
std::optional<Platform> find_platform(std::string_view word);

struct Setting {
  bool on = false;
  Source source = Source::builtin;
  std::string origin;                 // the deciding assignment, "HA_USE_ALL=1"; empty for builtin
  std::optional<std::string> mode;    // only where on
  std::optional<std::string> memory;  // numabind's HA_NUMABIND_MEMORY, only where on
  Source mode_source = Source::builtin;
  bool denied = false;  // asked for, and switched off by the cluster's policy
};

template <class T>
struct Sourced {
  T value{};
  Source source = Source::builtin;
};

struct Settings {
  PerFeature<Setting> features;
  Sourced<bool> auto_load;
  Sourced<bool> report;
  Sourced<bool> any_platform;
  Sourced<std::uint32_t> verify;  // 0: off
  Sourced<LogLevel> log_level{LogLevel::info, Source::builtin};
  std::optional<Platform> platform;  // HA_PLATFORM
  bool asked = false;                // a switch was set by anyone; false: do nothing at all

  const Setting& operator[](Feature feature) const { return features[index(feature)]; }
  Setting& operator[](Feature feature) { return features[index(feature)]; }
  bool any_on() const;
  bool any_hook_on() const;
};

// The values of both are the same: on, mode, memory, modifiers. Sources are not compared.
bool same_values(const Settings& a, const Settings& b);

}  // namespace hyperacc

// The HA_* variables: their values, their layers, and reading them back inside a task.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/environment.hpp"
#include "runtime/core/settings.hpp"

namespace hyperacc {

inline constexpr std::string_view kUseAll = "HA_USE_ALL";
inline constexpr std::string_view kUseAllHooks = "HA_USE_ALL_HOOKS";
inline constexpr std::string_view kNumabindMemory = "HA_NUMABIND_MEMORY";
inline constexpr std::string_view kAuto = "HA_AUTO";
inline constexpr std::string_view kVerify = "HA_VERIFY";
inline constexpr std::string_view kReport = "HA_REPORT";
inline constexpr std::string_view kAnyPlatform = "HA_ANY_PLATFORM";
inline constexpr std::string_view kLogLevel = "HA_LOG_LEVEL";
inline constexpr std::string_view kPlatform = "HA_PLATFORM";
inline constexpr std::string_view kDeny = "HA_DENY";
inline constexpr std::string_view kDenyAnyPlatform = "any-platform";  // an item of HA_DENY
inline constexpr std::string_view kRecord = "HA_SPANK_SET";

inline constexpr std::uint32_t kVerifyDefault = 3;

// 1/0, true/false, on/off, yes/no in any case.
std::optional<bool> parse_switch(std::string_view value);

// The variables of one source, name → canonical value ("1", "0", a canonical mode, "DEBUG").
struct Layer {
  Source source = Source::builtin;
  std::map<std::string, std::string, std::less<>> values;
};

// A valid value in canonical spelling, or nothing; `name` must be a switch, a mode or a modifier.
std::optional<std::string> canonical_value(std::string_view name, std::string_view value);
// True for every name that a layer can hold.
bool is_setting_variable(std::string_view name);

// The HA_* settings in `environment` as a layer. An unusable value and an unknown HA_USE_* name
// (with the nearest name) give one warning each and count as unset.
Layer environment_layer(const Environment& environment, Source source,
                        std::vector<std::string>& warnings);

// Switches `feature` off by the cluster's policy.
void deny(Settings& settings, Feature feature);
// HA_USE_GC is 1 by default, which takes effect only when at least one hook's setting is 1.
void default_gc(Settings& settings);

// Resolves sources, highest first; `fallback` (the cluster default) counts only for features on
// which no other layer says anything, and last for modifiers. Rules 2 and 3 of the switches.
Settings resolve(const std::vector<Layer>& layers, const Layer& fallback);

// What a task sees: the runtime's reading of its own environment. Entries of HA_SPANK_SET tell the
// plugin's values from the user's.
struct Reading {
  Settings settings;
  std::vector<std::string> warnings;
};
Reading read_variables(const Environment& environment);

}  // namespace hyperacc

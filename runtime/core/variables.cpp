#include "runtime/core/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/core/record.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

constexpr std::string_view kUsePrefix = "HA_USE_";
constexpr std::uint32_t kVerifyLargest = 1'000'000;

const FeatureInfo* feature_of_mode(std::string_view variable) {
  for (const FeatureInfo& row : feature_table()) {
    if (!row.mode_variable.empty() && row.mode_variable == variable) return &row;
  }
  return nullptr;
}

bool is_switch(std::string_view name) {
  return name == kUseAll || name == kUseAllHooks || find_switch(name).has_value();
}

std::optional<std::string> canonical_count(std::string_view value) {
  const std::string_view digits = trim(value);
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (whole && count <= kVerifyLargest) return fmt::format("{}", count);
  // HA_VERIFY=on is how people write it who know the other switches.
  const std::optional<bool> on = parse_switch(value);
  if (!on) return std::nullopt;
  return *on ? fmt::format("{}", kVerifyDefault) : "0";
}

std::string expected_text(std::string_view name) {
  if (const FeatureInfo* row = feature_of_mode(name)) {
    return join({row->modes.begin(), row->modes.end()}, ", ");
  }
  if (name == kNumabindMemory) return join(numabind_memories(), ", ");
  if (name == kVerify) return "a number from 0 to 1000000";
  if (name == kLogLevel) return "DEBUG, INFO, WARNING or ERROR";
  if (name == kPlatform) return "none, nvidia, dcu, amd or cpu";
  return "1 or 0, true or false, on or off, yes or no";
}

std::vector<std::string> switch_names() {
  std::vector<std::string> names = {std::string(kUseAll), std::string(kUseAllHooks)};
  for (const FeatureInfo& row : feature_table()) names.emplace_back(row.variable);
  return names;
}

std::optional<std::string> value_in(const Layer& layer, std::string_view name) {
  const auto found = layer.values.find(name);
  if (found == layer.values.end()) return std::nullopt;
  return found->second;
}

struct Found {
  std::string value;
  Source source;
};

std::optional<Found> highest(const std::vector<Layer>& layers, std::string_view name) {
  for (const Layer& layer : layers) {
    if (std::optional<std::string> value = value_in(layer, name)) {
      return Found{*std::move(value), layer.source};
    }
  }
  return std::nullopt;
}

// The deciding switch of one feature by rule 2 within `layers`.
bool decide_switch(const std::vector<Layer>& layers, const FeatureInfo& row, Setting& setting) {
  for (const std::string_view name : {row.variable, kUseAllHooks, kUseAll}) {
    if (name == kUseAllHooks && row.kind != FeatureKind::hook) continue;
    if (const std::optional<Found> found = highest(layers, name)) {
      setting.on = found->value == "1";
      setting.source = found->source;
      setting.origin = fmt::format("{}={}", name, found->value);
      return true;
    }
  }
  return false;
}

void decide_mode(const std::vector<Layer>& layers, const Layer& fallback, const FeatureInfo& row,
                 Setting& setting) {
  if (!setting.on || row.mode_variable.empty()) return;
  std::vector<Layer> sources = layers;
  // The default's mode counts only while the feature's switch also comes from the default.
  if (setting.source == Source::cluster_default) sources.push_back(fallback);
  if (const std::optional<Found> mode = highest(sources, row.mode_variable)) {
    setting.mode = mode->value;
    setting.mode_source = mode->source;
  }
  if (row.feature == Feature::numabind) {
    if (const std::optional<Found> memory = highest(sources, kNumabindMemory)) {
      setting.memory = memory->value;
    }
  }
}

template <class T, class Convert>
void decide_modifier(const std::vector<Layer>& layers, std::string_view name, Sourced<T>& target,
                     Convert convert) {
  if (const std::optional<Found> found = highest(layers, name)) {
    target = {convert(found->value), found->source};
  }
}

void decide_modifiers(std::vector<Layer> layers, const Layer& fallback, Settings& settings) {
  layers.push_back(fallback);
  const auto is_one = [](const std::string& value) { return value == "1"; };
  decide_modifier(layers, kAuto, settings.auto_load, is_one);
  decide_modifier(layers, kReport, settings.report, is_one);
  decide_modifier(layers, kAnyPlatform, settings.any_platform, is_one);
  decide_modifier(layers, kVerify, settings.verify, [](const std::string& value) {
    std::uint32_t count = 0;
    std::from_chars(value.data(), value.data() + value.size(), count);
    return count;
  });
  decide_modifier(layers, kLogLevel, settings.log_level, [](const std::string& value) {
    return find_log_level(value).value_or(LogLevel::info);
  });
  if (const std::optional<Found> platform = highest(layers, kPlatform)) {
    settings.platform = find_platform(platform->value);
  }
}

// The plugin's unchanged entries of one source, as a layer; they leave `user`.
Layer layer_of_record(const Record& record, const Environment& environment, Source source,
                      Layer& user) {
  Layer layer{source, {}};
  for (const RecordEntry& entry : record) {
    if (entry.source != source || !entry.value || !is_setting_variable(entry.name)) continue;
    if (!is_unchanged(entry, environment)) continue;
    if (std::optional<std::string> value = canonical_value(entry.name, *entry.value)) {
      layer.values.emplace(entry.name, *std::move(value));
      user.values.erase(entry.name);
    }
  }
  return layer;
}

// Only the plugin's own HA_DENY counts: the plan knows no other.
std::vector<std::string> denied_names(const Record& record, const Environment& environment) {
  for (const RecordEntry& entry : record) {
    if (entry.name == kDeny && entry.value && is_unchanged(entry, environment)) {
      return split(*entry.value, ',');
    }
  }
  return {};
}

void mark_denied(const std::vector<std::string>& names, const Layer& policy, FeatureKind kind,
                 Settings& settings) {
  for (const FeatureInfo& row : feature_table()) {
    if (row.kind != kind) continue;
    if (std::find(names.begin(), names.end(), row.name) == names.end()) continue;
    // The plugin's 0 stands where the feature had been asked for; a 1 is the user's later wish.
    if (settings[row.feature].on || policy.values.count(row.variable) != 0) {
      deny(settings, row.feature);
    }
  }
}

}  // namespace

std::optional<bool> parse_switch(std::string_view value) {
  const std::string word = normalize_word(value);
  for (const std::string_view on : {"1", "true", "on", "yes"}) {
    if (word == on) return true;
  }
  for (const std::string_view off : {"0", "false", "off", "no"}) {
    if (word == off) return false;
  }
  return std::nullopt;
}

bool is_setting_variable(std::string_view name) {
  return is_switch(name) || feature_of_mode(name) != nullptr || name == kNumabindMemory ||
         name == kAuto || name == kVerify || name == kReport || name == kAnyPlatform ||
         name == kLogLevel || name == kPlatform;
}

std::optional<std::string> canonical_value(std::string_view name, std::string_view value) {
  if (const FeatureInfo* row = feature_of_mode(name)) return find_mode(row->feature, value);
  if (name == kNumabindMemory) return find_numabind_memory(value);
  if (name == kVerify) return canonical_count(value);
  if (name == kLogLevel) {
    const std::optional<LogLevel> level = find_log_level(value);
    if (!level) return std::nullopt;
    return std::string(hyperacc::name(*level));
  }
  if (name == kPlatform) {
    const std::optional<Platform> platform = find_platform(value);
    // `mixed` is what detection finds, nobody can wish it.
    if (!platform || *platform == Platform::mixed) return std::nullopt;
    return std::string(hyperacc::name(*platform));
  }
  const std::optional<bool> on = parse_switch(value);
  if (!on) return std::nullopt;
  return *on ? "1" : "0";
}

Layer environment_layer(const Environment& environment, Source source,
                        std::vector<std::string>& warnings) {
  Layer layer{source, {}};
  for (const auto& [name, value] : environment) {
    if (is_setting_variable(name)) {
      if (std::optional<std::string> canonical = canonical_value(name, value)) {
        layer.values.emplace(name, *std::move(canonical));
      } else {
        warnings.push_back(fmt::format("{}={} counts as unset: the value must be {}", name,
                                       printable(value), expected_text(name)));
      }
    } else if (name.compare(0, kUsePrefix.size(), kUsePrefix) == 0) {
      warnings.push_back(fmt::format("unknown variable {}{}: it has no effect", printable(name),
                                     suggestion(name, switch_names())));
    }
  }
  return layer;
}

void deny(Settings& settings, Feature feature) {
  Setting denied;
  denied.denied = true;
  denied.source = Source::policy;
  denied.origin = fmt::format("{}={}", kDeny, info(feature).name);
  settings[feature] = std::move(denied);
}

void default_gc(Settings& settings) {
  Setting& gc = settings[Feature::gc];
  if (gc.source != Source::builtin) return;
  gc.on = settings.any_hook_on();
  if (!gc.on) gc.mode.reset();
}

Settings resolve(const std::vector<Layer>& layers, const Layer& fallback) {
  Settings settings;
  for (const FeatureInfo& row : feature_table()) {
    Setting& setting = settings[row.feature];
    if (!decide_switch(layers, row, setting)) decide_switch({fallback}, row, setting);
  }
  default_gc(settings);
  for (const FeatureInfo& row : feature_table()) {
    decide_mode(layers, fallback, row, settings[row.feature]);
  }
  decide_modifiers(layers, fallback, settings);
  const auto holds_switch = [](const Layer& layer) {
    return std::any_of(layer.values.begin(), layer.values.end(),
                       [](const auto& value) { return is_switch(value.first); });
  };
  settings.asked =
      holds_switch(fallback) || std::any_of(layers.begin(), layers.end(), holds_switch);
  return settings;
}

Reading read_variables(const Environment& environment) {
  Reading reading;
  const Record record = record_of(environment, reading.warnings);
  Layer user = environment_layer(environment, Source::environment, reading.warnings);
  const Layer policy = layer_of_record(record, environment, Source::policy, user);
  const Layer option = layer_of_record(record, environment, Source::option, user);
  const Layer fallback = layer_of_record(record, environment, Source::cluster_default, user);
  reading.settings = resolve({policy, user, option}, fallback);
  const std::vector<std::string> names = denied_names(record, environment);
  mark_denied(names, policy, FeatureKind::hook, reading.settings);
  default_gc(reading.settings);
  mark_denied(names, policy, FeatureKind::system, reading.settings);
  if (std::find(names.begin(), names.end(), kDenyAnyPlatform) != names.end()) {
    reading.settings.any_platform = {false, Source::policy};
  }
  return reading;
}

}  // namespace hyperacc

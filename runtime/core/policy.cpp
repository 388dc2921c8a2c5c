#include "runtime/core/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/core/variables.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

using Kind = OptionItem::Kind;

// One key of the plugin's line: how its value is read into the policy.
struct Key {
  std::string_view name;
  std::string_view values;  // for people
  Result<void> (*read)(std::string_view value, Policy& policy);
  PolicyKeys since;
};

// A set of features as allow= and deny= write it.
struct FeatureSet {
  PerFeature<bool> features{};
  bool any_platform = false;
};

Result<FeatureSet> parse_set(std::string_view value) {
  FeatureSet set;
  for (const std::string& part : split(value, ',')) {
    const std::string word = normalize_word(part);
    if (const std::optional<Feature> feature = find_feature(word)) {
      set.features[index(*feature)] = true;
    } else if (word == "all" || word == "hooks") {
      for (const FeatureInfo& row : feature_table()) {
        if (word == "all" || row.kind == FeatureKind::hook) set.features[index(row.feature)] = true;
      }
    } else if (word == kDenyAnyPlatform) {
      set.any_platform = true;
    } else {
      std::vector<std::string> words = feature_words();
      words.insert(words.end(), {"all", "hooks", std::string(kDenyAnyPlatform)});
      return fail(fmt::format("unknown feature '{}'{}", printable(part), suggestion(word, words)));
    }
  }
  return set;
}

Result<bool> parse_yes_no(std::string_view value) {
  if (const std::optional<bool> on = parse_switch(value)) return *on;
  return fail(fmt::format("'{}' must be yes or no", printable(value)));
}

template <class Enum>
Result<Enum> parse_choice(std::string_view value,
                          const std::vector<std::pair<std::string, Enum>>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, choice] : choices) {
    if (normalize_word(value) == name) return choice;
    names.push_back(name);
  }
  return fail(fmt::format("'{}' must be one of {}{}", printable(value), join(names, ", "),
                          suggestion(value, names)));
}

Result<void> read_default(std::string_view value, Policy& policy) {
  Result<Option> option = parse_option(value);
  if (!option) return tl::unexpected(option.error());
  for (const OptionItem& item : option->items) {
    if (item.kind == Kind::help || item.kind == Kind::none) {
      return fail(fmt::format("'{}' cannot stand in a default", to_text(item)));
    }
    if (item.kind == Kind::feature && item.feature == Feature::thp && item.mode == "system") {
      return fail(
          "'thp=system' cannot stand in a default: a user's HA_USE_THP=0 is not seen in "
          "the prolog; use 'thp'");
    }
  }
  policy.cluster_default = *std::move(option);
  return {};
}

Result<void> read_allow(std::string_view value, Policy& policy) {
  const Result<FeatureSet> allowed = parse_set(value);
  if (!allowed) return tl::unexpected(allowed.error());
  if (allowed->any_platform) return fail("'any-platform' can only be denied: deny=any-platform");
  for (std::size_t i = 0; i < kFeatureCount; ++i) {
    if (!allowed->features[i]) policy.denied[i] = true;
  }
  return {};
}

Result<void> read_deny(std::string_view value, Policy& policy) {
  const Result<FeatureSet> denied = parse_set(value);
  if (!denied) return tl::unexpected(denied.error());
  for (std::size_t i = 0; i < kFeatureCount; ++i) {
    if (denied->features[i]) policy.denied[i] = true;
  }
  policy.deny_any_platform = denied->any_platform;
  return {};
}

Result<void> read_autoload(std::string_view value, Policy& policy) {
  return parse_yes_no(value).map([&](bool on) { policy.autoload = on; });
}

Result<void> read_pythonpath(std::string_view value, Policy& policy) {
  return parse_choice<PythonPath>(value, {{"asked", PythonPath::asked},
                                          {"always", PythonPath::always},
                                          {"never", PythonPath::never}})
      .map([&](PythonPath choice) { policy.pythonpath = choice; });
}

Result<std::string> parse_directory(std::string_view value) {
  if (value.front() != '/') {
    return fail(fmt::format("'{}' must be an absolute path", printable(value)));
  }
  // A ':' would make two entries of one in PYTHONPATH.
  if (value.find(':') != std::string_view::npos) {
    return fail(fmt::format("'{}' must not contain ':'", printable(value)));
  }
  return std::string(value);
}

Result<void> read_prefix(std::string_view value, Policy& policy) {
  return parse_directory(value).map([&](std::string path) { policy.prefix = std::move(path); });
}

Result<void> read_thp_system(std::string_view value, Policy& policy) {
  if (normalize_word(value) == "no") return {};
  const std::size_t colon = value.find(':');
  if (normalize_word(value.substr(0, colon)) != "exclusive") {
    return fail(fmt::format("'{}' must be no, exclusive or exclusive:PARTITION[,PARTITION...]",
                            printable(value)));
  }
  policy.thp_system = true;
  if (colon == std::string_view::npos) return {};
  for (const std::string& partition : split(value.substr(colon + 1), ',')) {
    if (partition.empty()) {
      return fail("a partition name is empty: write exclusive:PARTITION[,PARTITION...]");
    }
    policy.thp_system_partitions.push_back(partition);
  }
  return {};
}

Result<void> read_log(std::string_view value, Policy& policy) {
  return parse_choice<PolicyLog>(
             value,
             {{"error", PolicyLog::error}, {"info", PolicyLog::info}, {"debug", PolicyLog::debug}})
      .map([&](PolicyLog level) { policy.log = level; });
}

Result<void> read_machine(std::string_view value, Policy& policy) {
  return parse_directory(value).map([&](std::string path) { policy.machine = std::move(path); });
}

Result<void> read_fault(std::string_view value, Policy& policy) {
  policy.fault = std::string(value);
  return {};
}

constexpr Key kKeys[] = {
    {"default", "the option's grammar without help, none and thp=system", read_default,
     PolicyKeys::release},
    {"allow", "features, hooks, all: everything else is denied (absent: all are allowed)",
     read_allow, PolicyKeys::release},
    {"deny", "features, hooks, all, any-platform: wins over allow", read_deny, PolicyKeys::release},
    {"autoload", "yes or no: HA_AUTO=1 in every step with a feature on", read_autoload,
     PolicyKeys::release},
    {"pythonpath", "asked, always or never: the runtime's folder in PYTHONPATH", read_pythonpath,
     PolicyKeys::release},
    {"prefix", "an absolute path: where HyperAcc is installed", read_prefix, PolicyKeys::release},
    {"thp_system", "no or exclusive[:PARTITION,...]: thp=system on whole-node jobs",
     read_thp_system, PolicyKeys::release},
    {"log", "error, info or debug", read_log, PolicyKeys::release},
    {"machine", "an absolute path: a recorded machine (test builds)", read_machine,
     PolicyKeys::test},
    {"fault", "CALLBACK:CONTEXT:return|throw (test builds)", read_fault, PolicyKeys::test},
};

std::vector<std::string> key_names(PolicyKeys keys) {
  std::vector<std::string> names;
  for (const Key& key : kKeys) {
    if (key.since == PolicyKeys::release || keys == PolicyKeys::test) names.emplace_back(key.name);
  }
  return names;
}

// allow= and deny= may stand behind default= on the line: checked once all is read.
Result<void> check_default(const Policy& policy) {
  for (const OptionItem& item : policy.cluster_default.items) {
    const bool denied_feature = item.kind == Kind::feature && policy.denies(item.feature);
    const bool denied_modifier = item.kind == Kind::modifier &&
                                 item.modifier == Modifier::any_platform &&
                                 policy.deny_any_platform;
    if (denied_feature || denied_modifier) {
      return fail(fmt::format("default= names '{}', which this line denies", to_text(item)));
    }
  }
  return {};
}

}  // namespace

Result<Policy> parse_policy(const std::vector<std::string>& arguments, PolicyKeys keys) {
  Policy policy;
  std::set<std::string_view> seen;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string_view word = std::string_view(argument).substr(0, equals);
    const std::vector<std::string> names = key_names(keys);
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      return fail(fmt::format("unknown key '{}'{}; see spank_hyperacc(8)", printable(word),
                              suggestion(word, names)));
    }
    const Key& key = *std::find_if(std::begin(kKeys), std::end(kKeys),
                                   [&](const Key& row) { return row.name == word; });
    if (equals == std::string::npos || equals + 1 == argument.size()) {
      return fail(fmt::format("'{}' needs a value: {}={}", key.name, key.name, key.values));
    }
    if (!seen.insert(key.name).second) return fail(fmt::format("'{}' is given twice", key.name));
    const std::string_view value = std::string_view(argument).substr(equals + 1);
    if (const Result<void> read = key.read(value, policy); !read) {
      return fail(fmt::format("{}={}: {}", key.name, printable(value), read.error().text));
    }
  }
  if (const Result<void> checked = check_default(policy); !checked) {
    return tl::unexpected(checked.error());
  }
  return policy;
}

std::string policy_help() {
  std::string page;
  for (const Key& key : kKeys) {
    if (key.since == PolicyKeys::release) page += fmt::format("  {}= {}\n", key.name, key.values);
  }
  return page;
}

}  // namespace hyperacc

#include "runtime/core/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/core/record.hpp"
#include "runtime/core/variables.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

constexpr std::string_view kTunables = "GLIBC_TUNABLES";
constexpr std::string_view kTunable = "glibc.malloc.hugetlb";

// One --hyperacc text, read leniently: on a node nothing may fail.
struct Text {
  std::string raw;
  Option option;
  std::vector<std::string> warnings;
};

Text read_text(const std::string& raw) {
  LenientOption read = parse_option_leniently(raw);
  return {raw, std::move(read.option), std::move(read.warnings)};
}

// Which --hyperacc counts in this step.
struct Options {
  std::optional<Text> own;
  std::optional<Text> outer;  // only where it counts
  bool refined = false;       // own stands on top of outer
};

Options sort_options(const StepRequest& request) {
  const std::optional<std::string> inherited = lookup(request.environment, kOptionVariable);
  Options options;
  if (request.kind != StepKind::normal) {
    // A batch step without a callback (Slurm 22.05 with --export=NONE) has only the variable.
    const std::optional<std::string>& text = request.option ? request.option : inherited;
    if (text) options.own = read_text(*text);
    return options;
  }
  const bool typed = lookup(request.environment, kTypedMark).has_value();
  const bool own = request.option && (typed || !inherited || *request.option != *inherited);
  if (own) options.own = read_text(*request.option);
  if (!inherited) return options;
  if (!own) {
    options.outer = read_text(*inherited);
  } else if (options.own->option.items.empty() || options.own->option.is_refinement()) {
    options.outer = read_text(*inherited);
    options.refined = true;
  }
  return options;
}

Layer layer_of(const Option& option, Source source) {
  Layer layer{source, {}};
  for (const Assignment& assignment : assignments(option)) {
    layer.values.emplace(assignment.name, assignment.value);
  }
  return layer;
}

// What the outer option still says under a refinement.
Option remaining(const Options& options) {
  if (!options.outer) return {};
  if (!options.refined) return options.outer->option;
  Option rest = refine(options.outer->option, options.own->option);
  rest.items.resize(rest.items.size() - options.own->option.items.size());
  return rest;
}

// The value that steps nested in this one inherit.
std::optional<std::string> option_in_force(const Options& options) {
  if (options.refined) return to_text(refine(options.outer->option, options.own->option));
  const std::optional<Text>& text = options.own ? options.own : options.outer;
  if (!text) return std::nullopt;
  if (text->warnings.empty()) return text->raw;
  if (text->option.items.empty()) return std::nullopt;
  return to_text(text->option);
}

class Planner {
 public:
  explicit Planner(const StepRequest& request)
      : request_(request), options_(sort_options(request)), environment_(request.environment) {}

  StepPlan plan() {
    take_back_earlier();
    read_sources();
    resolve_settings();
    write();
    plan_.patch = difference(request_.environment, environment_);
    return std::move(plan_);
  }

 private:
  void warn(std::string text) { plan_.messages.push_back({Severity::warning, std::move(text)}); }

  void take_back_earlier() {
    std::vector<std::string> warnings;
    const Record record = record_of(environment_, warnings);
    const Layer outer =
        layer_of(options_.outer ? options_.outer->option : Option{}, Source::outer_option);
    owed_ = take_back(environment_, record, [&](const RecordEntry& entry) {
      if (!options_.outer) return true;
      // The policy overruled the user's wish, but gave the outer option no place above it.
      return entry.source == Source::policy && outer.values.count(entry.name) == 0;
    });
    for (std::string& warning : warnings) warn(std::move(warning));
  }

  void read_sources() {
    for (const std::optional<Text>* text : {&options_.own, &options_.outer}) {
      if (!*text) continue;
      for (const std::string& warning : (*text)->warnings) warn("--hyperacc: " + warning);
    }
    std::vector<std::string> warnings;
    user_ = environment_layer(environment_, Source::environment, warnings);
    plan_.user_asked = options_.own || options_.outer || !user_.values.empty() || !warnings.empty();
    for (std::string& warning : warnings) warn(std::move(warning));
    own_ = layer_of(options_.own ? options_.own->option : Option{}, Source::own_option);
    outer_ = layer_of(remaining(options_), Source::outer_option);
    fallback_ = layer_of(request_.policy.cluster_default, Source::cluster_default);
  }

  void resolve_settings() {
    Settings& settings = plan_.settings;
    settings = resolve({own_, user_, outer_}, fallback_);
    deny_features(FeatureKind::hook);
    default_gc(settings);
    deny_features(FeatureKind::system);
    if (request_.policy.deny_any_platform && settings.any_platform.value) {
      settings.any_platform = {false, Source::policy};
      warn("any-platform is denied by this cluster's policy");
    }
    const bool auto_unsaid = settings.auto_load.source == Source::builtin;
    if (request_.policy.autoload && auto_unsaid && settings.any_on()) {
      settings.auto_load = {true, Source::cluster_default};
    }
    if (settings[Feature::thp].mode == "system" && !request_.policy.thp_system) {
      warn("thp=system is not offered on this cluster: it acts as thp=task");
    }
  }

  void deny_features(FeatureKind kind) {
    for (const FeatureInfo& row : feature_table()) {
      const Setting& setting = plan_.settings[row.feature];
      if (row.kind != kind || !setting.on || !request_.policy.denies(row.feature)) continue;
      // Asked through `all` it is silent: the user did not mean this one.
      if (setting.origin == fmt::format("{}=1", row.variable)) {
        warn(fmt::format("{} is denied by this cluster's policy: the job runs without it",
                         normalize_word(row.name)));
      }
      deny(plan_.settings, row.feature);
    }
  }

  // Writes `name` and records it, unless the user already says the same. The policy's words are
  // recorded even then: they tell the task what was denied.
  void set(Source source, std::string_view name, const std::string& value) {
    const std::optional<std::string> before = lookup(environment_, name);
    const bool same =
        before && is_setting_variable(name) && canonical_value(name, *before) == value;
    if (same && source != Source::policy) return;
    record_.push_back({source, std::string(name), value, before});
    environment_.insert_or_assign(std::string(name), value);
  }

  void set_in_list(Source source, std::string_view name, const std::string& item) {
    const std::optional<std::string> before = lookup(environment_, name);
    if (before && list_contains(*before, item)) return;
    std::optional<std::string> replaced;
    if (before && before->empty()) replaced = "";
    record_.push_back({source, std::string(name), item, replaced});
    environment_.insert_or_assign(std::string(name), list_append(before, item));
  }

  bool is_denied_switch(std::string_view name) const {
    const std::optional<Feature> feature = find_switch(name);
    return feature && plan_.settings[*feature].denied;
  }

  void write() {
    environment_.erase(std::string(kTypedMark));
    write_option_variable();
    write_policy();
    write_words(own_, {});
    write_words(outer_, {&own_, &user_});
    write_default();
    write_python_path();
    write_huge_pages();
    write_record();
  }

  void write_option_variable() {
    if (const std::optional<std::string> text = option_in_force(options_)) {
      environment_.insert_or_assign(std::string(kOptionVariable), *text);
    } else {
      environment_.erase(std::string(kOptionVariable));
    }
  }

  // An option of which nothing is left (an inherited `help`) asks for nothing.
  bool asked() const {
    const auto says = [](const std::optional<Text>& text) {
      return text && !text->option.items.empty();
    };
    return says(options_.own) || says(options_.outer) || plan_.settings.asked ||
           !fallback_.values.empty();
  }

  void write_policy() {
    if (!asked()) return;
    std::vector<std::string> names;
    for (const FeatureInfo& row : feature_table()) {
      if (!request_.policy.denies(row.feature)) continue;
      names.emplace_back(row.name);
      if (plan_.settings[row.feature].denied) set(Source::policy, row.variable, "0");
    }
    if (request_.policy.deny_any_platform) {
      names.emplace_back(kDenyAnyPlatform);
      if (plan_.settings.any_platform.source == Source::policy) {
        set(Source::policy, kAnyPlatform, "0");
      }
    }
    if (!names.empty()) set(Source::policy, kDeny, join(names, ","));
  }

  // The words as typed, but for what a higher layer says and what the policy has written.
  void write_words(const Layer& layer, const std::vector<const Layer*>& higher) {
    for (const auto& [name, value] : layer.values) {
      const bool said = std::any_of(higher.begin(), higher.end(), [&, &key = name](const Layer* l) {
        return l->values.count(key) != 0;
      });
      const bool denied =
          is_denied_switch(name) ||
          (name == kAnyPlatform && plan_.settings.any_platform.source == Source::policy);
      if (!said && !denied) set(Source::option, name, value);
    }
  }

  // The words of the default that count, and no others: a variable that has no effect misleads.
  void write_default() {
    for (const auto& [name, value] : fallback_.values) {
      if (default_counts(name, value)) set(Source::cluster_default, name, value);
    }
    const Sourced<bool>& auto_load = plan_.settings.auto_load;
    if (auto_load.source == Source::cluster_default && fallback_.values.count(kAuto) == 0) {
      set(Source::cluster_default, kAuto, "1");
    }
  }

  bool default_counts(const std::string& name, const std::string& value) const {
    const Settings& settings = plan_.settings;
    for (const Layer* layer : {&own_, &user_, &outer_}) {
      if (layer->values.count(name) != 0) return false;
    }
    const std::string assignment = fmt::format("{}={}", name, value);
    for (const FeatureInfo& row : feature_table()) {
      const Setting& setting = settings[row.feature];
      const bool from_default = setting.source == Source::cluster_default;
      if (from_default && setting.origin == assignment) return true;
      const bool memory = row.feature == Feature::numabind && name == kNumabindMemory;
      if (name == row.mode_variable || memory) return from_default && setting.on;
    }
    // A modifier; a denied any-platform is a configuration error long before.
    return name == kAuto || name == kReport || name == kVerify || name == kLogLevel ||
           name == kAnyPlatform;
  }

  void write_python_path() {
    const PythonPath when = request_.policy.pythonpath;
    if (request_.python_directory.empty() || when == PythonPath::never) return;
    if (when == PythonPath::asked && !asked()) return;
    set_in_list(Source::option, "PYTHONPATH", request_.python_directory);
  }

  // The part of thp that must be in the environment before exec.
  void write_huge_pages() {
    const Setting& thp = plan_.settings[Feature::thp];
    if (!thp.on || thp.mode == "off") return;
    const Source source =
        thp.source == Source::cluster_default ? Source::cluster_default : Source::option;
    const std::vector<std::string> tunables =
        split(lookup(environment_, kTunables).value_or(""), ':');
    const bool users_own = std::any_of(
        tunables.begin(), tunables.end(),
        [](const std::string& item) { return item.compare(0, kTunable.size(), kTunable) == 0; });
    if (!users_own) set_in_list(source, kTunables, fmt::format("{}=1", kTunable));
    if (!lookup(environment_, "THP_MEM_ALLOC_ENABLE")) set(source, "THP_MEM_ALLOC_ENABLE", "1");
  }

  // What an earlier step replaced and this one may not restore yet stays owed.
  void write_record() {
    for (const RecordEntry& owed : owed_) {
      const auto written = std::find_if(record_.begin(), record_.end(),
                                        [&](const RecordEntry& e) { return e.name == owed.name; });
      if (written != record_.end()) {
        written->replaced = owed.replaced;
      } else {
        record_.push_back({owed.source, owed.name, std::nullopt, owed.replaced});
      }
    }
    if (!record_.empty()) environment_.insert_or_assign(std::string(kRecord), to_text(record_));
  }

  const StepRequest& request_;
  Options options_;
  Environment environment_;  // becomes what the tasks get
  Record owed_;
  Record record_;
  Layer own_;
  Layer user_;
  Layer outer_;
  Layer fallback_;
  StepPlan plan_;
};

}  // namespace

StepPlan plan_step(const StepRequest& request) {
  if (request.kind == StepKind::extern_step) return {};
  return Planner(request).plan();
}

}  // namespace hyperacc

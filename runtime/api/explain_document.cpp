#include "runtime/api/explain_document.hpp"

#include <fmt/format.h>

#include "runtime/api/platform_document.hpp"
#include "runtime/core/decide.hpp"
#include "runtime/core/plan.hpp"
#include "runtime/core/policy.hpp"
#include "runtime/core/variables.hpp"
#include "runtime/machine/installation.hpp"
#include "runtime/machine/plugin_configuration.hpp"

namespace hyperacc::api {
namespace {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::debug:
      return "debug";
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

Json sourced(Json value, Source source) {
  return {{"value", std::move(value)}, {"source", name(source)}, {"source_text", to_text(source)}};
}

Json modifiers_json(const Settings& settings) {
  const auto of = [](const auto& modifier) { return sourced(modifier.value, modifier.source); };
  return {{"auto", of(settings.auto_load)},
          {"verify", of(settings.verify)},
          {"report", of(settings.report)},
          {"any_platform", of(settings.any_platform)},
          {"log_level", sourced(name(settings.log_level.value), settings.log_level.source)}};
}

Json feature_json(const FeatureInfo& row, const Setting& setting, const Decision& decision) {
  return {{"name", row.name},
          {"kind", row.kind == FeatureKind::hook ? "hook" : "system"},
          {"on", setting.on},
          {"source", name(setting.source)},
          {"source_text", to_text(setting.source)},
          {"origin", setting.origin},
          {"mode", optional_json(setting.mode)},
          {"memory", optional_json(setting.memory)},
          {"state", name(decision.state)},
          {"reason", decision.reason ? Json(name(*decision.reason)) : Json(nullptr)},
          {"text", decision.text}};
}

Json features_json(const Settings& settings, Platform platform) {
  const Result<InstalledTree> tree = installed_tree_around(own_file());
  const Installation installation = tree ? read_installation(*tree, platform) : Installation{};
  const PerFeature<Decision> decisions = decide(settings, platform, installation);
  Json features = Json::array();
  for (const FeatureInfo& row : feature_table()) {
    features.push_back(feature_json(row, settings[row.feature], decisions[index(row.feature)]));
  }
  return features;
}

struct KnownPlatform {
  Platform platform;
  Json json;
};

KnownPlatform platform_of(const RootDirectory& root, const Request& request,
                          const Environment& environment, const Settings& settings) {
  if (request.platform) return {*request.platform, platform_json(*request.platform, "request")};
  if (settings.platform)
    return {*settings.platform, platform_json(*settings.platform, "HA_PLATFORM")};
  const Detection detection = detect(root, environment);
  return {detection.platform.platform, platform_json(detection)};
}

// What a task with `environment` does. Where a step was planned, `planned` holds the same values
// and also knows sources that a task cannot tell apart.
Json task_json(const RootDirectory& root, const Request& request, const Environment& environment,
               const Settings* planned) {
  const Reading reading = read_variables(environment);
  const Settings& settings = planned != nullptr ? *planned : reading.settings;
  KnownPlatform known = platform_of(root, request, environment, settings);
  return {{"version", HYPERACC_VERSION},
          {"asked", settings.asked},
          {"platform", std::move(known.json)},
          {"features", features_json(settings, known.platform)},
          {"modifiers", modifiers_json(settings)},
          {"warnings", reading.warnings}};
}

struct ChosenPolicy {
  Policy policy;
  Json json;
};

// The request's, or that of the line that Slurm loads first here.
Expected<ChosenPolicy> choose_policy(const RootDirectory& root, const Request& request) {
  if (request.policy) {
    Result<Policy> policy = parse_policy(*request.policy);
    if (!policy) return usage_error("policy: " + policy.error().text);
    return ChosenPolicy{*std::move(policy), {{"from", "request"}, {"arguments", *request.policy}}};
  }
  const PluginConfiguration found = read_plugin_configuration(root, request.environment);
  if (found.lines.empty()) {
    return ChosenPolicy{{}, {{"from", nullptr}, {"arguments", Json::array()}}};
  }
  const PluginLine& line = found.lines.front();
  const std::string place = fmt::format("{}:{}", line.file, line.line);
  Result<Policy> policy = parse_policy(line.arguments);
  if (!policy) {
    return failure(fmt::format("{}: {}; Slurm refuses every --hyperacc until this is corrected",
                               place, policy.error().text));
  }
  return ChosenPolicy{*std::move(policy), {{"from", place}, {"arguments", line.arguments}}};
}

std::string python_directory(const Policy& policy) {
  const Result<InstalledTree> tree =
      policy.prefix ? installed_tree(*policy.prefix) : installed_tree_around(own_file());
  return tree ? tree->python_directory : "";
}

Json variables_json(const EnvironmentPatch& patch) {
  Json variables = Json::object();
  for (const auto& [name, value] : patch) variables[name] = optional_json(value);
  return variables;
}

Json messages_json(const std::vector<Message>& messages) {
  Json array = Json::array();
  for (const Message& message : messages) {
    array.push_back({{"severity", name_of(message.severity)}, {"text", message.text}});
  }
  return array;
}

Expected<Json> planned_json(const RootDirectory& root, const Request& request) {
  std::optional<std::string> canonical;
  if (request.option) {
    const Result<Option> option = parse_option(*request.option);
    if (!option) return usage_error("--hyperacc: " + option.error().text);
    if (option->asks_help()) {
      return usage_error(
          "--hyperacc: help starts no step: srun --hyperacc=help prints the words and features");
    }
    canonical = to_text(*option);
  }
  Expected<ChosenPolicy> chosen = choose_policy(root, request);
  if (!chosen) return tl::unexpected<Failure>(chosen.error());

  StepRequest step{StepKind::normal, request.option, request.environment, chosen->policy,
                   python_directory(chosen->policy)};
  // srun's mark: inside a job, too, this option is the step's own.
  if (request.option) step.environment.insert_or_assign(std::string(kTypedMark), "1");
  const StepPlan plan = plan_step(step);
  apply_patch(plan.patch, step.environment);

  Json document = task_json(root, request, step.environment, &plan.settings);
  document["option"] = optional_json(canonical);
  document["policy"] = std::move(chosen->json);
  document["variables"] = variables_json(difference(request.environment, step.environment));
  document["messages"] = messages_json(plan.messages);
  return document;
}

}  // namespace

Expected<Json> explain_document(const Request& request) {
  const Result<RootDirectory> root = RootDirectory::open(request.machine);
  if (!root) return failure(root.error().text);
  if (request.option || request.policy) return planned_json(*root, request);
  return task_json(*root, request, request.environment, nullptr);
}

}  // namespace hyperacc::api

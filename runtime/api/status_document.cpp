#include "runtime/api/status_document.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "runtime/api/platform_document.hpp"
#include "runtime/core/policy.hpp"
#include "runtime/machine/installation.hpp"
#include "runtime/machine/numa_nodes.hpp"
#include "runtime/machine/plugin_configuration.hpp"
#include "runtime/machine/thp_state.hpp"

namespace hyperacc::api {
namespace {

constexpr std::string_view kTorchBuild = "libhyperacc_torch";

// "0-3,8" of rising numbers, as the kernel writes CPU lists.
std::string ranges(const std::vector<unsigned>& numbers) {
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += first == last ? fmt::format("{}", numbers[first])
                          : fmt::format("{}-{}", numbers[first], numbers[last]);
    first = last + 1;
  }
  return text;
}

Json torch_builds(const std::string& library_directory) {
  Json builds = Json::array();
  const Result<RootDirectory> directory = RootDirectory::open(library_directory);
  if (!directory) return builds;
  for (const std::string& name : directory->names("/")) {
    if (name.compare(0, kTorchBuild.size(), kTorchBuild) == 0) builds.push_back(name);
  }
  return builds;
}

Json installation_json() {
  const Result<InstalledTree> tree = installed_tree_around(own_file());
  if (!tree) return {{"prefix", nullptr}, {"problem", tree.error().text}};
  const auto has = [&tree](const char* file) {
    return access(fmt::format("{}/{}", tree->library_directory, file).c_str(), R_OK) == 0;
  };
  return {{"prefix", tree->prefix},
          {"problem", nullptr},
          {"libraries",
           {{"cuda", has("libhyperacc_cuda.so")},
            {"hip", has("libhyperacc_hip.so")},
            {"cpu", has("libhyperacc_cpu.so")},
            {"node", has("libhyperacc_node.so")}}},
          {"torch_builds", torch_builds(tree->library_directory)},
          {"python_directory", tree->python_directory}};
}

Json numa_json(const RootDirectory& root) {
  Json nodes = Json::array();
  for (const NumaNode& node : numa_nodes(root)) {
    nodes.push_back({{"id", node.id},
                     {"cpus", ranges(node.cpus)},
                     {"memory_bytes", node.memory_bytes},
                     {"free_bytes", node.free_bytes}});
  }
  return nodes;
}

Json thp_json(const RootDirectory& root) {
  const ThpState state = thp_state(root);
  if (!state.supported) return {{"supported", false}};
  return {{"supported", true},
          {"enabled", state.enabled},
          {"defrag", state.defrag},
          {"huge_page_bytes", state.huge_page_bytes}};
}

std::string_view name_of(PythonPath rule) {
  switch (rule) {
    case PythonPath::asked:
      return "asked";
    case PythonPath::always:
      return "always";
    case PythonPath::never:
      return "never";
  }
  return "";
}

std::string_view name_of(PolicyLog log) {
  switch (log) {
    case PolicyLog::error:
      return "error";
    case PolicyLog::info:
      return "info";
    case PolicyLog::debug:
      return "debug";
  }
  return "";
}

Json policy_json(const Policy& policy) {
  Json denied = Json::array();
  for (const FeatureInfo& row : feature_table()) {
    if (policy.denies(row.feature)) denied.push_back(row.name);
  }
  return {{"default", to_text(policy.cluster_default)},
          {"denied", std::move(denied)},
          {"deny_any_platform", policy.deny_any_platform},
          {"autoload", policy.autoload},
          {"pythonpath", name_of(policy.pythonpath)},
          {"prefix", optional_json(policy.prefix)},
          {"thp_system", policy.thp_system},
          {"thp_system_partitions", policy.thp_system_partitions},
          {"log", name_of(policy.log)}};
}

Json line_json(const PluginLine& line) {
  const Result<Policy> policy = parse_policy(line.arguments);
  return {{"file", line.file},
          {"line", line.line},
          {"required", line.required},
          {"path", line.path},
          {"arguments", line.arguments},
          {"policy", policy ? policy_json(*policy) : Json(nullptr)},
          {"error", policy ? Json(nullptr) : Json(policy.error().text)}};
}

Json plugin_json(const RootDirectory& root, const Environment& environment) {
  const PluginConfiguration found = read_plugin_configuration(root, environment);
  Json lines = Json::array();
  for (const PluginLine& line : found.lines) lines.push_back(line_json(line));
  return {{"slurm_conf", found.slurm_conf},
          {"plugstack", found.plugstack},
          {"lines", std::move(lines)},
          {"problems", found.problems}};
}

}  // namespace

Expected<Json> status_document(const Request& request) {
  const Result<RootDirectory> root = RootDirectory::open(request.machine);
  if (!root) return failure(root.error().text);
  return Json{{"version", HYPERACC_VERSION},
              {"platform", platform_json(detect(*root, request.environment))},
              {"installation", installation_json()},
              {"numa_nodes", numa_json(*root)},
              {"thp", thp_json(*root)},
              {"plugin", plugin_json(*root, request.environment)}};
}

}  // namespace hyperacc::api

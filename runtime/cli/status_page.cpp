#include <fmt/format.h>

#include "runtime/cli/pages.hpp"
#include "runtime/cli/table.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc::cli {
namespace {

constexpr std::size_t kIndent = 15;

std::string line(std::string_view label, std::string_view text) {
  return paragraph(label, text, kIndent);
}

std::string joined(const Json& texts, std::string_view separator) {
  return join(texts.get<std::vector<std::string>>(), separator);
}

std::string text_or(const Json& value, std::string_view fallback) {
  return value.is_string() ? value.get<std::string>() : std::string(fallback);
}

std::string bytes(const Json& value) {
  constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
  return fmt::format("{:.1f} GiB", value.get<double>() / kGibibyte);
}

std::string platform_part(const Json& platform) {
  std::string page = line("Platform", platform.at("name").get<std::string>());
  for (const char* member : {"evidence", "notes"}) {
    for (const Json& text : platform.at(member)) page += line("", text.get<std::string>());
  }
  if (platform.at("accelerators").empty()) return page;
  std::vector<std::vector<std::string>> rows = {
      {"ACCELERATOR", "PCI", "NUMA", "VISIBLE", "EVIDENCE"}};
  for (const Json& each : platform.at("accelerators")) {
    const Json& node = each.at("numa_node");
    rows.push_back(
        {text_or(each.at("name"), text_or(each.at("gfx"), each.at("vendor").get<std::string>())),
         text_or(each.at("pci_address"), "?"), node.is_null() ? "?" : node.dump(),
         each.at("visible") == true ? "yes" : "no", joined(each.at("evidence"), ", ")});
  }
  return page + "\n" + table(rows);
}

std::string installation_part(const Json& installation) {
  if (installation.at("prefix").is_null()) {
    return line("Installation", installation.at("problem").get<std::string>());
  }
  std::vector<std::string> present;
  std::vector<std::string> absent;
  for (const auto& [name, is_there] : installation.at("libraries").items()) {
    (is_there == true ? present : absent).push_back(name);
  }
  const Json& torch = installation.at("torch_builds");
  return line("Installation", installation.at("prefix").get<std::string>()) +
         line("Libraries",
              fmt::format("{}; not installed: {}", present.empty() ? "none" : join(present, ", "),
                          absent.empty() ? "none" : join(absent, ", "))) +
         line("Torch builds", torch.empty() ? "none" : joined(torch, ", "));
}

std::string numa_part(const Json& nodes) {
  if (nodes.empty()) return line("NUMA nodes", "none known");
  std::string page;
  for (const Json& node : nodes) {
    const auto cpus = node.at("cpus").get<std::string>();
    page += line(page.empty() ? "NUMA nodes" : "",
                 fmt::format("{}: {}, {} of {} free", node.at("id").get<unsigned>(),
                             cpus.empty() ? "no CPUs" : "CPUs " + cpus,
                             bytes(node.at("free_bytes")), bytes(node.at("memory_bytes"))));
  }
  return page;
}

std::string thp_part(const Json& thp) {
  if (thp.at("supported") == false)
    return line("Huge pages", "this kernel has no transparent ones");
  return line("Huge pages",
              fmt::format("{}, defrag {}, {} KiB", thp.at("enabled").get<std::string>(),
                          thp.at("defrag").get<std::string>(),
                          thp.at("huge_page_bytes").get<std::uint64_t>() / 1024));
}

// "default all; denied thp, gc; autoload; pythonpath always": what differs from an empty line.
std::string policy_text(const Json& policy) {
  std::vector<std::string> words;
  const auto fallback = policy.at("default").get<std::string>();
  words.push_back(fallback.empty() ? "no default" : "default " + fallback);
  const std::string denied = joined(policy.at("denied"), ", ");
  words.push_back(denied.empty() ? "denies nothing" : "denies " + denied);
  if (policy.at("deny_any_platform") == true) words.emplace_back("denies any-platform");
  if (policy.at("autoload") == true) words.emplace_back("autoload");
  words.push_back("pythonpath " + policy.at("pythonpath").get<std::string>());
  if (policy.at("prefix").is_string())
    words.push_back("prefix " + policy.at("prefix").get<std::string>());
  if (policy.at("thp_system") == true) {
    const std::string partitions = joined(policy.at("thp_system_partitions"), ",");
    words.push_back("thp=system on exclusive nodes" +
                    (partitions.empty() ? "" : " of " + partitions));
  }
  return join(words, "; ");
}

std::string plugin_part(const Json& plugin) {
  const Json& lines = plugin.at("lines");
  std::string page;
  if (lines.empty()) page += line("Plugin", "not configured");
  for (const Json& each : lines) {
    const auto arguments = each.at("arguments").get<std::vector<std::string>>();
    page += line("Plugin", fmt::format("{}:{}: {} {}{}{}", each.at("file").get<std::string>(),
                                       each.at("line").get<unsigned>(),
                                       each.at("required") == true ? "required" : "optional",
                                       each.at("path").get<std::string>(),
                                       arguments.empty() ? "" : " ", join(arguments, " ")));
    page += each.at("error").is_null()
                ? line("Policy", policy_text(each.at("policy")))
                : line("Policy", "error: " + each.at("error").get<std::string>());
  }
  for (const Json& problem : plugin.at("problems")) {
    page += line("", "problem: " + problem.get<std::string>());
  }
  return page;
}

}  // namespace

std::string status_page(const Json& document) {
  return line("HyperAcc", document.at("version").get<std::string>()) +
         platform_part(document.at("platform")) + "\n" +
         installation_part(document.at("installation")) + numa_part(document.at("numa_nodes")) +
         thp_part(document.at("thp")) + plugin_part(document.at("plugin"));
}

}  // namespace hyperacc::cli

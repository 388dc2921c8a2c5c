#include <fmt/format.h>

#include "runtime/cli/pages.hpp"
#include "runtime/cli/table.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc::cli {
namespace {

constexpr std::size_t kIndent = 11;

std::string text_or(const Json& value, const std::string& fallback) {
  return value.is_string() ? value.get<std::string>() : fallback;
}

std::string platform_line(const Json& platform) {
  const auto name = platform.at("name").get<std::string>();
  if (platform.at("from") == "request") return name + " (as asked)";
  if (platform.at("from") == "HA_PLATFORM") return name + " (HA_PLATFORM says so)";
  const auto evidence = platform.at("evidence").get<std::vector<std::string>>();
  return evidence.empty() ? name : fmt::format("{}: {}", name, join(evidence, "; "));
}

std::string policy_line(const Json& policy) {
  const auto arguments = policy.at("arguments").get<std::vector<std::string>>();
  const std::string words = arguments.empty() ? "no arguments" : join(arguments, " ");
  if (policy.at("from").is_null())
    return "none: no line of the plugin in this machine's plugstack.conf";
  if (policy.at("from") == "request") return words;
  return fmt::format("{} ({})", words, policy.at("from").get<std::string>());
}

// "HA_USE_ALL=1; mode exclusive+bind: no accelerator found"
std::string why(const Json& feature) {
  std::string words = feature.at("origin").get<std::string>();
  if (words.empty()) words = feature.at("on") == true ? "comes with the hooks" : "not asked for";
  if (feature.at("mode").is_string()) {
    words += "; mode " + feature.at("mode").get<std::string>();
    if (feature.at("memory").is_string()) words += "+" + feature.at("memory").get<std::string>();
  }
  const auto text = feature.at("text").get<std::string>();
  return text.empty() ? words : words + ": " + text;
}

std::string features_table(const Json& document) {
  std::vector<std::vector<std::string>> rows = {{"FEATURE", "STATE", "SOURCE", "WHY"}};
  for (const Json& feature : document.at("features")) {
    rows.push_back(
        {feature.at("name"), feature.at("state"), feature.at("source_text"), why(feature)});
  }
  return table(rows);
}

std::string modifiers_line(const Json& modifiers) {
  std::vector<std::string> words;
  for (const auto& [name, modifier] : modifiers.items()) {
    if (modifier.at("source") == "builtin") continue;
    const Json& value = modifier.at("value");
    words.push_back(fmt::format("{}={} ({})", name, text_or(value, value.dump()),
                                modifier.at("source_text").get<std::string>()));
  }
  return join(words, ", ");
}

std::string variables(const Json& patch) {
  std::string page;
  for (const auto& [name, value] : patch.items()) {
    std::string line = value.is_null() ? fmt::format("  {} is unset", name)
                                       : fmt::format("  {}={}", name, value.get<std::string>());
    if (line.size() > kPageWidth) line = line.substr(0, kPageWidth - 3) + "...";
    page += line + '\n';
  }
  return page;
}

std::string planned_part(const Json& document) {
  std::string page;
  if (!document.contains("variables")) return page;
  const Json& patch = document.at("variables");
  page += patch.empty()
              ? "\nThe plugin changes no variable.\n"
              : "\nThe plugin changes these variables of every task:\n" + variables(patch);
  for (const Json& message : document.at("messages")) {
    page += paragraph(message.at("severity").get<std::string>() + ":",
                      message.at("text").get<std::string>(), kIndent);
  }
  return page;
}

}  // namespace

std::string explain_page(const Json& document) {
  std::string page = paragraph("Platform", platform_line(document.at("platform")), kIndent);
  if (document.contains("option")) {
    page += paragraph("Option", text_or(document.at("option"), "none typed"), kIndent);
    page += paragraph("Policy", policy_line(document.at("policy")), kIndent);
  }
  if (document.at("asked") == false) {
    page += paragraph("Asked", "nothing: HyperAcc leaves this process alone", kIndent);
  }
  const std::string modifiers = modifiers_line(document.at("modifiers"));
  if (!modifiers.empty()) page += paragraph("Modifiers", modifiers, kIndent);
  page += "\n" + features_table(document) + planned_part(document);
  for (const Json& warning : document.at("warnings")) {
    page += paragraph("warning:", warning.get<std::string>(), kIndent);
  }
  return page;
}

}  // namespace hyperacc::cli

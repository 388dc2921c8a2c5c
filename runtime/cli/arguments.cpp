#include "runtime/cli/arguments.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "runtime/core/words.hpp"

namespace hyperacc::cli {
namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 answered, 1 the machine would not answer, 2 wrong usage.";

CLI::App* add_question(CLI::App& parser, const std::string& name, const std::string& description,
                       Arguments& arguments) {
  CLI::App* question = parser.add_subcommand(name, description);
  question->add_flag("--json", arguments.json, "Print the library's JSON document");
  return question;
}

void add_machine(CLI::App& question, Arguments& arguments) {
  question.add_option("--machine", arguments.machine, "A recorded machine instead of this one")
      ->type_name("DIR");
}

std::vector<std::string> names_of(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const CLI::App* subcommand : parser.get_subcommands(nullptr)) {
    names.push_back(subcommand->get_name());
  }
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The subcommand that was typed, or the command itself.
const CLI::App& innermost(const CLI::App& parser) {
  const std::vector<CLI::App*> typed = parser.get_subcommands();
  return typed.empty() ? parser : *typed.back();
}

// What was typed and does not exist: a first word that is no subcommand, an unknown flag.
std::optional<std::string> unknown_word(const CLI::App& place, const CLI::ParseError& error,
                                        const std::vector<std::string>& words) {
  const bool is_command = place.get_parent() == nullptr;
  if (is_command && !words.empty()) return words.front();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return std::nullopt;
  const std::vector<std::string> extras = place.remaining();
  if (extras.empty()) return std::nullopt;
  return extras.front();
}

}  // namespace

std::unique_ptr<CLI::App> make_parser(Arguments& arguments) {
  auto parser = std::make_unique<CLI::App>(
      "HyperAcc: which features are on, which are skipped, and why.", "hyperacc");
  parser->require_subcommand(1);
  parser->footer(kExitCodes);
  parser->set_version_flag(
      "--version", [] { return "hyperacc " + ask_features().at("version").get<std::string>(); });
  add_question(*parser, "features", "The table of features", arguments);

  CLI::App* explain = add_question(
      *parser, "explain", "What is on, off or skipped here or by an option, and why", arguments);
  // expected(0, 1): an empty text is an answer too, which CLI11 else takes for a missing one.
  explain->add_option("--hyperacc", arguments.option, "Plan a step with this option")
      ->type_name("OPTION")
      ->expected(0, 1);
  explain
      ->add_option("--policy", arguments.policy,
                   "Plan under these arguments of the plugin's plugstack.conf line")
      ->type_name("ARGUMENTS")
      ->expected(0, 1);
  explain
      ->add_option("--platform", arguments.platform,
                   "Answer for none, nvidia, dcu, amd, mixed or cpu")
      ->type_name("NAME");
  add_machine(*explain, arguments);

  add_machine(*add_question(*parser, "status", "What is on this machine", arguments), arguments);

  parser->add_subcommand("completion", "Print the completion script of a shell")
      ->add_option("shell", arguments.shell, "bash")
      ->required()
      ->check(CLI::IsMember({"bash"}));
  return parser;
}

Json request_of(const Arguments& arguments) {
  Json request = Json::object();
  if (arguments.option) request["option"] = *arguments.option;
  if (arguments.platform) request["platform"] = *arguments.platform;
  if (arguments.machine) {
    request["machine"] = std::filesystem::absolute(*arguments.machine).lexically_normal().string();
  }
  if (arguments.policy) {
    request["policy"] = Json::array();
    for (const std::string& word : split(*arguments.policy, ' ')) {
      if (!word.empty()) request["policy"].push_back(word);
    }
  }
  return request;
}

std::string usage_text(const CLI::App& parser, const CLI::ParseError& error,
                       const std::vector<std::string>& words) {
  const CLI::App& place = innermost(parser);
  if (const std::optional<std::string> word = unknown_word(place, error, words)) {
    const bool is_flag = word->rfind('-', 0) == 0;
    return fmt::format("unknown {} '{}'{}; see `{} --help`", is_flag ? "flag" : "word",
                       printable(*word),
                       suggestion(word->substr(0, word->find('=')), names_of(place)),
                       place.get_parent() == nullptr ? "hyperacc" : "hyperacc " + place.get_name());
  }
  return fmt::format("{}; see `hyperacc --help`", error.what());
}

}  // namespace hyperacc::cli

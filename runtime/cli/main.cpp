// `hyperacc`: asks libhyperacc and prints the answer.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "runtime/api/hyperacc.h"
#include "runtime/cli/answer.hpp"
#include "runtime/cli/arguments.hpp"
#include "runtime/cli/completion.hpp"
#include "runtime/cli/pages.hpp"

namespace hyperacc::cli {
namespace {

// The man page and --help name these.
constexpr int kAnswered = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;

void complain(const std::string& text) {
  std::fputs(("hyperacc: " + text + "\n").c_str(), stderr);
}

int print(const std::string& text, int code) {
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (written) return code;
  complain("cannot write to standard output");
  return kFailed;
}

int show(const Json& document, bool json, const std::function<std::string(const Json&)>& page) {
  const bool refused = document.contains("error");
  const int code = !refused ? kAnswered : document.at("kind") == "usage" ? kUsage : kFailed;
  if (json) return print(document.dump(2) + "\n", code);
  if (!refused) return print(page(document), code);
  complain(document.at("error").get<std::string>());
  return code;
}

int answer(const CLI::App& parser, const Arguments& arguments) {
  const std::string command = parser.get_subcommands().front()->get_name();
  if (command == "features") return show(ask_features(), arguments.json, features_page);
  if (command == "explain") {
    return show(ask_explain(request_of(arguments)), arguments.json, explain_page);
  }
  if (command == "status") {
    return show(ask_status(request_of(arguments)), arguments.json, status_page);
  }
  const auto words = ask_features().at("option_words").get<std::vector<std::string>>();
  return print(bash_completion(parser, words), kAnswered);
}

int run(int argc, char** argv) {
  if (hyperacc_abi() != HYPERACC_ABI) {
    complain(
        fmt::format("libhyperacc.so has ABI {}, this command needs {}: install both from one build",
                    hyperacc_abi(), HYPERACC_ABI));
    return kFailed;
  }
  Arguments arguments;
  const std::unique_ptr<CLI::App> parser = make_parser(arguments);
  try {
    parser->parse(argc, argv);
  } catch (const CLI::Success& help) {  // --help and --version
    return parser->exit(help);
  } catch (const CLI::ParseError& error) {
    complain(usage_text(*parser, error, {argv + 1, argv + argc}));
    return kUsage;
  }
  return answer(*parser, arguments);
}

}  // namespace
}  // namespace hyperacc::cli

int main(int argc, char** argv) {
  try {
    return hyperacc::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hyperacc: %s\n", error.what());
    return 1;
  }
}

// The command line of `hyperacc`.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cli/answer.hpp"

namespace hyperacc::cli {

struct Arguments {
  bool json = false;
  std::optional<std::string> option;
  std::optional<std::string> policy;  // arguments of a plugstack.conf line, blanks between them
  std::optional<std::string> platform;
  std::optional<std::string> machine;
  std::string shell;
};

// The parser; it writes into `arguments`, which must outlive it.
std::unique_ptr<CLI::App> make_parser(Arguments& arguments);

// The request that `arguments` make to the library.
Json request_of(const Arguments& arguments);

// One sentence about a command line that `parser` refused: what is wrong and the nearest word.
std::string usage_text(const CLI::App& parser, const CLI::ParseError& error,
                       const std::vector<std::string>& words);

}  // namespace hyperacc::cli

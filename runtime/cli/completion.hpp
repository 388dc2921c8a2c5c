// Shell completion, written from the command line's own parser.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hyperacc::cli {

// `option_words`: the words that --hyperacc= completes to.
std::string bash_completion(const CLI::App& parser, const std::vector<std::string>& option_words);

}  // namespace hyperacc::cli

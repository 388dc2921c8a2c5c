// The documents as pages for people, at most 100 columns wide.
#pragma once

#include <string>

#include "runtime/cli/answer.hpp"

namespace hyperacc::cli {

std::string features_page(const Json& document);
std::string explain_page(const Json& document);
std::string status_page(const Json& document);

}  // namespace hyperacc::cli

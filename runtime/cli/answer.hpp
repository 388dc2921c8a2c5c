// The library's documents, as values.
#pragma once

#include <nlohmann/json.hpp>

namespace hyperacc::cli {

using Json = nlohmann::ordered_json;

// Each takes over the document of the C function of that name.
Json ask_features();
Json ask_explain(const Json& request);
Json ask_status(const Json& request);

}  // namespace hyperacc::cli

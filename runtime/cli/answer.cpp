#include "runtime/cli/answer.hpp"

#include <memory>

#include "runtime/api/hyperacc.h"

namespace hyperacc::cli {
namespace {

Json parsed(char* document) {
  const std::unique_ptr<char, void (*)(char*)> owner(document, hyperacc_free);
  return Json::parse(owner.get());
}

// A command line may hold any bytes; JSON is UTF-8.
std::string text_of(const Json& request) {
  return request.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json ask_features() {
  return parsed(hyperacc_features());
}
Json ask_explain(const Json& request) {
  return parsed(hyperacc_explain(text_of(request).c_str()));
}
Json ask_status(const Json& request) {
  return parsed(hyperacc_status(text_of(request).c_str()));
}

}  // namespace hyperacc::cli

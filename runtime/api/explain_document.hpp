// The answer of hyperacc_explain.
#pragma once

#include "runtime/api/document.hpp"
#include "runtime/api/request.hpp"

namespace hyperacc::api {

Expected<Json> explain_document(const Request& request);

}  // namespace hyperacc::api

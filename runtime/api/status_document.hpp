// The answer of hyperacc_status.
#pragma once

#include "runtime/api/document.hpp"
#include "runtime/api/request.hpp"

namespace hyperacc::api {

Expected<Json> status_document(const Request& request);

}  // namespace hyperacc::api

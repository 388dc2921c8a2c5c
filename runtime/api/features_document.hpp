// The answer of hyperacc_features.
#pragma once

#include "runtime/api/document.hpp"

namespace hyperacc::api {

Json features_document();

}  // namespace hyperacc::api

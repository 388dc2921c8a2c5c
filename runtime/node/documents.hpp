// The answers of the C API as JSON; hyperacc_node.h describes them.
#pragma once

#include "runtime/node/request_reader.hpp"

namespace hyperacc::node {

Json status_document(const char* request);
Json placement_document(const char* request);
Json bind_process_document(const char* request);
Json thp_process_document(const char* request);

}  // namespace hyperacc::node

// libhyperacc_node.so as its users load it.
#pragma once

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/node/hyperacc_node.h"

namespace hyperacc::node {

inline const HyperaccNode& node_library() {
  static const HyperaccNode* const table = [] {
    void* handle = dlopen(HYPERACC_NODE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    INFO((handle == nullptr ? dlerror() : ""));
    REQUIRE(handle != nullptr);
    const auto entry =
        reinterpret_cast<const HyperaccNode* (*)()>(dlsym(handle, HYPERACC_NODE_ENTRY));
    REQUIRE(entry != nullptr);
    return entry();
  }();
  return *table;
}

// All functions that answer with a document have one type.
inline nlohmann::json ask(HyperaccNodeStatus* function, const nlohmann::json& request) {
  const std::string text = request.dump();
  char* answer = function(request.is_null() ? nullptr : text.c_str());
  nlohmann::json document = nlohmann::json::parse(answer, nullptr, false);
  node_library().free_text(answer);
  return document;
}

}  // namespace hyperacc::node

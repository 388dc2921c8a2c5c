// The JSON requests of the C API.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/environment.hpp"
#include "runtime/node/bitmap.hpp"
#include "runtime/node/memory_policy.hpp"
#include "runtime/node/placement.hpp"

namespace hyperacc::node {

using Json = nlohmann::ordered_json;

enum class FailureKind : std::uint8_t { usage, failure };
Json failure_document(FailureKind kind, const std::string& text);

// Reads members one by one and keeps the first thing that is wrong, so that the readers of requests
// need no branches. Missing and null members are empty.
class RequestReader {
 public:
  // `text`: null for an empty request; `known`: the members that there are.
  RequestReader(const char* text, const std::vector<std::string_view>& known);

  std::optional<std::string> text(const char* name);
  std::optional<std::uint32_t> number(const char* name, std::uint32_t smallest,
                                      std::uint32_t largest);
  std::optional<Bitmap> set(const char* name);
  std::optional<Environment> environment(const char* name);
  std::string machine();  // "/" unless given; must be absolute
  std::optional<BindMode> mode();
  std::optional<MemoryMode> memory();
  // The member as it stands, null where it is missing.
  const Json& member(const char* name) const;

  void reject(std::string text);
  // What was wrong first.
  const std::optional<std::string>& error() const { return error_; }

 private:
  Json document_;
  std::optional<std::string> error_;
};

}  // namespace hyperacc::node

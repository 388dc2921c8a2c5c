// The answers of the C API: a JSON document, or the reason why there is none.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace hyperacc::api {

// Ordered: people read these documents too.
using Json = nlohmann::ordered_json;

struct Failure {
  enum class Kind { usage, failure };
  Kind kind;
  std::string text;
};

template <class T>
using Expected = tl::expected<T, Failure>;

inline tl::unexpected<Failure> usage_error(std::string text) {
  return tl::unexpected<Failure>(Failure{Failure::Kind::usage, std::move(text)});
}

inline tl::unexpected<Failure> failure(std::string text) {
  return tl::unexpected<Failure>(Failure{Failure::Kind::failure, std::move(text)});
}

// null where there is no value.
template <class T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace hyperacc::api

// Errors are values: a function that can fail returns Result<T>, nothing here throws.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace hyperacc {

// One sentence for people: names the word, the place and, where there is one, the nearest valid
// word. Never ends with a newline.
struct Error {
  std::string text;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string text) {
  return tl::unexpected<Error>(Error{std::move(text)});
}

}  // namespace hyperacc

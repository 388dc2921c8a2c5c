// Whole numbers as /proc and /sys write them.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace hyperacc {

// Nothing unless all of `text` is one number that fits Integer: no blanks, no "0x", no sign but
// '-'.
template <class Integer>
std::optional<Integer> parse_number(std::string_view text, int base = 10) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace hyperacc

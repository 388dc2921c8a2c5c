#include "runtime/machine/number.hpp"

#include <catch2/catch.hpp>
#include <cstdint>

using hyperacc::parse_number;

TEST_CASE("a number is the whole text") {
  CHECK(parse_number<int>("-1") == -1);
  CHECK(parse_number<std::uint32_t>("10de", 16) == 0x10de);
  CHECK(parse_number<std::uint64_t>("18446744073709551615") == UINT64_MAX);
  for (const char* text : {"", " 1", "1 ", "0x1", "+1", "1kB", "-"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number<int>(text));
  }
  CHECK_FALSE(parse_number<std::uint8_t>("256"));
  CHECK_FALSE(parse_number<std::uint32_t>("-1"));
}

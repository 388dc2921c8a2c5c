#include "runtime/machine/cpu_list.hpp"

#include <catch2/catch.hpp>

using hyperacc::parse_cpu_list;
using Numbers = std::vector<unsigned>;

TEST_CASE("lists as the kernel writes them") {
  CHECK(parse_cpu_list("0-2,64-65\n") == Numbers{0, 1, 2, 64, 65});
  CHECK(parse_cpu_list("7") == Numbers{7});
  CHECK(parse_cpu_list("5,1-3,2") == Numbers{1, 2, 3, 5});
  CHECK(parse_cpu_list("\n") == Numbers{});
  CHECK(parse_cpu_list("1024") == Numbers{1024});
}

TEST_CASE("text that is no list gives nothing") {
  for (const char* text : {"a", "1-", "-1", "3-1", "1,,2", "1-2-3", "0-65536", "0-4294967295"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_cpu_list(text));
  }
}

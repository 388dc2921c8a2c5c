#include "runtime/core/environment.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc;

TEST_CASE("an environment is read from NAME=value entries") {
  const char* entries[] = {"A=1", "B=x=y", "A=2", "EMPTY=", "broken", "=odd", nullptr};
  const Environment environment = environment_from(entries);
  CHECK(environment == Environment{{"A", "1"}, {"B", "x=y"}, {"EMPTY", ""}});
  CHECK(environment_from(nullptr).empty());
}

TEST_CASE("a difference applied gives the other environment") {
  const Environment from = {{"A", "1"}, {"B", "2"}, {"C", "3"}};
  const Environment to = {{"A", "1"}, {"B", "x"}, {"D", ""}};
  const EnvironmentPatch patch = difference(from, to);
  CHECK(patch == EnvironmentPatch{{"B", "x"}, {"C", std::nullopt}, {"D", ""}});
  Environment changed = from;
  apply_patch(patch, changed);
  CHECK(changed == to);
}

TEST_CASE("list variables") {
  CHECK(list_append(std::nullopt, "/x") == "/x");
  CHECK(list_append("", "/x") == "/x");
  // `/a:` means /a and the working directory: that stays, and we add no such component.
  CHECK(list_append("/a:", "/x") == "/a::/x");
  CHECK(list_contains("/a:/x", "/x"));
  CHECK_FALSE(list_contains("/a:/xy", "/x"));
  CHECK(list_remove("/a::/x", "/x") == "/a:");
  CHECK(list_remove("/x:/a:/x", "/x") == "/x:/a");
  CHECK(list_remove("/x", "/x") == std::nullopt);
  CHECK(list_remove("/a", "/x") == "/a");
}

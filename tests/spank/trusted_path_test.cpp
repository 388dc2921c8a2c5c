#include "spank/trusted_path.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace hyperacc;
using Catch::Matchers::Contains;
using spank::Ownership;

namespace {

// What is said about /opt/ha/lib.so, root's and 0755 but for `changes`.
std::string refusal(const std::map<std::string, Ownership>& changes) {
  const auto look = [&](const std::string& path) -> Result<Ownership> {
    const auto found = changes.find(path);
    return found == changes.end() ? Ownership{0, 0755} : found->second;
  };
  const Result<void> checked = spank::check_ownership("/opt/ha/lib.so", look);
  return checked ? "" : checked.error().text;
}

}  // namespace

TEST_CASE("a file is trusted where only root can change it", "[spank]") {
  CHECK(refusal({}) == "");
  CHECK(refusal({{"/opt/ha/lib.so", {0, 0444}}}) == "");
  for (const char* part : {"/opt/ha/lib.so", "/opt/ha", "/opt", "/"}) {
    CHECK_THAT(refusal({{part, {1000, 0755}}}),
               Contains(std::string(part) + " belongs to uid 1000: it must belong to root"));
    CHECK_THAT(refusal({{part, {0, 0775}}}),
               Contains(std::string(part) +
                        " is writable by group or others (mode 0775): chmod "
                        "go-w " +
                        part));
    CHECK_THAT(refusal({{part, {0, 0757}}}), Contains("0757"));
    // The sticky bit keeps others from replacing a file, not from adding one.
    CHECK_THAT(refusal({{part, {0, 01777}}}), Contains("1777"));
  }
}

TEST_CASE("a path that cannot be read is not trusted", "[spank]") {
  const Result<std::string> missing = spank::trusted_path("/nonexistent/lib.so");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().text == "/nonexistent/lib.so: No such file or directory");
  const Result<void> unreadable = spank::check_ownership(
      "/a/b", [](const std::string& path) -> Result<Ownership> { return fail(path + ": no"); });
  REQUIRE_FALSE(unreadable);
  CHECK(unreadable.error().text == "/a/b: no");
}

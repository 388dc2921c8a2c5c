#include "spank/slurmd.hpp"

#include <catch2/catch.hpp>

#include "tests/spank/fixture.hpp"

using namespace hyperacc;
using namespace hyperacc::slurm_double;
using Catch::Matchers::Contains;

namespace {

std::vector<Line> start(const std::vector<std::string>& arguments) {
  Process process(S_CTX_SLURMD, plugstack(arguments));
  process.call("init");
  CHECK(process.codes.empty());
  return process.lines;
}

}  // namespace

TEST_CASE("slurmd's log says at its start what is wrong with the configuration", "[spank]") {
  CHECK(start({}).empty());
  CHECK(start({"default=rope"}).empty());
  const std::vector<Line> lines = start({"default=rpoe"});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].level == Level::error);
  CHECK_THAT(lines[0].text, Contains("hyperacc: plugstack.conf, the line of " PLUGIN
                                     ": default=rpoe: unknown word 'rpoe'"));
  CHECK_THAT(lines[0].text, Contains("jobs run without HyperAcc (node "));
}

TEST_CASE("slurmd gives back huge pages of a job that is gone", "[spank]") {
  const TrustedPrefix prefix(FAKE_NODE);
  if (!prefix.usable()) return;
  const std::vector<Line> lines = start({prefix.argument(), "thp_system=exclusive"});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].text == "hyperacc: reaped");
  CHECK(start({prefix.argument()}).empty());
}

#include "spank/job_script.hpp"

#include <catch2/catch.hpp>

#include "tests/spank/fixture.hpp"

using namespace hyperacc;
using namespace hyperacc::slurm_double;
using Catch::Matchers::Contains;

namespace {

struct Script {
  std::vector<std::string> arguments;
  std::optional<std::string> option = "thp=system";
  Environment environment = {{"SLURM_JOB_PARTITION", "whole"}};
};

// The lines of one callback, in the process that slurmd starts for it: without slurm_spank_init.
std::vector<std::string> run(const std::string& callback, const Script& script) {
  Environment environment = script.environment;
  environment["SLURMD_NODENAME"] = "n1";
  const Shell own(environment);
  Process process(S_CTX_JOB_SCRIPT, plugstack(script.arguments));
  process.option = script.option;
  process.call(callback);
  CHECK(process.codes.empty());
  std::vector<std::string> texts;
  for (const Line& line : process.lines) texts.push_back(line.text);
  return texts;
}

}  // namespace

TEST_CASE("thp=system is set up for a job that has whole nodes", "[spank]") {
  const TrustedPrefix prefix(FAKE_NODE);
  if (!prefix.usable()) return;
  const Script good = {{prefix.argument(), "thp_system=exclusive:whole"}};
  CHECK(run("job_prolog", good) ==
        std::vector<std::string>{"hyperacc: acquired for job 100 (node n1)"});

  Script other = good;
  SECTION("not without the admin's word") {
    other.arguments = {prefix.argument()};
  }
  SECTION("not on other partitions") {
    other.arguments[1] = "thp_system=exclusive:big";
  }
  SECTION("not without evidence") {
    other.arguments[1] = "thp_system=exclusive";
  }
  SECTION("not for a job that did not ask") {
    other.option = std::nullopt;
  }
  SECTION("not for thp alone") {
    other.option = "thp";
  }
  SECTION("not against the user") {
    other.option = "no-thp";
  }
  SECTION("not where thp is denied") {
    other.arguments.push_back("deny=thp");
  }
  SECTION("not with a configuration in doubt") {
    other.arguments.push_back("dney=thp");
  }
  CHECK(run("job_prolog", other).empty());
}

TEST_CASE("the epilog gives back", "[spank]") {
  const TrustedPrefix prefix(FAKE_NODE);
  if (!prefix.usable()) return;
  const std::vector<std::string> released = {"hyperacc: released by job 100 (node n1)"};
  const Script good = {{prefix.argument(), "thp_system=exclusive:whole"}};
  CHECK(run("job_epilog", good) == released);
  Script other = good;
  SECTION("whatever the option says") {
    other.option = std::nullopt;
  }
  SECTION("also where the admin has changed the line meanwhile") {
    other.arguments = {prefix.argument()};
  }
  SECTION("on a node that looks shared by now") {
    other.environment = {};
  }
  CHECK(run("job_epilog", other) == released);
  SECTION("and loads nothing for all other jobs") {
    CHECK(run("job_epilog", {{prefix.argument()}, "rope"}).empty());
  }
}

TEST_CASE("a prolog that cannot do its work says so and lets the job run", "[spank]") {
  const Script broken = {{"prefix=/nonexistent", "thp_system=exclusive:whole"}};
  for (const char* callback : {"job_prolog", "job_epilog"}) {
    const std::vector<std::string> lines = run(callback, broken);
    REQUIRE(lines.size() == 1);
    CHECK_THAT(lines[0], Contains(std::string("hyperacc: ") + callback +
                                  " failed (job_script, node n1): thp=system is left out: "
                                  "/nonexistent/"));
  }
}

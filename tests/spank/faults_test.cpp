#include "spank/faults.hpp"

#include <catch2/catch.hpp>

#include "tests/spank/fixture.hpp"

using namespace hyperacc;
using namespace hyperacc::slurm_double;
using Catch::Matchers::Contains;

namespace {

std::vector<Entry> failing(const std::string& where, const std::string& how) {
  return plugstack_with_faults({"pythonpath=never", "fault=" + where + ":" + how});
}

}  // namespace

// qiskit-community/spank-plugins#188, NVIDIA/pyxis user_init_rv: a code other than 0 on a node
// drains it; an exception that escapes hangs it.
TEST_CASE("a fault in any callback costs no job", "[spank]") {
  const std::string how = GENERATE("return", "throw");
  const std::string why = how == "return" ? "injected failure" : "injected exception";

  SECTION("in srun") {
    for (const std::string callback : {"init", "init_post_opt"}) {
      Cluster site = cluster({"pythonpath=never"});
      site.login = failing(callback + ":local", how);
      const Run run = site.srun({}, "rope");
      CHECK_FALSE(run.refused);
      CHECK(run.codes.empty());
      CHECK(run.login ==
            std::vector<std::string>{"error: hyperacc: " + callback + " failed (local): " + why});
      CHECK(value(run.environment(), "HA_USE_ROPE") == "1");
    }
  }
  SECTION("in sbatch") {
    for (const std::string callback : {"init", "init_post_opt"}) {
      Cluster site = cluster({"pythonpath=never"});
      site.login = failing(callback + ":allocator", how);
      const Run run = site.sbatch({}, "rope", std::nullopt);
      CHECK_FALSE(run.refused);
      CHECK(run.codes.empty());
      CHECK(run.login == std::vector<std::string>{"error: hyperacc: " + callback +
                                                  " failed (allocator): " + why});
      CHECK(value(run.environment(), "HA_USE_ROPE") == "1");
    }
  }
  SECTION("in the option's callback: nothing is submitted, unless the value is inherited") {
    Cluster site = cluster({"pythonpath=never"});
    site.login = failing("option:local", how);
    const Run typed = site.srun({}, "rope");
    CHECK(typed.refused);
    CHECK(typed.codes == std::vector<std::pair<std::string, int>>{{"option", -1}});
    CHECK(typed.login ==
          std::vector<std::string>{"error: hyperacc: option failed (local): " + why});
    const Run inherited = site.srun({{kOptionName, "rope"}}, std::nullopt);
    CHECK_FALSE(inherited.refused);
    CHECK(inherited.login == typed.login);
    CHECK(value(inherited.environment(), "HA_USE_ROPE") == "1");

    site.login = failing("option:allocator", how);
    CHECK(site.sbatch({}, "rope", std::nullopt).refused);
    CHECK(site.sbatch({}, std::nullopt, "rope").refused);
  }
  SECTION("on a node: one line in slurmd's log, none for the user") {
    for (const std::string callback : {"init", "option", "init_post_opt", "task_init"}) {
      Cluster site = cluster({"pythonpath=never"});
      site.node = failing(callback + ":remote", how);
      for (const Run& run : {site.srun({{"MINE", "1"}}, "rope"),
                             site.sbatch({{"MINE", "1"}}, "rope", std::nullopt)}) {
        CHECK(run.codes.empty());
        CHECK(run.user.empty());
        CHECK(value(run.environment(), "MINE") == "1");
        const std::string line = "hyperacc: " + callback + " failed (remote, node n1): " + why;
        REQUIRE_FALSE(run.log.empty());
        for (const std::string& said : run.log) CHECK_THAT(said, Contains(line));
        // Slurm below 24.05 calls the option's callback twice for srun.
        CHECK(run.log.size() <= (callback == "option" ? 2 : 1));
      }
    }
  }
  SECTION("in job_prolog and job_epilog") {
    for (const std::string callback : {"job_prolog", "job_epilog"}) {
      const Shell own(Environment{{"SLURMD_NODENAME", "n1"}});
      Process process(S_CTX_JOB_SCRIPT, failing(callback + ":job_script", how));
      process.call(callback);
      CHECK(process.codes.empty());
      REQUIRE(process.lines.size() == 1);
      CHECK(process.lines[0].text ==
            "hyperacc: " + callback + " failed (job_script, node n1): " + why);
    }
  }
  SECTION("in slurmd") {
    Process process(S_CTX_SLURMD, failing("init:slurmd", how));
    process.call("init");
    CHECK(process.has_option());
    CHECK(process.codes.empty());
    REQUIRE(process.lines.size() == 1);
    CHECK_THAT(process.lines[0].text, Contains("hyperacc: init failed (slurmd, node "));
  }
  SECTION("only where it is armed") {
    Cluster site = cluster({"pythonpath=never"});
    site.node = failing("task_init:local", how);
    const Run run = site.srun({}, "rope");
    CHECK(run.log.empty());
    CHECK(value(run.environment(), "HA_USE_ROPE") == "1");
  }
}

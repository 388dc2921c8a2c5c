#include "spank/remote.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/spank/fixture.hpp"

using namespace hyperacc;
using namespace hyperacc::slurm_double;
using Catch::Matchers::Contains;

namespace {

using Names = std::vector<std::string>;

// A shell in a batch script of `sbatch --hyperacc=OPTION`.
Environment script_of(const Cluster& cluster, const std::string& option) {
  return cluster.sbatch({}, option, std::nullopt).environment();
}

}  // namespace

TEST_CASE("a step's tasks get what the option asks", "[spank]") {
  const Cluster two_tasks = [] {
    Cluster made = cluster();
    made.tasks = 2;
    return made;
  }();
  const Run run = two_tasks.srun({{"MINE", "1"}}, "syncbn,no-rope");
  REQUIRE(run.tasks.size() == 2);
  for (const Environment& task : run.tasks) {
    CHECK(switches(task) == Names{"HA_USE_ROPE=0", "HA_USE_SYNCBN=1"});
    CHECK(value(task, "MINE") == "1");
    CHECK(value(task, kOptionName) == "syncbn,no-rope");
  }
  CHECK(run.codes.empty());
}

TEST_CASE("a job that asked nothing is left as it is", "[spank]") {
  const TrustedPrefix prefix;
  const Environment shell = {{"PATH", "/bin"}, {"PYTHONPATH", ""}};
  const Run run = cluster({prefix.argument()}).srun(shell, std::nullopt);
  CHECK(run.environment() ==
        Environment{{"PATH", "/bin"}, {"PYTHONPATH", ""}, {"SLURM_STEP_ID", "0"}});
  CHECK(run.user.empty());
  CHECK(run.log.empty());
}

TEST_CASE("the marks of srun do not reach a task", "[spank]") {
  const Environment nested = {{"SLURM_STEP_ID", "3"}};
  for (const auto& typed : {std::optional<std::string>("rope"), std::optional<std::string>()}) {
    const Run run = cluster().srun(nested, typed);
    CHECK(value(run.environment(), kTypedName) == "");
    CHECK(value(run.environment(), kNestedName) == "");
  }
}

TEST_CASE("own and inherited options", "[spank]") {
  const Cluster site = cluster();
  const Environment script = script_of(site, "all");
  CHECK(switches(script) == Names{"HA_USE_ALL=1"});

  SECTION("a step inherits") {
    CHECK(switches(site.srun(script, std::nullopt).environment()) == Names{"HA_USE_ALL=1"});
  }
  SECTION("a step replaces, and steps inside it inherit that") {
    // eth-cscs/uenv#148, eth-cscs/cscs-docs#237: a second application on top of the first.
    const Run run = site.srun(script, "rope");
    CHECK(switches(run.environment()) == Names{"HA_USE_ROPE=1"});
    CHECK(switches(site.srun(run.environment(), std::nullopt).environment()) ==
          Names{"HA_USE_ROPE=1"});
  }
  SECTION("a step cancels") {
    const Run run = site.srun(script, "none");
    CHECK(value(run.environment(), "HA_USE_ALL") == "");
    CHECK(value(run.environment(), "HA_USE_ROPE") == "0");
    CHECK(value(run.environment(), "HA_USE_GC") == "0");
  }
  SECTION("a refinement stands on top of the outer option") {
    const Run run = site.srun(script, "no-rope,report");
    CHECK(switches(run.environment()) == Names{"HA_REPORT=1", "HA_USE_ALL=1", "HA_USE_ROPE=0"});
    CHECK(value(run.environment(), kOptionName) == "all,no-rope,report");
  }
  SECTION("the same text typed again beats what the script exported") {
    Environment changed = script;
    changed["HA_USE_ROPE"] = "0";
    changed["HA_USE_ALL"] = "off";
    CHECK(switches(site.srun(changed, "all").environment()) ==
          Names{"HA_USE_ALL=1", "HA_USE_ROPE=0"});
    // Inherited, it does not.
    CHECK(value(site.srun(changed, std::nullopt).environment(), "HA_USE_ALL") == "off");
    // Also where Slurm gives the inherited text once for every component.
    CHECK(value(site.srun(changed, std::nullopt, 2).environment(), "HA_USE_ALL") == "off");
  }
  SECTION("a job submitted from inside begins anew") {
    CHECK(switches(site.sbatch(script, std::nullopt, std::nullopt).environment()).empty());
    CHECK(switches(site.sbatch(script, "rope", std::nullopt).environment()) ==
          Names{"HA_USE_ROPE=1"});
  }
}

TEST_CASE("the callback may run once or twice", "[spank]") {
  // SchedMD b3527b1882: twice below Slurm 24.05.
  const Environment twice = {{"_SLURM_SPANK_OPTION_hyperacc_hyperacc", "rope"}};
  for (const Environment& environment : {Environment{}, twice}) {
    const Run run = cluster().step(0, environment, "rope");
    CHECK(switches(run.environment()) == Names{"HA_USE_ROPE=1"});
  }
}

TEST_CASE("a batch step without a callback reads Slurm's variable", "[spank]") {
  // SchedMD 42e23f9a2d, f88ca22d10: Slurm 22.05 with --export=NONE.
  const Run run = cluster().step(kBatchStep, {{kOptionName, "rope"}}, std::nullopt);
  CHECK(switches(run.environment()) == Names{"HA_USE_ROPE=1"});
}

TEST_CASE("kinds of steps", "[spank]") {
  const Environment environment = {{kOptionName, "rope"}, {kTypedName, "1"}};
  CHECK(
      switches(
          cluster({"default=syncbn"}).step(kInteractiveStep, environment, "rope").environment()) ==
      Names{"HA_USE_ROPE=1", "HA_USE_SYNCBN=1"});
  // A default must not reach the extern step, where no callback comes.
  const Run run = cluster({"default=syncbn"}).step(kExternStep, environment, "rope");
  CHECK(run.environment() == environment);
  CHECK(run.log.empty());
}

TEST_CASE("a value that bypassed the command's check", "[spank]") {
  // _SLURM_SPANK_OPTION_hyperacc_hyperacc set by hand reaches the node unseen.
  const Run run =
      cluster({"deny=rope"})
          .step(0, {{"_SLURM_SPANK_OPTION_hyperacc_hyperacc", "bogus,rope,syncbn"}}, std::nullopt);
  CHECK(switches(run.environment()) == Names{"HA_DENY=rope", "HA_USE_ROPE=0", "HA_USE_SYNCBN=1"});
  CHECK(count_with(run.user, "bogus") == 1);
  CHECK(count_with(run.user, "rope is denied") == 1);
  CHECK(run.codes.empty());

  // Older Slurm passes NULL for an option without a value.
  Process process(S_CTX_REMOTE, plugstack());
  process.call("init");
  process.give(nullptr, true);
  process.call("init_post_opt");
  CHECK(process.codes.empty());
}

TEST_CASE("PYTHONPATH gets the runtime's folder, last and once", "[spank]") {
  const TrustedPrefix prefix;
  if (!prefix.usable()) return;
  const Cluster site = cluster({prefix.argument()});
  const std::string& python = prefix.python();
  CHECK(value(site.srun({}, "rope").environment(), "PYTHONPATH") == python);
  CHECK(value(site.srun({}, "none").environment(), "PYTHONPATH") == python);
  CHECK(value(site.srun({{"PYTHONPATH", "/mine"}}, "rope").environment(), "PYTHONPATH") ==
        "/mine:" + python);
  const Environment inside = site.srun({{"PYTHONPATH", "/mine"}}, "rope").environment();
  CHECK(value(site.srun(inside, "rope").environment(), "PYTHONPATH") == "/mine:" + python);
  CHECK(value(site.srun({}, std::nullopt).environment(), "PYTHONPATH") == "");
  CHECK(value(cluster({prefix.argument(), "pythonpath=never"}).srun({}, "rope").environment(),
              "PYTHONPATH") == "");
  CHECK(
      value(cluster({prefix.argument(), "pythonpath=always"}).srun({}, std::nullopt).environment(),
            "PYTHONPATH") == python);
}

TEST_CASE("a folder that others may write to is kept out of PYTHONPATH", "[spank]") {
  const TrustedPrefix prefix;
  if (!prefix.usable()) return;
  std::filesystem::permissions(prefix.path(), std::filesystem::perms(0775));
  const Run run = cluster({prefix.argument()}).srun({}, "rope");
  CHECK(value(run.environment(), "PYTHONPATH") == "");
  CHECK(value(run.environment(), "HA_USE_ROPE") == "1");
  REQUIRE(run.user.size() == 1);
  CHECK_THAT(run.user[0], Contains("warning: the runtime is left out of PYTHONPATH: " +
                                   prefix.path() + " is writable by group or others (mode 0775)"));
  CHECK(cluster({prefix.argument()}).srun({}, std::nullopt).log.empty());

  const Run missing = cluster({"prefix=/nonexistent"}).srun({}, "rope");
  REQUIRE(missing.user.size() == 1);
  CHECK_THAT(missing.user[0], Contains("/nonexistent/"));
}

TEST_CASE("who reads what", "[spank]") {
  const TrustedPrefix prefix;
  Cluster site = cluster({prefix.argument(), "deny=rope"});
  site.tasks = 3;

  SECTION("the user, once, from the first task; slurmd's log too") {
    const Run run = site.srun({}, "rope");
    CHECK(run.user == Names{"hyperacc: warning: rope is denied by this cluster's policy: the job "
                            "runs without it"});
    CHECK(run.log == run.user);
  }
  SECTION("what is said for the whole step comes from its first node") {
    site.node_index = 1;
    const Run run = site.srun({}, "rope");
    CHECK(run.user.empty());
    CHECK(count_with(run.log, "rope is denied") == 1);
  }
  SECTION("what concerns one node comes from that node") {
    Cluster broken = cluster({"prefix=/nonexistent"});
    broken.node_index = 1;
    const Run run = broken.srun({}, "rope");
    CHECK(count_with(run.user, "(node n1)") == 1);
  }
  SECTION("what the cluster default alone asked goes to the log") {
    const Run run = cluster({"default=rope", "prefix=/nonexistent"}).srun({}, std::nullopt);
    CHECK(run.user.empty());
    CHECK(count_with(run.log, "PYTHONPATH") == 1);
    CHECK(value(run.environment(), "HA_USE_ROPE") == "1");
  }
  SECTION("the user's HA_* count as asking") {
    CHECK(count_with(site.srun({{"HA_USE_ROPE", "1"}}, std::nullopt).user, "rope is denied") == 1);
  }
  SECTION("log=error keeps warnings out of slurmd's log, not from the user") {
    Cluster quiet = cluster({"default=rope", "prefix=/nonexistent", "log=error"});
    CHECK(quiet.srun({}, std::nullopt).log.empty());
    CHECK(quiet.srun({}, "rope").user.size() == 1);
  }
  SECTION("HA_LOG_LEVEL is the user's threshold") {
    const Run run = site.srun({{"HA_LOG_LEVEL", "ERROR"}}, "rope");
    CHECK(run.user.empty());
    CHECK(count_with(run.log, "rope is denied") == 1);
  }
}

TEST_CASE("a bad configuration on a node: one line, and the job runs without", "[spank]") {
  Cluster site = cluster();
  site.node = plugstack({"deny=rpoe", "default=all"});
  const Run run = site.srun({{"MINE", "1"}}, "rope");
  CHECK(switches(run.environment()).empty());
  CHECK(value(run.environment(), "MINE") == "1");
  REQUIRE(run.user.size() == 1);
  CHECK_THAT(run.user[0], Contains("error: hyperacc: plugstack.conf, the line of " PLUGIN
                                   ": deny=rpoe: unknown feature 'rpoe'"));
  CHECK_THAT(run.user[0], Contains("the job runs without HyperAcc (node n1)"));
  CHECK(run.log == run.user);
  CHECK(run.codes.empty());

  const Run silent = site.srun({}, std::nullopt);
  CHECK(silent.user.empty());
  CHECK(silent.log.size() == 1);
}

TEST_CASE("a damaged HA_SPANK_SET", "[spank]") {
  for (const char* record :
       {"x", "option:PATH=1", "option:HA_USE_ROPE=%", "option:HA_USE_ROPE=1;;"}) {
    const Run run = cluster().srun({{"HA_SPANK_SET", record}, {"HA_USE_ROPE", "1"}}, "syncbn");
    CHECK(count_with(run.user, "HA_SPANK_SET is damaged") == 1);
    CHECK(switches(run.environment()) == Names{"HA_USE_ROPE=1", "HA_USE_SYNCBN=1"});
  }
}

TEST_CASE("what Slurm refuses to tell costs no job", "[spank]") {
  Process process(S_CTX_REMOTE, plugstack());
  SECTION("no item at all") {
    process.no_items = true;
  }
  // ovis-hpc/ldms#202: a crash where an item was NULL.
  SECTION("NULL items") {
    process.null_items = true;
  }
  SECTION("variables that cannot be set") {
    process.no_setenv = true;
  }
  process.call("init");
  process.give("rope,numabind,thp", true);
  process.call("init_post_opt");
  process.call("task_init", 0);
  CHECK(process.codes.empty());
  CHECK((process.null_items || !process.lines.empty()));
}

#include "spank/local.hpp"

#include <catch2/catch.hpp>

#include "tests/spank/fixture.hpp"

using namespace hyperacc;
using namespace hyperacc::slurm_double;
using Catch::Matchers::Contains;

TEST_CASE("the option is registered in every context where it exists", "[spank]") {
  const std::vector<std::string> configuration =
      GENERATE(values<std::vector<std::string>>({{}, {"defualt=rope"}}));
  for (const spank_context_t context : {S_CTX_LOCAL, S_CTX_ALLOCATOR, S_CTX_REMOTE, S_CTX_SLURMD}) {
    Process process(context, plugstack(configuration));
    process.call("init");
    CHECK(process.has_option());
    CHECK(process.codes.empty());
  }
}

TEST_CASE("a bad value typed is refused with the word and its nearest match", "[spank]") {
  const Run run = cluster().srun({}, "rpoe");
  REQUIRE(run.refused);
  CHECK(run.login == std::vector<std::string>{
                         "error: hyperacc: --hyperacc=rpoe: unknown word 'rpoe' (did you mean "
                         "'rope'?); --hyperacc=help lists the words"});
  // iqm-finland/QDMI-on-IQM#117: a positive code is no refusal below Slurm 25.05.
  CHECK(run.codes == std::vector<std::pair<std::string, int>>{{"option", -1}});

  for (const char* text : {"", "rope,", "rope,no-rope", "none,all", "thp=sometimes", "rope=fast"}) {
    CHECK(cluster().srun({}, text).refused);
    CHECK(cluster().sbatch({}, text, std::nullopt).refused);
    CHECK(cluster().sbatch({}, std::nullopt, text).refused);
  }
  // Untrusted text cannot write terminal sequences.
  CHECK_THAT(cluster().srun({}, "\x1b[2J").login.at(0), Contains("?[2J"));
}

TEST_CASE("a value given twice replaces the first", "[spank]") {
  // NERSC/shifter#190: appended on each call.
  const Run run = cluster().sbatch({}, "rope", "syncbn");
  CHECK(switches(run.environment()) == std::vector<std::string>{"HA_USE_SYNCBN=1"});
}

TEST_CASE("an inherited value never stops a command", "[spank]") {
  for (const char* text : {"bogus", "help", "", "rope,no-rope", "bogus,rope"}) {
    const Environment shell = {{kOptionName, text}};
    const Run run = cluster().srun(shell, std::nullopt);
    CHECK_FALSE(run.refused);
    CHECK(run.login.empty());
    CHECK(run.codes.empty());
  }
  SECTION("one warning, and the known words apply") {
    const Run run = cluster().srun({{kOptionName, "bogus,rope"}}, std::nullopt);
    CHECK(count_with(run.user, "bogus") == 1);
    CHECK(value(run.environment(), "HA_USE_ROPE") == "1");
    CHECK(value(run.environment(), kOptionName) == "rope");
  }
  SECTION("a valid one typed rescues the command") {
    const Run run = cluster().srun({{kOptionName, "bogus"}}, "rope");
    CHECK_FALSE(run.refused);
    CHECK(switches(run.environment()) == std::vector<std::string>{"HA_USE_ROPE=1"});
  }
  SECTION("the very text typed again is the user's") {
    CHECK(cluster().srun({{kOptionName, "bogus"}}, "bogus").refused);
  }
  SECTION("once for every component of a heterogeneous job") {
    const Run run = cluster().srun({{kOptionName, "bogus"}}, std::nullopt, 3);
    CHECK_FALSE(run.refused);
  }
}

TEST_CASE("srun tells the node whether the option was typed", "[spank]") {
  const auto mark = [](const Environment& shell, bool typed, int components) {
    const Shell own(shell);
    Process process(S_CTX_LOCAL, plugstack());
    process.call("init");
    const std::string text = "rope";
    for (int i = 0; i < components; ++i) {
      if (const char* inherited = std::getenv(kOptionName)) process.give(inherited, false);
      if (typed) process.give(text.c_str(), false);
      process.call("init_post_opt");
    }
    return value(environment_from(environ), kTypedName);
  };
  CHECK(mark({}, true, 1) == "1");
  CHECK(mark({}, false, 1) == "");
  CHECK(mark({{kTypedName, "1"}}, false, 1) == "");
  CHECK(mark({{kOptionName, "all"}}, false, 1) == "");
  CHECK(mark({{kOptionName, "rope"}}, true, 1) == "1");
  // Slurm gives the inherited value once for every component: more than one call, nothing typed.
  CHECK(mark({{kOptionName, "all"}}, false, 2) == "");
  CHECK(mark({{kOptionName, "all"}}, true, 2) == "1");
}

TEST_CASE("a copy of the inherited value counts as inherited once", "[spank]") {
  const Shell own(Environment{{kOptionName, "bogus"}});
  Process process(S_CTX_LOCAL, plugstack());
  process.call("init");
  const std::string copy = "bogus";
  CHECK(process.give(copy.c_str(), false) == 0);
  CHECK(process.give(copy.c_str(), false) == -1);
}

TEST_CASE("srun inside a step says so", "[spank]") {
  const auto mark = [](const std::string& step) {
    const Shell own(Environment{{"SLURM_STEP_ID", step}, {kNestedName, "1"}});
    Process process(S_CTX_LOCAL, plugstack());
    process.call("init");
    process.call("init_post_opt");
    return value(environment_from(environ), kNestedName);
  };
  CHECK(mark("0") == "1");
  CHECK(mark("17") == "1");
  CHECK(mark("4294967291") == "");  // a batch script
  CHECK(mark("4294967290") == "");  // an interactive shell
}

TEST_CASE("a new job takes no option from the job that submits it", "[spank]") {
  const Environment inside = {{"SLURM_JOB_ID", "7"}, {kOptionName, "all"}};
  CHECK(switches(cluster().sbatch(inside, std::nullopt, std::nullopt).environment()).empty());
  CHECK(switches(cluster().sbatch(inside, "rope", std::nullopt).environment()) ==
        std::vector<std::string>{"HA_USE_ROPE=1"});
  CHECK(switches(cluster().sbatch(inside, "rope", "syncbn").environment()) ==
        std::vector<std::string>{"HA_USE_SYNCBN=1"});
  // Outside of a job the variable is what the user set: Slurm puts it above #SBATCH.
  const Run run = cluster().sbatch({{kOptionName, "syncbn"}}, "rope", std::nullopt);
  CHECK(switches(run.environment()) == std::vector<std::string>{"HA_USE_SYNCBN=1"});
  // A step belongs to the job.
  CHECK(switches(cluster().srun(inside, std::nullopt).environment()) ==
        std::vector<std::string>{"HA_USE_ALL=1"});
}

TEST_CASE("help typed for srun prints the page and ends well", "[spank]") {
  const Child child = in_child([] { cluster().srun({}, "help"); });
  CHECK(child.code == 0);
  CHECK(child.output == option_help());
  const Child broken = in_child([] { cluster({"bad=key"}).srun({}, "help"); });
  CHECK(broken.code == 0);
}

TEST_CASE("a bad configuration", "[spank]") {
  const Cluster broken = cluster({"default=rope", "alow=rope"});
  SECTION("stops a command that uses the option, with file and keys") {
    const Run run = broken.srun({}, "rope");
    REQUIRE(run.refused);
    CHECK_THAT(run.login.at(0), Contains("error: hyperacc: plugstack.conf, the line of " PLUGIN
                                         ": unknown key 'alow' (did you mean 'allow'?)"));
    CHECK(count_with(run.login, "pythonpath= ") == 1);
    CHECK(run.login.size() > 8);
    CHECK(broken.sbatch({}, "rope", std::nullopt).refused);
  }
  SECTION("lets every other command be, silently") {
    CHECK(broken.srun({}, std::nullopt).login.empty());
    CHECK(broken.srun({{kOptionName, "rope"}}, std::nullopt).login.empty());
    CHECK(broken.sbatch({}, std::nullopt, std::nullopt).login.empty());
  }
  SECTION("the keys of test builds are none of the release's") {
    CHECK(cluster({"fault=init:local:throw"}).srun({}, "rope").refused);
    CHECK(cluster({"machine=/x"}).srun({}, "rope").refused);
  }
}

TEST_CASE("the option of a heterogeneous job belongs to its first component", "[spank]") {
  const auto second = [](spank_context_t context, const std::vector<const char*>& first,
                         const char* then) {
    const Shell own({});
    Process process(context, plugstack());
    process.call("init");
    for (const char* text : first) process.give(text, false);
    process.call("init_post_opt");
    const int code = process.give(then, false);
    return std::pair(code, process.lines.empty() ? "" : process.lines.back().text);
  };
  const auto [code, text] = second(S_CTX_ALLOCATOR, {}, "rope");
  CHECK(code == -1);
  CHECK_THAT(text, Contains("--hyperacc=rope: in a heterogeneous job the option belongs to the "
                            "first component"));
  CHECK(second(S_CTX_ALLOCATOR, {"all"}, "rope").first == -1);
  // sbatch repeats what was typed on its command line for each component.
  CHECK(second(S_CTX_ALLOCATOR, {"all"}, "ALL").first == 0);
  CHECK(second(S_CTX_ALLOCATOR, {"rope", "all"}, "rope").first == 0);
  // srun: the last value applies to all components.
  CHECK(second(S_CTX_LOCAL, {"all"}, "rope").first == 0);

  SECTION("Slurm exports the first component's value itself") {
    const Shell own({});
    Process process(S_CTX_ALLOCATOR, plugstack());
    process.call("init");
    process.give("rope", false);
    process.call("init_post_opt");
    setenv(kOptionName, "rope", 1);
    CHECK(process.give(std::getenv(kOptionName), false) == 0);
  }
}

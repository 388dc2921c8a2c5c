#include "spank/node_step.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "runtime/core/record.hpp"
#include "tests/spank/fixture.hpp"

using namespace hyperacc;
using namespace hyperacc::slurm_double;
using Catch::Matchers::Contains;

TEST_CASE("the node library is asked to bind each task", "[spank]") {
  const TrustedPrefix prefix(FAKE_NODE);
  if (!prefix.usable()) return;
  Cluster site = cluster({prefix.argument(), "log=debug"});
  site.tasks = 2;
  const Environment shell = {{"CUDA_VISIBLE_DEVICES", "3"},
                             {"SLURM_CPU_BIND_TYPE", "mask_cpu:"},
                             {"SLURM_MEM_BIND_TYPE", "local"},
                             {"SLURM_CPU_BIND_LIST", "0x3"}};

  SECTION("with what Slurm and the user said") {
    const Run run = site.srun(shell, "numabind=exclusive+bind");
    CHECK(run.log == std::vector<std::string>{
                         "hyperacc: debug: prepare machine=NULL tasks=2 (node n1)",
                         "hyperacc: warning: place task=0 mode=exclusive memory=bind "
                         "cpus_per_task=0 memory_mib=1000 cpu_bind=mask_cpu: mem_bind=local "
                         "nested=0 list=0x3 devices=3 (node n1)",
                         "hyperacc: warning: place task=1 mode=exclusive memory=bind "
                         "cpus_per_task=0 memory_mib=1000 cpu_bind=mask_cpu: mem_bind=local "
                         "nested=0 list=0x3 devices=3 (node n1)"});
    // Alike on all tasks of a node: the first shows it.
    CHECK(run.user == std::vector<std::string>{run.log[1]});
    CHECK(run.codes.empty());
  }
  SECTION("cpus_per_task is a promise only where it was asked for; nested steps say so") {
    Environment nested = shell;
    nested["SLURM_CPUS_PER_TASK"] = "1";
    nested["SLURM_STEP_ID"] = "5";
    const Run run = site.srun(nested, "numabind");
    CHECK(count_with(run.log, "mode=NULL memory=NULL cpus_per_task=1") == 2);
    CHECK(count_with(run.log, "nested=1") == 2);
  }
  SECTION("where it was bound is in the environment, as ours") {
    const Run run = site.srun({{"HA_MEMS", "mine"}}, "numabind");
    CHECK(value(run.tasks[1], "HA_CPUS") == "1");
    CHECK(value(run.tasks[1], "HA_MEMS") == "0");
    CHECK_THAT(value(run.tasks[1], "HA_SPANK_SET"),
               Contains("option:HA_CPUS=1;option:HA_MEMS=0~mine"));
    // A step inside takes it back: goodfire-ai/spd#955, the outer job's cores pinned every rank.
    const Run inner = site.srun(run.tasks[1], "none");
    CHECK(value(inner.environment(), "HA_CPUS") == "");
    CHECK(value(inner.environment(), "HA_MEMS") == "mine");
  }
  SECTION("a batch script is not bound, its huge pages are set") {
    const Run run = site.step(kBatchStep, {}, "numabind,thp");
    CHECK(count_with(run.log, "place") == 0);
    CHECK(count_with(run.log, "huge pages mode=NULL") == 2);
    CHECK(site.step(kBatchStep, {}, "numabind").log.empty());
  }
  SECTION("the cluster default is told apart") {
    const Run run = cluster({prefix.argument(), "default=numabind"}).srun({}, std::nullopt);
    CHECK_THAT(value(run.environment(), "HA_SPANK_SET"), Contains("default:HA_CPUS=0"));
    CHECK(run.user.empty());
  }
  SECTION("nothing is loaded where neither feature is on") {
    CHECK(site.srun(shell, "rope").log.empty());
    CHECK(cluster({prefix.argument(), "log=debug", "deny=numabind,thp"})
              .srun(shell, "all")
              .log.empty());
  }
}

TEST_CASE("huge pages", "[spank]") {
  const TrustedPrefix prefix(FAKE_NODE);
  if (!prefix.usable()) return;
  const auto log = [&](const std::vector<std::string>& keys, const std::string& option,
                       std::uint32_t job = 100) {
    std::vector<std::string> arguments = keys;
    arguments.push_back(prefix.argument());
    Process process(S_CTX_REMOTE, plugstack(arguments));
    process.job_id = job;
    process.call("init");
    process.give(option.c_str(), true);
    process.call("init_post_opt");
    process.call("task_init", 0);
    std::vector<std::string> texts;
    for (const Line& line : process.lines) texts.push_back(line.text);
    return texts;
  };
  CHECK(count_with(log({}, "thp=off"), "huge pages mode=off") == 1);
  CHECK(count_with(log({}, "thp=task"), "huge pages mode=task") == 1);
  CHECK(count_with(log({}, "no-thp"), "huge pages") == 0);
  // The fake holds the node's knob for job 100.
  const std::vector<std::string> exclusive = {"thp_system=exclusive"};
  CHECK(count_with(log(exclusive, "thp=system", 100), "acts as thp=task") == 0);
  CHECK(count_with(log(exclusive, "thp=system", 101), "thp=system acts as thp=task here") == 1);
  CHECK(count_with(log({}, "thp=system", 101), "acts as thp=task") == 1);
}

TEST_CASE("a recorded machine, in test builds", "[spank]") {
  const TrustedPrefix prefix(FAKE_NODE);
  if (!prefix.usable()) return;
  Cluster site = cluster();
  site.node = plugstack_with_faults({prefix.argument(), "machine=/recorded", "log=debug"});
  CHECK(count_with(site.srun({}, "numabind").log, "prepare machine=/recorded tasks=1") == 1);
}

TEST_CASE("a node library that cannot be used: one line, and the job runs without", "[spank]") {
  const auto warning = [](const TrustedPrefix& prefix, const std::string& option) {
    const Run run = cluster({prefix.argument(), "pythonpath=never"}).srun({}, option);
    CHECK(run.codes.empty());
    CHECK(value(run.environment(), "HA_CPUS") == "");
    const std::vector<std::string> found = lines_with(run.user, "warning: ");
    CHECK(found.size() == 1);
    return found.empty() ? std::string() : found[0];
  };
  const TrustedPrefix prefix(FAKE_NODE);
  if (!prefix.usable()) return;
  const std::string library = prefix.libraries() + "/libhyperacc_node.so";

  SECTION("writable by others, or a folder above it") {
    const std::string part =
        GENERATE("", "/lib", "/lib/hyperacc", "/lib/hyperacc/libhyperacc_node.so");
    std::filesystem::permissions(prefix.path() + part, std::filesystem::perms(0757));
    const std::string text = warning(prefix, "numabind,thp");
    CHECK_THAT(text, Contains("warning: numabind is left out, thp sets its variables only: " +
                              prefix.path() + part +
                              " is writable by group or others (mode 0757): chmod go-w"));
  }
  SECTION("not root's") {
    REQUIRE(chown(library.c_str(), 65534, 0) == 0);
    CHECK_THAT(warning(prefix, "numabind"),
               Contains("numabind is left out: " + library + " belongs to uid 65534"));
  }
  SECTION("a link to a place that others may write to") {
    std::filesystem::permissions(prefix.libraries(), std::filesystem::perms(0777));
    const TrustedPrefix link;
    std::filesystem::create_symlink(library, link.libraries() + "/libhyperacc_node.so");
    CHECK_THAT(warning(link, "thp"),
               Contains("thp sets its variables only: " + prefix.libraries()));
  }
  SECTION("missing") {
    std::filesystem::remove(library);
    CHECK_THAT(warning(prefix, "numabind"), Contains(library + ": No such file or directory"));
  }
  SECTION("no library") {
    std::filesystem::resize_file(library, 10);
    CHECK_THAT(warning(prefix, "numabind"), Contains(library));
  }
  SECTION("of another version") {
    std::filesystem::remove(library);
    std::filesystem::copy_file(FAKE_NODE_OF_ANOTHER_ABI, library);
    CHECK_THAT(warning(prefix, "numabind"), Contains("is of another version of HyperAcc"));
  }
}

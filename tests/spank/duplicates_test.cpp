#include "spank/duplicates.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/spank/fixture.hpp"

using namespace hyperacc;
using namespace hyperacc::slurm_double;

namespace {

// awslabs/awsome-distributed-ai#1207: 14 warning lines on every command.
void check_acts_once(const std::vector<Entry>& twice) {
  const Cluster site = {twice, twice, 2, 0};
  const Run run = site.srun({{"MINE", "1"}}, "bogus,rope");
  CHECK(run.refused);
  CHECK(run.login.size() == 1);

  const Run good = site.srun({}, "rope");
  CHECK(good.login.empty());
  REQUIRE(good.tasks.size() == 2);
  for (const Environment& task : good.tasks) {
    CHECK(switches(task) == std::vector<std::string>{"HA_DENY=rope", "HA_USE_ROPE=0"});
  }
  CHECK(count_with(good.user, "rope is denied") == 1);
  CHECK(count_with(good.log, "rope is denied") == 1);
  CHECK(good.codes.empty());

  // Every component of a heterogeneous job is an event of its own.
  const Shell own({});
  Process process(S_CTX_ALLOCATOR, twice);
  process.call("init");
  process.call("init_post_opt");
  process.call("init_post_opt");
  CHECK(process.give("rope", false) == -1);
}

}  // namespace

TEST_CASE("listed twice by one path, the first line counts", "[spank]") {
  check_acts_once({{PLUGIN, {"deny=rope", "pythonpath=never"}}, {PLUGIN, {"default=all"}}});
}

TEST_CASE("listed twice by two paths, the copy stays silent", "[spank]") {
  const std::string copy = std::filesystem::temp_directory_path() / "hyperacc-renamed-copy.so";
  std::filesystem::copy_file(PLUGIN, copy, std::filesystem::copy_options::overwrite_existing);
  check_acts_once({{PLUGIN, {"deny=rope", "pythonpath=never"}}, {copy, {"default=all"}}});
  check_acts_once({{copy, {"deny=rope", "pythonpath=never"}}, {PLUGIN, {"default=all"}}});
  std::filesystem::remove(copy);
}

TEST_CASE("slurmd's log tells an admin of the second line", "[spank]") {
  Process process(S_CTX_SLURMD, {{PLUGIN, {}}, {PLUGIN, {}}});
  process.call("init");
  REQUIRE(process.lines.size() == 1);
  CHECK(process.lines[0].text ==
        "hyperacc: listed twice in plugstack.conf: only the first line counts");
}

TEST_CASE("the prolog acts once, without slurm_spank_init", "[spank]") {
  const std::vector<std::string> arguments = {"prefix=/nonexistent", "thp_system=exclusive:p"};
  const Shell own(Environment{{"SLURM_JOB_PARTITION", "p"}});
  Process process(S_CTX_JOB_SCRIPT, {{PLUGIN, arguments}, {PLUGIN, arguments}});
  process.option = "thp=system";
  process.call("job_prolog");
  CHECK(process.lines.size() == 1);
}

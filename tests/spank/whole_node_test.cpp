#include "spank/whole_node.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc;

namespace {

constexpr unsigned version(unsigned major, unsigned minor) {
  return (major << 16U) + (minor << 8U);
}

bool whole(unsigned slurm, const Environment& environment,
           const std::vector<std::string>& partitions = {}) {
  Policy policy;
  policy.thp_system = true;
  policy.thp_system_partitions = partitions;
  return spank::is_whole_node(environment, policy, slurm);
}

}  // namespace

TEST_CASE("evidence that a job has whole nodes", "[spank]") {
  const unsigned v22 = version(22, 5);
  const unsigned v24 = version(24, 11);
  const unsigned v26 = version(26, 5);
  const Environment exclusive = {{"SLURM_JOB_EXCLUSIVE", "NODE"}};
  const Environment oversubscribe_no = {{"SLURM_JOB_OVERSUBSCRIBE", "NO"}};
  const Environment partition = {{"SLURM_JOB_PARTITION", "big"}};

  CHECK(whole(v26, exclusive));
  CHECK_FALSE(whole(v26, {{"SLURM_JOB_EXCLUSIVE", "NO"}, {"SLURM_JOB_OVERSUBSCRIBE", "NO"}}));
  CHECK_FALSE(whole(v26, {{"SLURM_JOB_EXCLUSIVE", "USER"}}));
  // 26.05 prints NO on shared nodes too.
  CHECK_FALSE(whole(v26, oversubscribe_no));

  CHECK(whole(v24, oversubscribe_no));
  CHECK_FALSE(
      whole(v24, {{"SLURM_JOB_OVERSUBSCRIBE", "OK"}, {"SLURM_JOB_PARTITION", "big"}}, {"big"}));

  CHECK(whole(v22, partition, {"small", "big"}));
  CHECK_FALSE(whole(v22, partition, {"small"}));
  CHECK_FALSE(whole(v22, partition));
  // 22.05 shows the node's count for two jobs that share it.
  CHECK_FALSE(whole(v22, {{"SLURM_JOB_CPUS_PER_NODE", "2"}, {"SLURM_CPUS_ON_NODE", "2"}}));
}

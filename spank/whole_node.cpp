#include "spank/whole_node.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace hyperacc::spank {
namespace {

// From here on SLURM_JOB_OVERSUBSCRIBE says NO on shared nodes too.
constexpr unsigned kOversubscribeUnusable = (26U << 16U) + (5U << 8U);

}  // namespace

bool is_whole_node(const Environment& environment, const Policy& policy, unsigned slurm_version) {
  const std::optional<std::string> exclusive = lookup(environment, "SLURM_JOB_EXCLUSIVE");
  if (exclusive) return *exclusive == "NODE";
  const std::optional<std::string> shared = lookup(environment, "SLURM_JOB_OVERSUBSCRIBE");
  if (shared && slurm_version < kOversubscribeUnusable) return *shared == "NO";
  const std::optional<std::string> partition = lookup(environment, "SLURM_JOB_PARTITION");
  const auto& whole = policy.thp_system_partitions;
  return partition && std::find(whole.begin(), whole.end(), *partition) != whole.end();
}

}  // namespace hyperacc::spank

// Whether a job has its nodes to itself, as far as job_prolog can know.
#pragma once

#include "runtime/core/environment.hpp"
#include "runtime/core/policy.hpp"

namespace hyperacc::spank {

// `environment` is job_prolog's own. `slurm_version` is what the plugin is built for, as in
// SLURM_VERSION_NUM. CPU counts are no evidence: Slurm 22.05 shows the node's for a shared one.
bool is_whole_node(const Environment& environment, const Policy& policy, unsigned slurm_version);

}  // namespace hyperacc::spank

// job_prolog and job_epilog: thp=system, the one thing that belongs to the node and not to a task.
// Slurm starts a process of its own for each, where slurm_spank_init is not called.
#pragma once

#include "runtime/core/result.hpp"
#include "spank/spank_api.hpp"

namespace hyperacc::spank {

Result<void> job_prolog(Handle handle, int count, char** arguments);
Result<void> job_epilog(Handle handle, int count, char** arguments);

}  // namespace hyperacc::spank

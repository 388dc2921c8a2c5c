// Slurm's SPANK calls as thin C++; spank_api.cpp is the only file that includes slurm/spank.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/environment.hpp"
#include "runtime/core/plan.hpp"
#include "runtime/core/result.hpp"

struct spank_handle;

namespace hyperacc::spank {

using Handle = spank_handle*;

// The kind of process that Slurm has loaded the plugin into: srun, slurmstepd, sbatch or salloc,
// slurmd, or the helper that slurmd starts for job_prolog and job_epilog.
enum class Context : std::uint8_t { unknown, local, remote, allocator, slurmd, job_script };
Context context() noexcept;
const char* name(Context context) noexcept;

using OptionCallback = int (*)(int value, const char* text, int remote);

// Registers --hyperacc. Only inside slurm_spank_init.
bool register_option(Handle handle, OptionCallback callback) noexcept;
// The value of --hyperacc in job_prolog and job_epilog; nothing when the job was not given it.
std::optional<std::string> option_text(Handle handle);

// Facts of a step; Slurm may refuse any of them.
Result<StepKind> step_kind(Handle handle);
Result<Environment> step_environment(Handle handle);
Result<std::uint32_t> node_index(Handle handle);        // 0: the step's first node
Result<std::uint32_t> local_task_count(Handle handle);  // tasks of the step on this node
Result<std::uint32_t> local_task_index(Handle handle);  // only in a task's callbacks
Result<std::uint32_t> job_id(Handle handle);
Result<std::uint32_t> step_cpus_per_task(Handle handle);
Result<std::uint64_t> step_memory_mib(Handle handle);  // on this node

// The version whose header the plugin is built with, as in SLURM_VERSION_NUM.
unsigned slurm_version() noexcept;

// The environment of the step in init_post_opt, of the task in task_init.
Result<void> set_variable(Handle handle, const std::string& name, const std::string& value);
Result<void> unset_variable(Handle handle, const std::string& name);

// One line each, "hyperacc: " in front. In srun, sbatch and salloc all of them go to stderr; on a
// node all go to slurmd's log, and once a step's stdio exists (in task_init) the first two also to
// the user.
void log_error(const char* text) noexcept;  // Slurm puts "error: " in front
void tell(const char* text) noexcept;
void log_info(const char* text) noexcept;

}  // namespace hyperacc::spank

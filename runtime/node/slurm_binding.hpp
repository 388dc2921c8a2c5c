// What Slurm's variables say about binding: pure.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/node/bitmap.hpp"

namespace hyperacc::node {

// The value of SLURM_CPU_BIND_TYPE or SLURM_MEM_BIND_TYPE before Slurm writes its own choice there:
// the user asked for a binding, "none" included. --hint and --threads-per-core show as "threads".
// "verbose" and "quiet" ask for nothing.
bool is_explicit_binding(std::string_view type);

// The user asked for no binding at all.
bool is_explicitly_none(std::string_view type);

// The union of the masks in SLURM_CPU_BIND_LIST ("0x3,0xc", physical CPUs): the step's CPUs on this
// node. Nothing where the list is missing (no task/affinity, or it got too long) or is no list of
// masks.
std::optional<Bitmap> step_cpus(std::string_view list);

}  // namespace hyperacc::node

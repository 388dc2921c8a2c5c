// What srun tells the node beside the option. A name with SLURM_ in front travels under every
// --export; the node removes it.
#pragma once

#include <string_view>

#include "runtime/core/plan.hpp"

namespace hyperacc::spank {

// srun runs in a task of another step: Slurm's own binding of that one then looks like the user's.
inline constexpr std::string_view kNestedMark = "SLURM_HYPERACC_NESTED";

// kTypedMark is plan.hpp's: the plan reads and removes it. These views are of literals: data() ends
// with a zero byte.

}  // namespace hyperacc::spank

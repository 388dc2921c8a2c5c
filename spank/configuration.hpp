// The plugin's own line of plugstack.conf.
#pragma once

#include <optional>

#include "runtime/core/policy.hpp"
#include "runtime/core/result.hpp"

namespace hyperacc::spank {

// Nothing: not read, since reading it failed, and that has been said.
using Configuration = std::optional<Result<Policy>>;

// From the arguments that Slurm gives every callback; `arguments` may be null when there are none.
// Errors name the file and the plugin's line in it.
Result<Policy> read_configuration(int count, char** arguments);

}  // namespace hyperacc::spank

// slurmd itself, at its start: says what is wrong with the configuration where an admin looks, and
// gives back huge pages that a job left set when the node went down.
#pragma once

#include "runtime/core/result.hpp"
#include "spank/configuration.hpp"

namespace hyperacc::spank {

Result<void> start_in_slurmd(const Configuration& configuration);

}  // namespace hyperacc::spank

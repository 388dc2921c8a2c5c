// Where HyperAcc is installed: PREFIX/lib*/hyperacc, beside PREFIX/lib*/slurm/spank_hyperacc.so.
#pragma once

#include <string>

#include "runtime/core/policy.hpp"
#include "runtime/core/result.hpp"

namespace hyperacc::spank {

// Path of this plugin as Slurm loaded it; empty when unknown.
std::string own_path();

// …/hyperacc, from prefix= or the plugin's own path. It need not exist.
Result<std::string> library_directory(const Policy& policy);

}  // namespace hyperacc::spank

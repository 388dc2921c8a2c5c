// The command line of the process that loaded the plugin: sbatch reads a script from stdin before
// any option reaches a plugin, so `sbatch --hyperacc=help` has to be found by the plugin itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperacc::spank {

// argv of this process; empty where the C library does not tell.
std::vector<std::string_view> command_line();

// The name that slurmd was started with on a host of several nodes, `slurmd -N NAME`, else null.
const char* slurmd_node_argument() noexcept;

// `text` lies inside the memory of argv: Slurm hands on what getopt found there, and copies what it
// found in a script.
bool is_on_command_line(const char* text) noexcept;

// The last value of --hyperacc among sbatch's own options, as far as that is certain: an argument
// that may be the script ends the search, since what follows belongs to the script.
std::optional<std::string> find_option(const std::vector<std::string_view>& arguments);

}  // namespace hyperacc::spank

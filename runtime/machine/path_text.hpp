// Paths as text: nothing here looks at a file.
#pragma once

#include <string>
#include <string_view>

namespace hyperacc {

// "/etc/slurm/slurm.conf" → "/etc/slurm", "/x" → "", "x" → "".
std::string parent_path(std::string_view path);
// "/etc/slurm/slurm.conf" → "slurm.conf"
std::string base_name(std::string_view path);
// `name` where it is absolute, else in the folder of `file`.
std::string beside(std::string_view file, std::string_view name);

}  // namespace hyperacc

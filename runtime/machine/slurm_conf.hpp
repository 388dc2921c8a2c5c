// slurm.conf: where it is, and single values in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/environment.hpp"
#include "runtime/machine/root.hpp"

namespace hyperacc {

// SLURM_CONF, else /etc/slurm/slurm.conf, else the copy that a configless slurmd fetched. The file
// may be missing.
std::string slurm_conf_path(const RootDirectory& root, const Environment& environment);

// The last value of `key` (any case) in `file` and what it includes; nothing where there is none or
// the file cannot be read. As in Slurm: one KEY=VALUE a line, '#' begins a comment, a backslash
// continues the line, `include FILE` begins in the first column and is relative to the including
// file.
std::optional<std::string> slurm_conf_value(const RootDirectory& root, const std::string& file,
                                            std::string_view key);

}  // namespace hyperacc

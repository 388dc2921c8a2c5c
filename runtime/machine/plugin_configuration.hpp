// The lines of plugstack.conf that load spank_hyperacc.so, found as Slurm finds them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/environment.hpp"
#include "runtime/machine/root.hpp"

namespace hyperacc {

inline constexpr std::string_view kPluginFile = "spank_hyperacc.so";

struct PluginLine {
  std::string file;
  unsigned line = 0;  // from 1
  bool required = false;
  std::string path;                    // as written
  std::vector<std::string> arguments;  // as Slurm splits them: the caller parses them as a policy
};

struct PluginConfiguration {
  std::string slurm_conf;         // the file that was looked for, there or not
  std::string plugstack;          // likewise
  std::vector<PluginLine> lines;  // in the order in which Slurm loads them; usually one
  // For the administrator, one sentence each, beginning with the place
  // ("/etc/slurm/plugstack.conf:3: …"): what keeps the plugin from loading, and what would hurt
  // others when it does not load.
  std::vector<std::string> problems;
};

// From `environment` only SLURM_CONF is read. slurm.conf's PlugStackConfig says where
// plugstack.conf is, else it lies beside slurm.conf. The rules of the file are Slurm's: words
// between blanks without quotes, '#' anywhere begins a comment, no continuation, a line that is not
// understood is skipped.
PluginConfiguration read_plugin_configuration(const RootDirectory& root,
                                              const Environment& environment);

}  // namespace hyperacc

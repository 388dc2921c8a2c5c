// srun and sbatch on the Slurm double, from a shell's environment to a task's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/environment.hpp"
#include "tests/spank/slurm_double.hpp"

namespace hyperacc::slurm_double {

inline constexpr std::uint32_t kBatchStep = 0xfffffffb;
inline constexpr std::uint32_t kInteractiveStep = 0xfffffffa;
inline constexpr std::uint32_t kExternStep = 0xfffffffc;

// What one command did.
struct Run {
  bool refused = false;            // the command stopped, nothing was submitted
  std::vector<std::string> login;  // what the command itself wrote
  std::vector<std::string> user;   // what the step wrote to the user's stderr
  std::vector<std::string> log;    // slurmd's log
  std::vector<Environment> tasks;  // their environments
  // Callbacks that returned another code than 0.
  std::vector<std::pair<std::string, int>> codes;

  const Environment& environment() const { return tasks.at(0); }
};

struct Cluster {
  std::vector<Entry> login;  // plugstack.conf where srun and sbatch run
  std::vector<Entry> node;   // and on the node
  std::uint32_t tasks = 1;
  std::uint32_t node_index = 0;

  // `typed`: --hyperacc on the command line. With `components` > 1 as for --het-group.
  Run srun(const Environment& shell, const std::optional<std::string>& typed,
           int components = 1) const;
  // `script`: the value of the #SBATCH line.
  Run sbatch(const Environment& shell, const std::optional<std::string>& script,
             const std::optional<std::string>& typed) const;
  // A step that gets `message` with its launch and `environment`.
  Run step(std::uint32_t step_id, const Environment& environment,
           const std::optional<std::string>& message) const;
};

}  // namespace hyperacc::slurm_double

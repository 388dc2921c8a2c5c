// From what was asked to what one step's tasks get: a pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/environment.hpp"
#include "runtime/core/option.hpp"
#include "runtime/core/policy.hpp"
#include "runtime/core/settings.hpp"

namespace hyperacc {

// Slurm's copy of the option's value, read by every inner srun, sbatch and salloc.
inline constexpr std::string_view kOptionVariable =
    "SLURM_SPANK__SLURM_SPANK_OPTION_hyperacc_hyperacc";
// srun's mark that the option was typed on this command.
inline constexpr std::string_view kTypedMark = "SLURM_HYPERACC_TYPED";

enum class StepKind : std::uint8_t { batch, interactive, normal, extern_step };

struct StepRequest {
  StepKind kind = StepKind::normal;
  std::optional<std::string> option;  // as Slurm's callback gave it on the node
  Environment environment;            // as the step's tasks would get it without HyperAcc
  Policy policy;
  std::string python_directory;  // PREFIX/lib/hyperacc/python; empty: none installed
};

enum class Severity : std::uint8_t { debug, info, warning, error };

struct Message {
  Severity severity;
  std::string text;  // without prefix

  friend bool operator==(const Message&, const Message&) = default;
};

struct StepPlan {
  Settings settings;
  EnvironmentPatch patch;
  std::vector<Message> messages;  // step-wide
  // The step's own option, the outer job's or the user's HA_* asked for something: only then does
  // the user see messages; what the cluster default alone asked goes to the log.
  bool user_asked = false;
};

// extern_step gives an empty plan.
StepPlan plan_step(const StepRequest& request);

}  // namespace hyperacc

// slurmstepd: plans the step, sets its tasks' environment, and in each task binds and sets huge
// pages. Nothing here may fail the job.
#pragma once

#include <optional>
#include <string>

#include "runtime/core/plan.hpp"
#include "runtime/core/result.hpp"
#include "spank/configuration.hpp"
#include "spank/messages.hpp"
#include "spank/node_step.hpp"
#include "spank/spank_api.hpp"

namespace hyperacc::spank {

class Step {
 public:
  // The option's callback. Older Slurm calls it twice for one srun: the value is replaced.
  void take_option(const char* text) { option_ = text == nullptr ? "" : text; }

  // slurm_spank_init_post_opt, as root, before the step has a stderr.
  Result<void> prepare(Handle handle, const Configuration& configuration);

  // slurm_spank_task_init, as the user, after Slurm's own binding and before exec.
  Result<void> start_task(Handle handle);

 private:
  void plan(Handle handle, StepRequest request);
  void refuse(Handle handle, const StepRequest& request, const Error& error);
  void listen(Handle handle, const StepPlan& planned);
  void apply(Handle handle, const EnvironmentPatch& patch);
  void drop_marks(Handle handle, const Environment& environment);

  std::optional<std::string> option_;
  Policy policy_;
  NodeStep node_;
  Messages messages_;
};

}  // namespace hyperacc::spank

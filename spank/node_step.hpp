// numabind and thp for the tasks of one step on one node.
#pragma once

#include <optional>
#include <string>

#include "runtime/core/environment.hpp"
#include "runtime/core/plan.hpp"
#include "runtime/core/policy.hpp"
#include "runtime/core/settings.hpp"
#include "spank/messages.hpp"
#include "spank/node_library.hpp"
#include "spank/spank_api.hpp"

namespace hyperacc::spank {

class NodeStep {
 public:
  // In init_post_opt, as root. `environment` is the step's before the plan was applied. Loads
  // nothing where neither feature is on.
  void prepare(Handle handle, StepKind kind, const Settings& settings, const Policy& policy,
               const Environment& environment, Messages& messages);

  // In task_init, as the user.
  void start_task(Handle handle, Messages& messages);

 private:
  std::string without_library() const;
  void check_huge_pages(Handle handle, const Policy& policy, Messages& messages);
  void bind(Handle handle, Messages& messages);
  void set_huge_pages(Messages& messages);

  const HyperaccNode* library_ = nullptr;
  std::optional<std::string> machine_;
  // Copied: the tasks are forked later, and the policy may be read anew.
  Setting numabind_;  // off: not asked, or not a step that is bound
  Setting thp_;
  HyperaccNodeStep* step_ = nullptr;
  std::string cpu_bind_type_;
  std::string mem_bind_type_;
  bool nested_ = false;
  bool cpus_per_task_asked_ = false;
};

}  // namespace hyperacc::spank

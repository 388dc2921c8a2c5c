// What a step has to say: to slurmd's log, and to the user who asked for something, once a task's
// stderr exists.
#pragma once

#include <string>
#include <vector>

#include "runtime/core/plan.hpp"
#include "runtime/core/policy.hpp"
#include "runtime/core/settings.hpp"

namespace hyperacc::spank {

class Messages {
 public:
  struct Audience {
    PolicyLog log = PolicyLog::info;  // slurmd's log takes this level and above
    LogLevel user = LogLevel::info;   // the user sees this level and above
    bool user_asked = false;          // else nothing is shown to the user
    bool first_node = true;           // shows what is said for the whole step
  };
  void set_audience(const Audience& audience) { audience_ = audience; }

  void add_step_wide(Message message) { entries_.push_back({std::move(message), true}); }
  // "on node n1" is put behind the text.
  void add_node_specific(Severity severity, const std::string& text);

  // In init_post_opt: what the user will not see goes to slurmd's log, the rest is held.
  void log();
  // In a task: everything held and everything added since. The first task of a node shows it (Slurm
  // copies that to slurmd's log); the others write what is new to the log.
  void show(bool first_task);

 private:
  struct Entry {
    Message message;
    bool step_wide;
  };
  bool user_sees(const Entry& entry) const;
  bool log_takes(const Entry& entry) const;

  Audience audience_;
  std::vector<Entry> entries_;
  std::size_t held_ = 0;  // of entries_, the first so many come from init_post_opt
};

}  // namespace hyperacc::spank

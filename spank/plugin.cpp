// The functions that Slurm calls. Each runs in a process of its kind (Context) and forwards to that
// context's file; none lets an error or an exception out.
#include "spank/configuration.hpp"
#include "spank/duplicates.hpp"
#include "spank/guard.hpp"
#include "spank/job_script.hpp"
#include "spank/local.hpp"
#include "spank/remote.hpp"
#include "spank/slurmd.hpp"
#include "spank/spank_api.hpp"

#define HYPERACC_CALLBACK extern "C" __attribute__((visibility("default"))) int

namespace hyperacc::spank {
namespace {

// All that the plugin keeps in one process.
struct Plugin {
  Duplicates duplicates;
  Configuration configuration;
  Command command;  // local, allocator
  Step step;        // remote
};
Plugin g_plugin;

int on_option(int, const char* text, int) noexcept {
  const Context where = context();
  const bool here = where == Context::local || where == Context::allocator;
  const bool typed = here && g_plugin.command.note_value(text);
  return guarded(Callback::option, typed ? -1 : 0, [&]() -> Result<int> {
    if (typed) return g_plugin.command.read_typed(where, text, g_plugin.configuration);
    if (where == Context::remote) g_plugin.step.take_option(text);
    return 0;
  });
}

Result<void> start(int count, char** arguments) {
  g_plugin.configuration = read_configuration(count, arguments);
  const Context where = context();
  if (where == Context::slurmd) return start_in_slurmd(g_plugin.configuration);
  if (where == Context::local || where == Context::allocator) return g_plugin.command.start(where);
  return {};
}

int on_init(Handle handle, int count, char** arguments) noexcept {
  if (!g_plugin.duplicates.takes_init()) {
    if (context() == Context::slurmd) log_info(g_plugin.duplicates.remark());
    return 0;
  }
  // First of all, so that a command with --hyperacc works whatever follows.
  register_option(handle, on_option);
  arm_fault(count, arguments);
  return guarded(Callback::init, 0, [&] { return start(count, arguments); });
}

Result<void> finish_options(Handle handle) {
  const Context where = context();
  if (where == Context::remote) return g_plugin.step.prepare(handle, g_plugin.configuration);
  return g_plugin.command.options_done(where);
}

// Runs `body` for the first of the calls that Slurm makes for one event.
template <class Body>
int once(Callback callback, Body&& body) noexcept {
  if (!g_plugin.duplicates.takes(callback)) return 0;
  return guarded(callback, 0, body);
}

}  // namespace
}  // namespace hyperacc::spank

using namespace hyperacc::spank;

HYPERACC_CALLBACK slurm_spank_init(Handle handle, int count, char** arguments) {
  return on_init(handle, count, arguments);
}

HYPERACC_CALLBACK slurm_spank_init_post_opt(Handle handle, int, char**) {
  return once(Callback::init_post_opt, [&] { return finish_options(handle); });
}

HYPERACC_CALLBACK slurm_spank_task_init(Handle handle, int, char**) {
  return once(Callback::task_init, [&] { return g_plugin.step.start_task(handle); });
}

HYPERACC_CALLBACK slurm_spank_job_prolog(Handle handle, int count, char** arguments) {
  arm_fault(count, arguments);
  return once(Callback::job_prolog, [&] { return job_prolog(handle, count, arguments); });
}

HYPERACC_CALLBACK slurm_spank_job_epilog(Handle handle, int count, char** arguments) {
  arm_fault(count, arguments);
  return once(Callback::job_epilog, [&] { return job_epilog(handle, count, arguments); });
}

#include "spank/remote.hpp"

#include <fmt/format.h>

#include <utility>

#include "spank/installation.hpp"
#include "spank/marks.hpp"
#include "spank/trusted_path.hpp"

namespace hyperacc::spank {
namespace {

// PREFIX's python folder; an error where another user could put modules into it.
Result<std::string> python_directory(const Policy& policy) {
  return library_directory(policy).and_then(
      [](const std::string& directory) { return trusted_path(directory + "/python"); });
}

}  // namespace

void Step::apply(Handle handle, const EnvironmentPatch& patch) {
  for (const auto& [name, value] : patch) {
    const Result<void> done =
        value ? set_variable(handle, name, *value) : unset_variable(handle, name);
    if (!done) messages_.add_node_specific(Severity::error, done.error().text);
  }
}

Result<void> Step::prepare(Handle handle, const Configuration& configuration) {
  if (!configuration) return {};
  const Result<StepKind> kind = step_kind(handle);
  if (!kind) return tl::unexpected(kind.error());
  if (*kind == StepKind::extern_step) return {};
  Result<Environment> environment = step_environment(handle);
  if (!environment) return tl::unexpected(environment.error());

  if (*configuration) {
    policy_ = **configuration;
    plan(handle, {*kind, option_, *std::move(environment), policy_, {}});
  } else {
    refuse(handle, {*kind, option_, *std::move(environment), {}, {}}, configuration->error());
  }
  messages_.log();
  return {};
}

void Step::plan(Handle handle, StepRequest request) {
  Result<std::string> directory = std::string();
  if (policy_.pythonpath != PythonPath::never) directory = python_directory(policy_);
  request.python_directory = directory.value_or("");

  StepPlan planned = plan_step(request);
  listen(handle, planned);
  for (Message& message : planned.messages) messages_.add_step_wide(std::move(message));
  if (!directory && (planned.settings.asked || policy_.pythonpath == PythonPath::always)) {
    messages_.add_node_specific(
        Severity::warning,
        fmt::format("the runtime is left out of PYTHONPATH: {}", directory.error().text));
  }
  node_.prepare(handle, request.kind, planned.settings, policy_, request.environment, messages_);
  apply(handle, planned.patch);
  drop_marks(handle, request.environment);
}

// The node has read what srun marked; a step nested in this one must not see it.
void Step::drop_marks(Handle handle, const Environment& environment) {
  EnvironmentPatch patch;
  for (const std::string_view mark : {kTypedMark, kNestedMark}) {
    if (lookup(environment, mark)) patch.emplace(mark, std::nullopt);
  }
  apply(handle, patch);
}

// A bad configuration may deny less than the admin meant: the plugin does nothing.
void Step::refuse(Handle handle, const StepRequest& request, const Error& error) {
  listen(handle, plan_step(request));
  messages_.add_node_specific(Severity::error,
                              fmt::format("{}; the job runs without HyperAcc", error.text));
  drop_marks(handle, request.environment);
}

void Step::listen(Handle handle, const StepPlan& planned) {
  messages_.set_audience({policy_.log, planned.settings.log_level.value, planned.user_asked,
                          node_index(handle).value_or(0) == 0});
}

Result<void> Step::start_task(Handle handle) {
  const Result<std::uint32_t> task = local_task_index(handle);
  const bool first = task.value_or(0) == 0;
  node_.start_task(handle, messages_);
  messages_.show(first);
  return {};
}

}  // namespace hyperacc::spank

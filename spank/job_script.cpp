#include "spank/job_script.hpp"

#include <unistd.h>

#include <optional>
#include <string>

#include "runtime/core/plan.hpp"
#include "runtime/core/settings.hpp"
#include "spank/configuration.hpp"
#include "spank/messages.hpp"
#include "spank/node_library.hpp"
#include "spank/whole_node.hpp"

namespace hyperacc::spank {
namespace {

// What the job itself was given; a step's option never comes here.
bool asks_for_system(Handle handle, const Policy& policy) {
  const std::optional<std::string> option = option_text(handle);
  if (!option) return false;
  const Settings settings = plan_step({StepKind::batch, option, {}, policy, {}}).settings;
  const Setting& thp = settings[Feature::thp];
  return thp.on && thp.mode == "system";
}

using Call = int(const char* machine, std::uint32_t job_id, HyperaccNodeReport* report);

Result<void> call(Handle handle, const Policy& policy, Call* HyperaccNode::*function) {
  const Result<std::uint32_t> job = job_id(handle);
  if (!job) return tl::unexpected(job.error());
  const Result<const HyperaccNode*> library = load_node_library(policy);
  if (!library) return fail("thp=system is left out: " + library.error().text);
  HyperaccNodeReport report{};
  ((*library)->*function)(machine_of(policy), *job, &report);
  Messages messages;
  messages.set_audience({policy.log, LogLevel::info, false, true});
  if (const std::optional<Message> message = message_of(report)) {
    messages.add_node_specific(message->severity, message->text);
  }
  messages.log();
  return {};
}

}  // namespace

Result<void> job_prolog(Handle handle, int count, char** arguments) {
  // A bad configuration is said when slurmd starts and in each step.
  const Result<Policy> policy = read_configuration(count, arguments);
  if (!policy || !policy->thp_system || !asks_for_system(handle, *policy)) return {};
  if (!is_whole_node(environment_from(environ), *policy, slurm_version())) return {};
  return call(handle, *policy, &HyperaccNode::acquire_thp);
}

Result<void> job_epilog(Handle handle, int count, char** arguments) {
  // The line may have changed since the prolog: what the job asked for counts too.
  const Policy policy = read_configuration(count, arguments).value_or(Policy{});
  if (!policy.thp_system && !asks_for_system(handle, policy)) return {};
  return call(handle, policy, &HyperaccNode::release_thp);
}

}  // namespace hyperacc::spank

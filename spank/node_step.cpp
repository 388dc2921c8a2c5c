#include "spank/node_step.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/core/record.hpp"
#include "runtime/core/variables.hpp"
#include "runtime/core/words.hpp"
#include "spank/marks.hpp"

namespace hyperacc::spank {
namespace {

void add(Messages& messages, const HyperaccNodeReport& report) {
  if (const std::optional<Message> message = message_of(report)) {
    messages.add_node_specific(message->severity, message->text);
  }
}

const char* word(const std::optional<std::string>& text) {
  return text ? text->c_str() : nullptr;
}

// Sets what the placement found in the task's environment, and records it there as ours.
Result<void> publish(Handle handle, const Environment& environment, Source source,
                     const HyperaccNodePlaced& placed) {
  std::vector<std::string> warnings;
  Record record = record_of(environment, warnings);  // init_post_opt has warned already
  const std::pair<std::string, std::string> values[] = {{"HA_CPUS", placed.ha_cpus},
                                                        {"HA_MEMS", placed.ha_mems}};
  bool changed = false;
  for (const auto& [name, value] : values) {
    if (value.empty()) continue;
    if (Result<void> done = set_variable(handle, name, value); !done) return done;
    record.push_back({source, name, value, lookup(environment, name)});
    changed = true;
  }
  if (!changed) return {};
  return set_variable(handle, std::string(kRecord), to_text(record));
}

}  // namespace

// The variables of thp are in the environment all the same, and do most of its work; thp=off has
// none.
std::string NodeStep::without_library() const {
  std::vector<std::string> parts;
  if (numabind_.on) parts.emplace_back("numabind is left out");
  if (thp_.on) {
    parts.emplace_back(thp_.mode == "off" ? "thp is left out" : "thp sets its variables only");
  }
  return join(parts, ", ");
}

void NodeStep::prepare(Handle handle, StepKind kind, const Settings& settings, const Policy& policy,
                       const Environment& environment, Messages& messages) {
  // A batch script or a shell is no task that works on an accelerator; its steps are.
  if (kind == StepKind::normal) numabind_ = settings[Feature::numabind];
  thp_ = settings[Feature::thp];
  if (!numabind_.on && !thp_.on) return;
  const Result<const HyperaccNode*> library = load_node_library(policy);
  if (!library) {
    messages.add_node_specific(Severity::warning,
                               fmt::format("{}: {}", without_library(), library.error().text));
    return;
  }
  library_ = *library;
  machine_ = policy.machine;
  if (thp_.on) check_huge_pages(handle, policy, messages);
  if (!numabind_.on) return;
  // Slurm writes its own choice into these later.
  cpu_bind_type_ = lookup(environment, "SLURM_CPU_BIND_TYPE").value_or("");
  mem_bind_type_ = lookup(environment, "SLURM_MEM_BIND_TYPE").value_or("");
  cpus_per_task_asked_ = lookup(environment, "SLURM_CPUS_PER_TASK").has_value();
  nested_ = lookup(environment, kNestedMark).has_value();
  const Result<std::uint32_t> tasks = local_task_count(handle);
  HyperaccNodeReport report{};
  if (tasks) step_ = library_->prepare_step(word(machine_), *tasks, &report);
  add(messages, report);
}

// thp=system is set up in job_prolog, for the whole job, or not at all.
void NodeStep::check_huge_pages(Handle handle, const Policy& policy, Messages& messages) {
  if (thp_.mode != "system" || !policy.thp_system) return;
  const Result<std::uint32_t> job = job_id(handle);
  if (job && library_->holds_thp(word(machine_), *job) == 1) return;
  messages.add_step_wide(
      {Severity::warning,
       "thp=system acts as thp=task here: it needs a job that has whole nodes and asks with its "
       "own --hyperacc"});
}

void NodeStep::start_task(Handle handle, Messages& messages) {
  if (library_ == nullptr) return;
  if (numabind_.on) bind(handle, messages);
  if (thp_.on) set_huge_pages(messages);
}

void NodeStep::bind(Handle handle, Messages& messages) {
  const Environment environment = step_environment(handle).value_or(Environment{});
  const std::string cpu_bind_list = lookup(environment, "SLURM_CPU_BIND_LIST").value_or("");
  std::vector<std::string> entries;
  std::vector<const char*> pointers;
  for (const auto& [name, value] : environment) entries.push_back(name + "=" + value);
  for (const std::string& entry : entries) pointers.push_back(entry.c_str());
  pointers.push_back(nullptr);

  HyperaccNodeTask task{};
  task.local_id = local_task_index(handle).value_or(0);
  if (cpus_per_task_asked_) task.cpus_per_task = step_cpus_per_task(handle).value_or(0);
  task.step_memory_mib = step_memory_mib(handle).value_or(0);
  task.mode = word(numabind_.mode);
  task.memory = word(numabind_.memory);
  task.cpu_bind_type = cpu_bind_type_.c_str();
  task.mem_bind_type = mem_bind_type_.c_str();
  task.nested = nested_ ? 1 : 0;
  task.cpu_bind_list = cpu_bind_list.c_str();
  task.environment = pointers.data();

  const auto placed = std::make_unique<HyperaccNodePlaced>();
  HyperaccNodeReport report{};
  library_->place_task(step_, &task, placed.get(), &report);
  add(messages, report);
  const Source source =
      numabind_.source == Source::cluster_default ? Source::cluster_default : Source::option;
  if (const Result<void> done = publish(handle, environment, source, *placed); !done) {
    messages.add_node_specific(Severity::error, done.error().text);
  }
}

void NodeStep::set_huge_pages(Messages& messages) {
  HyperaccNodeReport report{};
  library_->set_huge_pages(word(machine_), word(thp_.mode), &report);
  add(messages, report);
}

}  // namespace hyperacc::spank

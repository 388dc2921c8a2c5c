#include "runtime/node/bind_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "runtime/node/affinity.hpp"
#include "runtime/node/slurm_binding.hpp"

namespace hyperacc::node {
namespace {

constexpr std::chrono::milliseconds kMeetingLimit{2000};
constexpr std::uint64_t kMib = std::uint64_t{1024} * 1024;

// The CPUs of the step that the kernel lets this task use. Without Slurm's list, or where both have
// nothing in common (ids of another numbering), the mask found: staying in it is always right.
Bitmap allowed_cpus(const std::string& cpu_bind_list, const Bitmap& found) {
  const std::optional<Bitmap> step = step_cpus(cpu_bind_list);
  if (!step) return found;
  const Result<Bitmap> widest = widest_affinity();
  if (!widest || !widest->intersects(*step)) return found;
  return *widest & *step;
}

class TaskBinding {
 public:
  TaskBinding(const MachineView& machine, Meeting& meeting, const TaskRequest& request)
      : machine_(machine), meeting_(meeting), request_(request) {}

  TaskResult run() {
    const Result<Bitmap> found = get_affinity();
    if (!found) {
      add_message(result_.message, Severity::warning, found.error().text);
      return std::move(result_);
    }
    if (is_explicit_binding(request_.cpu_bind_type)) {
      keep_explicit_cpus(*found);
    } else {
      bind_cpus(*found);
    }
    return std::move(result_);
  }

 private:
  Bitmap memory_allowed() const {
    const Result<Bitmap> allowed = allowed_memory_nodes();
    if (allowed) return *allowed;
    Bitmap all;
    for (const NumaNode& node : machine_.topology.nodes) all.add(node.id);
    return all;
  }

  void keep_explicit_cpus(const Bitmap& found) {
    result_.cpus = Outcome::explicit_choice;
    result_.ha_cpus = "explicit";
    add_message(result_.message, request_.nested ? Severity::debug : Severity::warning,
                "an explicit CPU binding is in force: numabind leaves it alone");
    // Who asked for no binding at all gets memory placed only by asking for that, too.
    if (is_explicitly_none(request_.cpu_bind_type) && !request_.memory) return;
    set_memory(memory_of(machine_.topology, found, memory_allowed()));
  }

  void bind_cpus(const Bitmap& found) {
    PlacementRequest placement_request;
    placement_request.allowed = allowed_cpus(request_.cpu_bind_list, found);
    placement_request.memory_allowed = memory_allowed();
    placement_request.cpus_per_task = std::max(request_.cpus_per_task, 1U);
    placement_request.mode = request_.mode;
    std::size_t self = request_.local_id;
    const DeviceList mine = held_devices(machine_, request_.environment);
    std::optional<std::vector<DeviceList>> devices =
        meeting_.meet(request_.local_id, mine, kMeetingLimit);
    if (!devices) {
      // Others may see it otherwise, so nothing may depend on how many they are.
      devices = std::vector<DeviceList>{mine};
      placement_request.mode = BindMode::node;
      self = 0;
      add_message(result_.message, Severity::warning,
                  "not all tasks of the step came to the meeting: numabind acts as numabind=node");
    }
    placement_request.tasks = localities_of(machine_, *devices);
    const Placement placement = place(machine_.topology, placement_request);
    const TaskPlacement& place = placement.tasks[self];
    if (const Result<void> set = set_affinity(place.cpus); !set) {
      add_message(result_.message, Severity::warning, "numabind: " + set.error().text);
      return;
    }
    result_.cpus = Outcome::set;
    result_.ha_cpus = place.cpus.to_list();
    add_message(result_.message, Severity::info,
                fmt::format("task {}: CPUs {} ({}{})", request_.local_id, result_.ha_cpus,
                            name(placement.mode), place.home_known ? "" : ", home unknown"));
    set_memory(place.memory_nodes);
  }

  void set_memory(const Bitmap& nodes) {
    const Result<MemoryPolicy> policy = get_memory_policy();
    const bool chosen = policy && !policy->is_default();
    if (is_explicit_binding(request_.mem_bind_type) || chosen) {
      result_.memory = Outcome::explicit_choice;
      result_.ha_mems = "explicit";
      add_message(result_.message, Severity::debug,
                  "an explicit memory policy is in force: numabind leaves it alone");
      return;
    }
    const std::uint64_t share = request_.step_memory_mib * kMib / meeting_.tasks();
    const MemoryResult memory =
        bind_memory(machine_, request_.memory.value_or(MemoryMode::automatic), nodes, share);
    result_.memory = memory.outcome;
    result_.ha_mems = memory.ha_mems;
    add_message(result_.message, memory.message.severity, memory.message.text);
  }

  const MachineView& machine_;
  Meeting& meeting_;
  const TaskRequest& request_;
  TaskResult result_;
};

}  // namespace

void add_message(Message& total, Severity severity, const std::string& text) {
  if (text.empty()) return;
  total.severity = std::max(total.severity, severity);
  total.text += total.text.empty() ? text : "; " + text;
}

MemoryResult bind_memory(const MachineView& machine, MemoryMode mode, const Bitmap& nodes,
                         std::uint64_t share) {
  MemoryResult result;
  if (mode == MemoryMode::bind && share > 0) {
    const std::optional<std::uint64_t> available = available_memory(machine.root, nodes);
    if (available && *available < share) {
      mode = MemoryMode::automatic;
      add_message(result.message, Severity::warning,
                  fmt::format("NUMA nodes {} have {} MiB available and the task may need {} MiB: "
                              "memory is preferred there, not bound",
                              nodes.to_list(), *available / kMib, share / kMib));
    }
  }
  const PolicyOutcome outcome = set_memory_policy(mode, nodes);
  add_message(result.message, Severity::warning, outcome.warning);
  if (!outcome.set) return result;
  result.outcome = Outcome::set;
  result.ha_mems = outcome.policy.nodes.empty() ? "local" : outcome.policy.nodes.to_list();
  add_message(result.message, Severity::info,
              fmt::format("memory {} {}", name(outcome.policy), outcome.policy.nodes.to_list()));
  return result;
}

TaskResult bind_task(const MachineView& machine, Meeting& meeting, const TaskRequest& request) {
  return TaskBinding(machine, meeting, request).run();
}

}  // namespace hyperacc::node

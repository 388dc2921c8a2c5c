// Binding one task of a step: the calling process, before it becomes the user's program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/core/environment.hpp"
#include "runtime/core/plan.hpp"
#include "runtime/node/machine_view.hpp"
#include "runtime/node/meeting.hpp"
#include "runtime/node/memory_policy.hpp"
#include "runtime/node/placement.hpp"

namespace hyperacc::node {

// hyperacc_node.h explains the members.
struct TaskRequest {
  std::uint32_t local_id = 0;
  std::uint32_t cpus_per_task = 0;
  std::uint64_t step_memory_mib = 0;
  std::optional<BindMode> mode;
  std::optional<MemoryMode> memory;
  std::string cpu_bind_type;
  std::string mem_bind_type;
  bool nested = false;
  std::string cpu_bind_list;
  Environment environment;
};

enum class Outcome : std::uint8_t { unchanged, set, explicit_choice };

struct TaskResult {
  Outcome cpus = Outcome::unchanged;
  Outcome memory = Outcome::unchanged;
  std::string ha_cpus;  // the variables' values; empty: unset
  std::string ha_mems;
  Message message{Severity::debug, ""};
};

// Joins what several parts have to say; the severest counts.
void add_message(Message& total, Severity severity, const std::string& text);

TaskResult bind_task(const MachineView& machine, Meeting& meeting, const TaskRequest& request);

// The memory part, for CPUs that are settled. `share`: bytes that the process may come to need, 0:
// unknown; `bind` is not set where that much is not available.
struct MemoryResult {
  Outcome outcome = Outcome::unchanged;
  std::string ha_mems;
  Message message{Severity::debug, ""};
};
MemoryResult bind_memory(const MachineView& machine, MemoryMode mode, const Bitmap& nodes,
                         std::uint64_t share);

}  // namespace hyperacc::node

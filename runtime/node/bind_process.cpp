#include "runtime/node/bind_process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/core/words.hpp"
#include "runtime/machine/number.hpp"
#include "runtime/node/affinity.hpp"
#include "runtime/node/machine_view.hpp"
#include "runtime/node/placement.hpp"

namespace hyperacc::node {
namespace {

std::optional<std::uint32_t> number_in(const Environment& environment, std::string_view name) {
  const std::optional<std::string> text = lookup(environment, name);
  return text ? parse_number<std::uint32_t>(trim(*text)) : std::nullopt;
}

Share left_alone(std::string reason) {
  return {false, 0, 1, std::move(reason)};
}

// A policy that the plugin set for the task, which its ranks inherit, is ours to replace.
bool policy_is_ours(const Environment& environment, const MemoryPolicy& policy) {
  if (policy.is_default()) return true;
  const std::string told = lookup(environment, "HA_MEMS").value_or("");
  if (told == "local") return name(policy) == "local";
  const Result<Bitmap> nodes = Bitmap::parse_list(told);
  return nodes && !nodes->empty() && *nodes == policy.nodes;
}

ProcessResult unchanged(Severity severity, std::string text) {
  ProcessResult result;
  result.message = {severity, std::move(text)};
  return result;
}

void bind_own_memory(const MachineView& machine, const Environment& environment, MemoryMode mode,
                     const Bitmap& nodes, ProcessResult& result) {
  if (lookup(environment, "HA_MEMS").value_or("") == "explicit") return;
  const Result<MemoryPolicy> policy = get_memory_policy();
  if (policy && !policy_is_ours(environment, *policy)) {
    add_message(result.message, Severity::debug,
                "an explicit memory policy is in force: numabind leaves it alone");
    return;
  }
  const MemoryResult memory = bind_memory(machine, mode, nodes, 0);
  result.memory_nodes = memory.ha_mems;
  add_message(result.message, memory.message.severity, memory.message.text);
}

}  // namespace

Share share_of(const Environment& environment, const Bitmap& mask,
               const std::optional<Bitmap>& parent) {
  const std::string told = lookup(environment, "HA_CPUS").value_or("");
  if (told == "explicit") return left_alone("an explicit CPU binding is in force: left alone");
  const std::uint32_t ranks = number_in(environment, "LOCAL_WORLD_SIZE").value_or(1);
  const std::uint32_t rank = number_in(environment, "LOCAL_RANK").value_or(0);
  if (ranks == 0 || rank >= ranks) {
    return left_alone(
        fmt::format("LOCAL_RANK={} of LOCAL_WORLD_SIZE={} is no rank: left alone", rank, ranks));
  }
  if (!told.empty()) {
    const Result<Bitmap> task = Bitmap::parse_list(told);
    if (ranks == 1) return left_alone("bound to CPUs " + printable(told) + " already");
    if (!task || !(*task == mask)) {
      return left_alone(
          fmt::format("CPUs {} are not those of the task ({}): bound since, left alone",
                      mask.to_list(), printable(told)));
    }
    return {true, rank, ranks, ""};
  }
  if (ranks > 1 && parent && !(*parent == mask)) {
    return left_alone(
        fmt::format("the launcher bound this rank to CPUs {}: left alone", mask.to_list()));
  }
  return {true, rank, ranks, ""};
}

std::optional<std::vector<DeviceList>> devices_of_ranks(const DeviceList& mine,
                                                        std::uint32_t ranks) {
  if (mine.size() == 1 && ranks > 1) return std::nullopt;
  return std::vector<DeviceList>(ranks, mine);
}

ProcessResult bind_process(const Environment& environment, std::optional<BindMode> mode,
                           std::optional<MemoryMode> memory) {
  const Result<Bitmap> found = get_affinity();
  if (!found) return unchanged(Severity::warning, "numabind: " + found.error().text);
  std::optional<Bitmap> parent;
  if (const Result<Bitmap> mask = get_affinity(getppid())) parent = *mask;
  const Share share = share_of(environment, *found, parent);
  if (!share.act) return unchanged(Severity::debug, "numabind: " + share.reason);
  const Result<MachineView> machine = view_machine("/");
  if (!machine) return unchanged(Severity::warning, "numabind: " + machine.error().text);

  const DeviceList mine = held_devices(*machine, environment);
  const std::optional<std::vector<DeviceList>> all = devices_of_ranks(mine, share.ranks);
  PlacementRequest request;
  request.allowed = *found;
  if (const Result<Bitmap> nodes = allowed_memory_nodes()) request.memory_allowed = *nodes;
  request.mode = all ? mode : BindMode::node;
  request.tasks = localities_of(*machine, all.value_or(std::vector<DeviceList>{mine}));
  const Placement placement = place(machine->topology, request);
  const TaskPlacement& place = placement.tasks[all ? share.rank : 0];
  if (const Result<void> set = set_affinity(place.cpus); !set) {
    return unchanged(Severity::warning, "numabind: " + set.error().text);
  }
  ProcessResult result;
  result.done = true;
  result.cpus = place.cpus.to_list();
  result.ha_cpus = found->to_list();
  add_message(result.message, Severity::info,
              fmt::format("CPUs {} ({}{})", result.cpus, name(placement.mode),
                          place.home_known ? "" : ", home unknown"));
  bind_own_memory(*machine, environment, memory.value_or(MemoryMode::automatic), place.memory_nodes,
                  result);
  return result;
}

}  // namespace hyperacc::node

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/node/affinity.hpp"
#include "runtime/node/documents.hpp"
#include "runtime/node/machine_view.hpp"
#include "runtime/node/memory_policy.hpp"
#include "runtime/node/placement.hpp"
#include "runtime/node/placement_map.hpp"

namespace hyperacc::node {
namespace {

constexpr std::uint32_t kMostTasks = 4096;

struct Question {
  std::string machine;
  std::optional<std::uint32_t> tasks;
  std::optional<std::uint32_t> cpus_per_task;
  std::optional<BindMode> mode;
  MemoryMode memory = MemoryMode::automatic;
  std::optional<Bitmap> cpus;
  bool no_devices = false;
  std::optional<std::vector<DeviceList>> devices;
};

std::optional<std::vector<DeviceList>> device_lists(const Json& value) {
  std::vector<DeviceList> lists;
  if (!value.is_array()) return std::nullopt;
  for (const Json& list : value) {
    if (!list.is_array()) return std::nullopt;
    DeviceList& devices = lists.emplace_back();
    for (const Json& device : list) {
      if (!device.is_number_unsigned()) return std::nullopt;
      devices.push_back(device.get<std::size_t>());
    }
  }
  return lists;
}

void read_devices(RequestReader& reader, Question& question) {
  const Json& value = reader.member("devices");
  if (value.is_null() || value == "rank") return;
  if (value == "none") {
    question.no_devices = true;
    return;
  }
  question.devices = device_lists(value);
  if (!question.devices) reader.reject("'devices' must be \"rank\", \"none\" or a list of lists");
}

// Who holds what, one list a task.
std::vector<DeviceList> devices_of(const Question& question, std::size_t accelerators) {
  if (question.devices) return *question.devices;
  const std::size_t tasks =
      question.tasks.value_or(static_cast<std::uint32_t>(std::max<std::size_t>(accelerators, 1)));
  DeviceList all;
  for (std::size_t i = 0; i < accelerators && !question.no_devices; ++i) all.push_back(i);
  return std::vector<DeviceList>(tasks, all);
}

PlacementRequest placement_request(const MachineView& machine, const Question& question) {
  PlacementRequest request;
  request.mode = question.mode;
  request.cpus_per_task = question.cpus_per_task.value_or(1);
  request.allowed = machine.topology.cpus;
  for (const NumaNode& node : machine.topology.nodes) request.memory_allowed.add(node.id);
  if (machine.root.is_live()) {
    if (const Result<Bitmap> mask = get_affinity()) request.allowed = *mask;
    if (const Result<Bitmap> nodes = allowed_memory_nodes()) request.memory_allowed = *nodes;
  }
  if (question.cpus) request.allowed = *question.cpus;
  return request;
}

std::string policy_text(MemoryMode mode) {
  switch (mode) {
    case MemoryMode::automatic:
      return "preferred_many";
    case MemoryMode::bind:
      return "bind";
    case MemoryMode::local:
      return "local";
    case MemoryMode::none:
      break;
  }
  return "none";
}

Json nodes_json(const MachineView& machine, const Bitmap& allowed) {
  Json array = Json::array();
  for (const NumaNode& node : machine.topology.nodes) {
    array.push_back({{"id", node.id},
                     {"cpus", node.cpus.to_list()},
                     {"cpus_allowed", (node.cpus & allowed).to_list()},
                     {"memory_bytes", node.memory},
                     {"memory_only", node.cpus.empty()}});
  }
  return array;
}

Json accelerators_json(const MachineView& machine) {
  Json array = Json::array();
  for (std::size_t i = 0; i < machine.accelerators.size(); ++i) {
    Json nodes = Json::array();
    for (const NumaNode& node : machine.topology.nodes) {
      if (node.cpus.intersects(machine.near[i])) nodes.push_back(node.id);
    }
    const Bitmap& near = machine.near[i];
    array.push_back({{"index", i},
                     {"address", machine.accelerators[i].pci_address},
                     {"name", machine.accelerators[i].name},
                     {"cpus", near.empty() ? Json(nullptr) : Json(near.to_list())},
                     {"numa_nodes", std::move(nodes)}});
  }
  return array;
}

Json tasks_json(const Placement& placement, const std::vector<DeviceList>& used,
                const std::string& policy) {
  Json array = Json::array();
  for (std::size_t i = 0; i < placement.tasks.size(); ++i) {
    const TaskPlacement& task = placement.tasks[i];
    const bool has_memory = !task.memory_nodes.empty() || policy == "local";
    array.push_back({{"local_id", i},
                     {"accelerators", used[i]},
                     {"home", task.home.members()},
                     {"cpus", task.cpus.to_list()},
                     {"cpu_count", task.cpus.count()},
                     {"memory_nodes", task.memory_nodes.to_list()},
                     {"policy", has_memory ? policy : "none"},
                     {"shared", task.shared}});
  }
  return array;
}

}  // namespace

Json placement_document(const char* request_text) {
  RequestReader reader(request_text,
                       {"machine", "tasks", "cpus_per_task", "mode", "memory", "cpus", "devices"});
  Question question;
  question.machine = reader.machine();
  question.tasks = reader.number("tasks", 1, kMostTasks);
  question.cpus_per_task = reader.number("cpus_per_task", 1, Bitmap::kLargest);
  question.mode = reader.mode();
  question.memory = reader.memory().value_or(MemoryMode::automatic);
  question.cpus = reader.set("cpus");
  read_devices(reader, question);
  if (question.devices && question.tasks && question.devices->size() != *question.tasks) {
    reader.reject("'devices' must have one list a task");
  }
  if (reader.error()) return failure_document(FailureKind::usage, *reader.error());

  const Result<MachineView> machine = view_machine(question.machine);
  if (!machine) return failure_document(FailureKind::failure, machine.error().text);
  const std::vector<DeviceList> devices = devices_of(question, machine->accelerators.size());
  PlacementRequest request = placement_request(*machine, question);
  if (!request.allowed.intersects(machine->topology.cpus)) {
    return failure_document(
        FailureKind::usage,
        fmt::format("this machine has none of the CPUs {}, only {}", request.allowed.to_list(),
                    machine->topology.cpus.to_list()));
  }
  request.tasks = localities_of(*machine, devices);
  const Placement placement = place(machine->topology, request);
  const std::vector<DeviceList> used = used_devices(devices);
  const std::string policy = policy_text(question.memory);
  return {{"mode", name(placement.mode)},
          {"cpus", request.allowed.to_list()},
          {"numa_nodes", nodes_json(*machine, request.allowed)},
          {"accelerators", accelerators_json(*machine)},
          {"tasks", tasks_json(placement, used, policy)},
          {"drawing", draw({*machine, request, placement, used, policy})}};
}

}  // namespace hyperacc::node

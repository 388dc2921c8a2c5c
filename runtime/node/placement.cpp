#include "runtime/node/placement.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/node/slices.hpp"

namespace hyperacc::node {
namespace {

constexpr std::array<std::pair<BindMode, std::string_view>, 3> kModes = {{
    {BindMode::node, "node"},
    {BindMode::exclusive, "exclusive"},
    {BindMode::core_complex, "core-complex"},
}};

BindMode default_mode(const std::vector<Home>& homes) {
  const bool all_known =
      std::all_of(homes.begin(), homes.end(), [](const Home& home) { return home.known; });
  return homes.size() >= 2 && all_known ? BindMode::exclusive : BindMode::node;
}

std::vector<Bitmap> cpus_by_mode(BindMode mode, const std::vector<Domain>& domains,
                                 const std::vector<Home>& homes) {
  switch (mode) {
    case BindMode::exclusive:
      return core_slices(domains, homes);
    case BindMode::core_complex:
      return complex_slices(domains, homes);
    case BindMode::node:
      break;
  }
  return whole_homes(domains, homes);
}

void mark_shared(std::vector<TaskPlacement>& tasks) {
  Bitmap once;
  Bitmap twice;
  for (const TaskPlacement& task : tasks) {
    twice |= once & task.cpus;
    once |= task.cpus;
  }
  for (TaskPlacement& task : tasks) task.shared = task.cpus.intersects(twice);
}

}  // namespace

std::string_view name(BindMode mode) {
  return kModes[static_cast<std::size_t>(mode)].second;
}

std::optional<BindMode> find_bind_mode(std::string_view word) {
  for (const auto& [mode, text] : kModes) {
    if (text == word) return mode;
  }
  return std::nullopt;
}

Bitmap memory_of(const Topology& topology, const Bitmap& cpus, const Bitmap& memory_allowed) {
  Bitmap result;
  for (std::size_t from = 0; from < topology.nodes.size(); ++from) {
    if (!topology.nodes[from].cpus.intersects(cpus)) continue;
    // Memory-only nodes after all others, then by distance, then by id.
    std::pair<bool, std::uint32_t> best{true, UINT32_MAX};
    std::optional<unsigned> nearest;
    for (std::size_t to = 0; to < topology.nodes.size(); ++to) {
      const NumaNode& node = topology.nodes[to];
      if (node.memory == 0 || !memory_allowed.contains(node.id)) continue;
      const std::pair<bool, std::uint32_t> rank{node.cpus.empty(), topology.distances[from][to]};
      if (nearest && rank >= best) continue;
      best = rank;
      nearest = node.id;
    }
    const NumaNode& own = topology.nodes[from];
    if (own.memory != 0 && memory_allowed.contains(own.id)) nearest = own.id;
    if (nearest) result.add(*nearest);
  }
  return result;
}

Placement place(const Topology& topology, const PlacementRequest& request) {
  Placement placement;
  placement.tasks.resize(request.tasks.size());
  const std::vector<Domain> domains = make_domains(topology, request.allowed);
  if (request.tasks.empty()) return placement;
  if (domains.empty()) {
    // The topology does not know the step's CPUs: nothing better than what the step has.
    for (TaskPlacement& task : placement.tasks) task.cpus = request.allowed;
    mark_shared(placement.tasks);
    return placement;
  }

  const std::vector<Home> homes = find_homes(topology, domains, request.tasks);
  placement.mode = request.mode.value_or(default_mode(homes));
  std::vector<Bitmap> cpus = cpus_by_mode(placement.mode, domains, homes);
  keep_promise(topology, domains, homes, std::max(request.cpus_per_task, 1U), cpus);
  for (std::size_t i = 0; i < homes.size(); ++i) {
    TaskPlacement& task = placement.tasks[i];
    for (const std::size_t d : homes[i].domains) task.home.add(topology.nodes[domains[d].node].id);
    task.home_known = homes[i].known;
    task.cpus = std::move(cpus[i]);
    task.memory_nodes = memory_of(topology, task.cpus, request.memory_allowed);
  }
  mark_shared(placement.tasks);
  return placement;
}

}  // namespace hyperacc::node

#include "runtime/node/placement_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "runtime/core/words.hpp"
#include "runtime/node/domains.hpp"

namespace hyperacc::node {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::string_view kTaskNames =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

char task_name(std::size_t task) {
  return task < kTaskNames.size() ? kTaskNames[task] : '*';
}

char core_mark(const PlacementMap& map, const Bitmap& core) {
  if (!core.intersects(map.request.allowed)) return '-';
  char mark = '.';
  for (std::size_t i = 0; i < map.placement.tasks.size(); ++i) {
    if (!map.placement.tasks[i].cpus.intersects(core)) continue;
    if (mark != '.') return '+';
    mark = task_name(i);
  }
  return mark;
}

// `head` and then words, each with its own blanks, broken between them where the next does not fit.
std::string wrapped(const std::string& head, const std::vector<std::string>& words) {
  std::string page;
  std::string line = head;
  for (const std::string& word : words) {
    if (line.size() + word.size() > kColumns && line.size() > head.size()) {
      page += std::string(line, 0, line.find_last_not_of(' ') + 1) + '\n';
      line = std::string(head.size(), ' ');
    }
    line += word;
  }
  return page + std::string(line, 0, line.find_last_not_of(' ') + 1) + '\n';
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kGib = std::uint64_t{1} << 30;
  if (bytes == 0) return "no memory";
  if (bytes < kGib) return fmt::format("{} MiB", bytes >> 20);
  return fmt::format("{} GiB", bytes >> 30);
}

// One word an L3, longer ones in pieces.
std::vector<std::string> core_words(const PlacementMap& map, const Domain& domain) {
  constexpr std::size_t kLongest = 64;
  std::vector<std::string> words;
  std::size_t core = 0;
  for (const std::size_t size : domain.complexes) {
    for (std::size_t i = 0; i < size; ++i, ++core) {
      if (i % kLongest == 0) words.emplace_back(i == 0 ? " " : "");
      words.back() += core_mark(map, domain.cores[core]);
    }
  }
  return words;
}

bool is_near(const Bitmap& near, const NumaNode& node) {
  return !node.cpus.empty() && near.intersects(node.cpus);
}

std::string draw_node(const PlacementMap& map, const std::vector<Domain>& domains,
                      std::size_t position) {
  const NumaNode& node = map.machine.topology.nodes[position];
  std::string page = fmt::format("NUMA node {}: {}, {}\n", node.id,
                                 node.cpus.empty() ? "no CPUs" : "CPUs " + node.cpus.to_list(),
                                 size_text(node.memory));
  std::vector<std::string> near;
  for (std::size_t i = 0; i < map.machine.near.size(); ++i) {
    if (is_near(map.machine.near[i], node)) {
      near.push_back(fmt::format(" {} ({})", i, map.machine.accelerators[i].pci_address));
    }
  }
  if (!near.empty()) page += wrapped("  accelerators", near);
  for (const Domain& domain : domains) {
    if (domain.node == position) page += wrapped("  cores       ", core_words(map, domain));
  }
  return page;
}

std::string numbers(const DeviceList& list) {
  std::vector<std::string> words;
  for (const std::size_t each : list) words.push_back(fmt::format("{}", each));
  return words.empty() ? "-" : join(words, ",");
}

std::string draw_task(const PlacementMap& map, std::size_t i) {
  const TaskPlacement& task = map.placement.tasks[i];
  const std::string name = i < kTaskNames.size() && i >= 10
                               ? fmt::format("{} ({})", i, task_name(i))
                               : fmt::format("{}", i);
  const std::string memory = task.memory_nodes.empty() ? "-" : task.memory_nodes.to_list();
  const std::string head = fmt::format("  {:<8}{:<14}{:<8} ", name, numbers(map.used[i]), memory);
  std::vector<std::string> words = split(task.cpus.to_list(), ',');
  for (std::size_t w = 0; w + 1 < words.size(); ++w) words[w] += ',';
  words.push_back(fmt::format(" ({}{})", task.cpus.count(), task.shared ? ", shared" : ""));
  return wrapped(head, words);
}

}  // namespace

std::string draw(const PlacementMap& map) {
  const Topology& topology = map.machine.topology;
  // All that is online, so that what is not the step's shows, too.
  const std::vector<Domain> domains = make_domains(topology, topology.cpus);
  std::string page =
      fmt::format("numabind={}, memory {}, {} of {} CPUs\n\n", name(map.placement.mode), map.policy,
                  map.request.allowed.count(), topology.cpus.count());
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) page += draw_node(map, domains, i);
  std::vector<std::string> nowhere;
  for (std::size_t i = 0; i < map.machine.near.size(); ++i) {
    if (map.machine.near[i].empty()) {
      nowhere.push_back(fmt::format(" {} ({})", i, map.machine.accelerators[i].pci_address));
    }
  }
  if (!nowhere.empty()) page += wrapped("Accelerators near no NUMA node in particular:", nowhere);
  page +=
      "\nOne character a core: the task that may use it, + several, . none, - not the step's.\n\n";
  page += fmt::format("  {:<8}{:<14}{:<8} {}\n", "task", "accelerators", "memory", "CPUs");
  for (std::size_t i = 0; i < map.placement.tasks.size(); ++i) page += draw_task(map, i);
  return page;
}

}  // namespace hyperacc::node

#include "runtime/machine/numa_nodes.hpp"

#include <fmt/format.h>

#include "runtime/core/words.hpp"
#include "runtime/machine/cpu_list.hpp"
#include "runtime/machine/number.hpp"

namespace hyperacc {
namespace {

// "Node 0 MemTotal:       263845040 kB" → bytes; 0 where there is no such line.
std::uint64_t memory_line(std::string_view meminfo, std::string_view name) {
  const std::size_t start = meminfo.find(name);
  if (start == std::string_view::npos) return 0;
  const std::string_view rest = meminfo.substr(start + name.size());
  const std::string_view value = trim(rest.substr(0, rest.find('\n')));
  const auto kilobytes = parse_number<std::uint64_t>(value.substr(0, value.find(' ')));
  return kilobytes.value_or(0) * 1024;
}

}  // namespace

std::vector<NumaNode> numa_nodes(const RootDirectory& root) {
  constexpr std::string_view kNodes = "/sys/devices/system/node";
  std::vector<NumaNode> nodes;
  const auto online = parse_cpu_list(root.read_word(fmt::format("{}/online", kNodes)));
  for (const unsigned id : online.value_or(std::vector<unsigned>())) {
    const std::string path = fmt::format("{}/node{}", kNodes, id);
    const std::string meminfo = root.read_word(path + "/meminfo");
    NumaNode node;
    node.id = id;
    node.cpus = parse_cpu_list(root.read_word(path + "/cpulist")).value_or(std::vector<unsigned>());
    node.memory_bytes = memory_line(meminfo, " MemTotal:");
    node.free_bytes = memory_line(meminfo, " MemFree:");
    nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace hyperacc

#include "runtime/node/live_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "runtime/core/words.hpp"

namespace hyperacc::node {
namespace {

bool is_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

// Any user can give a process this title, so whose it is counts too.
bool is_roots(const RootDirectory& root, const std::string& folder) {
  const Result<std::string> status = root.read_file(folder + "/status");
  if (!status) return false;
  const std::vector<std::string> lines = split(*status, '\n');
  return std::any_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line.rfind("Uid:\t0\t", 0) == 0; });
}

}  // namespace

bool is_live_job(const RootDirectory& root, std::uint32_t job) {
  const std::string title = fmt::format("slurmstepd: [{}.", job);
  for (const std::string& name : root.names("/proc")) {
    if (!is_number(name)) continue;
    const std::string folder = "/proc/" + name;
    const Result<std::string> command = root.read_file(folder + "/cmdline");
    if (command && command->rfind(title, 0) == 0 && is_roots(root, folder)) return true;
  }
  return false;
}

}  // namespace hyperacc::node

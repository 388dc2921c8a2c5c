#include "runtime/node/memory_policy.hpp"

#include <fmt/format.h>
#include <numaif.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/core/words.hpp"
#include "runtime/machine/number.hpp"

namespace hyperacc::node {
namespace {

// Headers older than Linux 5.15 lack it.
#ifndef MPOL_PREFERRED_MANY
constexpr int MPOL_PREFERRED_MANY = 5;
#endif
#ifndef MPOL_F_STATIC_NODES
constexpr int MPOL_F_STATIC_NODES = 1 << 15;
#endif
constexpr int kModeFlags = 0x7 << 13;

// More nodes than any kernel is built for; the kernel accepts up to a page of bits.
constexpr std::size_t kNodeBits = 4096;
constexpr std::size_t kNodeWords = kNodeBits / (8 * sizeof(unsigned long));

constexpr std::array<std::pair<MemoryMode, std::string_view>, 4> kModes = {{
    {MemoryMode::automatic, "auto"},
    {MemoryMode::bind, "bind"},
    {MemoryMode::local, "local"},
    {MemoryMode::none, "none"},
}};

constexpr std::array<std::string_view, 6> kPolicies = {"default",    "preferred", "bind",
                                                       "interleave", "local",     "preferred_many"};

// 0 or an errno value.
int call_set(int mode, const Bitmap& nodes) {
  std::vector<unsigned long> words = nodes.to_words();
  words.resize(kNodeWords);
  // One more than there are bits: the kernel has always taken one off.
  const bool done = nodes.empty() ? set_mempolicy(mode, nullptr, 0) == 0
                                  : set_mempolicy(mode, words.data(), kNodeBits + 1) == 0;
  return done ? 0 : errno;
}

// "Node 0 MemFree:  123 kB" and the like.
std::optional<std::uint64_t> sum_of_fields(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kFields = {
      "MemFree:", "Active(file):", "Inactive(file):", "SReclaimable:"};
  std::uint64_t kib = 0;
  bool found = false;
  for (const std::string& line : split(text, '\n')) {
    for (const std::string_view field : kFields) {
      const std::size_t at = line.find(field);
      if (at == std::string::npos) continue;
      const std::string value(trim(std::string_view(line).substr(at + field.size())));
      kib += parse_number<std::uint64_t>(value.substr(0, value.find(' '))).value_or(0);
      found = true;
    }
  }
  if (!found) return std::nullopt;
  return kib * 1024;
}

}  // namespace

std::string_view name(MemoryMode mode) {
  return kModes[static_cast<std::size_t>(mode)].second;
}

std::optional<MemoryMode> find_memory_mode(std::string_view word) {
  for (const auto& [mode, text] : kModes) {
    if (text == word) return mode;
  }
  return std::nullopt;
}

bool MemoryPolicy::is_default() const {
  return mode == MPOL_DEFAULT;
}

std::string name(const MemoryPolicy& policy) {
  const auto mode = static_cast<std::size_t>(policy.mode);
  // MPOL_LOCAL reads back as MPOL_PREFERRED without nodes on kernels before 5.14.
  if (policy.mode == MPOL_PREFERRED && policy.nodes.empty()) return "local";
  return mode < kPolicies.size() ? std::string(kPolicies[mode]) : fmt::format("mode {}", mode);
}

Result<MemoryPolicy> get_memory_policy() {
  std::vector<unsigned long> words(kNodeWords);
  int mode = 0;
  if (get_mempolicy(&mode, words.data(), kNodeBits, nullptr, 0) != 0) {
    return fail(fmt::format("cannot read the memory policy: {}", std::strerror(errno)));
  }
  return MemoryPolicy{mode & ~kModeFlags, Bitmap::from_words(words)};
}

Result<Bitmap> allowed_memory_nodes() {
  std::vector<unsigned long> words(kNodeWords);
  if (get_mempolicy(nullptr, words.data(), kNodeBits, nullptr, MPOL_F_MEMS_ALLOWED) != 0) {
    return fail(fmt::format("cannot read the allowed NUMA nodes: {}", std::strerror(errno)));
  }
  return Bitmap::from_words(words);
}

PolicyOutcome set_memory_policy(MemoryMode mode, const Bitmap& nodes) {
  PolicyOutcome outcome;
  if (mode == MemoryMode::none) return outcome;
  if (nodes.empty() && mode != MemoryMode::local) {
    outcome.warning =
        "no NUMA node with memory is allowed near these CPUs: memory is left as it is";
    return outcome;
  }
  MemoryPolicy wanted{MPOL_LOCAL, {}};
  int error = 0;
  if (mode == MemoryMode::local) {
    error = call_set(MPOL_LOCAL, {});
  } else if (mode == MemoryMode::bind) {
    wanted = {MPOL_BIND, nodes};
    error = call_set(MPOL_BIND | MPOL_F_STATIC_NODES, nodes);
  } else {
    wanted = {MPOL_PREFERRED_MANY, nodes};
    error = call_set(MPOL_PREFERRED_MANY | MPOL_F_STATIC_NODES, nodes);
    if (error == EINVAL && nodes.count() == 1) {
      wanted.mode = MPOL_PREFERRED;
      error = call_set(MPOL_PREFERRED | MPOL_F_STATIC_NODES, nodes);
    }
  }
  if (error != 0) {
    outcome.warning = fmt::format("the kernel refuses the memory policy {} for NUMA nodes {}: {}",
                                  name(wanted), nodes.to_list(), std::strerror(error));
    return outcome;
  }
  const Result<MemoryPolicy> now = get_memory_policy();
  if (!now || name(*now) != name(wanted) || !(now->nodes == wanted.nodes)) {
    (void)call_set(MPOL_DEFAULT, {});
    outcome.warning =
        fmt::format("the memory policy {} did not hold: the default is back", name(wanted));
    return outcome;
  }
  outcome.set = true;
  outcome.policy = std::move(wanted);
  return outcome;
}

std::optional<std::uint64_t> available_memory(const RootDirectory& root, const Bitmap& nodes) {
  std::uint64_t sum = 0;
  for (const unsigned node : nodes.members()) {
    const Result<std::string> text =
        root.read_file(fmt::format("/sys/devices/system/node/node{}/meminfo", node));
    if (!text) return std::nullopt;
    const std::optional<std::uint64_t> bytes = sum_of_fields(*text);
    if (!bytes) return std::nullopt;
    sum += *bytes;
  }
  return sum;
}

}  // namespace hyperacc::node

// From which NUMA nodes the calling thread, and what it starts later, gets its memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/result.hpp"
#include "runtime/machine/root.hpp"
#include "runtime/node/bitmap.hpp"

namespace hyperacc::node {

// The part after '+' in numabind=MODE+MEMORY.
enum class MemoryMode : std::uint8_t {
  automatic,  // prefer the nodes, spill elsewhere when they are full
  bind,       // nowhere else: the process is killed when they are full
  local,      // the node of the CPU that touches a page first, as a policy of the process
  none,       // no call
};
std::string_view name(MemoryMode mode);
std::optional<MemoryMode> find_memory_mode(std::string_view word);

struct MemoryPolicy {
  int mode = 0;  // MPOL_…, without flags
  Bitmap nodes;

  bool is_default() const;
};
std::string name(const MemoryPolicy& policy);  // "preferred_many", …

Result<MemoryPolicy> get_memory_policy();
// NUMA nodes that this process may allocate from (the cpuset's).
Result<Bitmap> allowed_memory_nodes();

struct PolicyOutcome {
  bool set = false;
  MemoryPolicy policy;  // what is in force, where set
  std::string warning;  // empty, or why it is not what was asked
};

// Sets the policy of `mode` for `nodes` and reads it back. Never an error: where the kernel refuses
// (old kernel, seccomp), the policy found stays and the warning says so. automatic:
// MPOL_PREFERRED_MANY with static nodes, so that a change of the cpuset does not move it to nodes
// that nobody asked for; on kernels before 5.15 MPOL_PREFERRED if it is one node.
PolicyOutcome set_memory_policy(MemoryMode mode, const Bitmap& nodes);

// Free and easily reclaimed memory of `nodes`, bytes, as /sys tells; nothing where it does not.
std::optional<std::uint64_t> available_memory(const RootDirectory& root, const Bitmap& nodes);

}  // namespace hyperacc::node

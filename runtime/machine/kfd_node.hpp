// One node of the KFD topology, the kernel's list of what ROCm and DTK compute on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/machine/root.hpp"

namespace hyperacc {

struct KfdNode {
  std::string path;                // "/sys/class/kfd/kfd/topology/nodes/3"
  std::uint32_t vendor = 0;        // PCI vendor
  std::string gfx;                 // "gfx90a"; empty where the kernel is too old to say
  std::string address;             // PCI; nodes of one partitioned device share it
  std::uint32_t render_minor = 0;  // /dev/dri/renderD…, 0: none
  std::uint64_t unique_id = 0;     // 0: unknown
};

// gfx_target_version: 90010 → "gfx90a", 90208 → "gfx928", 110001 → "gfx1101". Empty for 0 and for
// what is no such number.
std::string gfx_name(std::uint32_t target_version);

// A node's `properties`; nothing for a CPU, and for a GPU that is neither AMD's nor Hygon's.
std::optional<KfdNode> parse_kfd_properties(std::string_view properties);

// The GPU nodes in the order in which the runtimes number them. The kernel does not let a process
// read the nodes of devices that its cgroup denies: those are left out.
std::vector<KfdNode> kfd_gpu_nodes(const RootDirectory& root);

}  // namespace hyperacc

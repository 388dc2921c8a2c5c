// One accelerator of this node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/machine/root.hpp"

namespace hyperacc {

enum class Vendor : std::uint8_t { nvidia, dcu, amd };
std::string_view name(Vendor vendor);  // "nvidia", …

struct Accelerator {
  Vendor vendor = Vendor::nvidia;
  std::string pci_address;    // "0000:17:00.0"; empty: unknown
  int numa_node = -1;         // -1: unknown
  std::string local_cpulist;  // "0-31,64-95"; empty: unknown. May be known where numa_node is not
  // What a process must be able to open to compute on it; the first is its own ("/dev/nvidia0",
  // "/dev/dri/renderD128"), others are shared ("/dev/kfd").
  std::vector<std::string> device_files;
  std::string name;  // "NVIDIA H100 80GB HBM3"; empty: unknown
  std::string uuid;  // "GPU-…" as the visibility variables take it; empty: unknown
  std::string gfx;   // "gfx90a"; empty for NVIDIA and where unknown
  // What says that it is there and that it is this vendor's:
  // "/proc/driver/nvidia/gpus/0000:17:00.0".
  std::vector<std::string> evidence;
};

// An accelerator at a PCI address, with what /sys says about the place; the rest is empty.
Accelerator accelerator_at(const RootDirectory& root, Vendor vendor, std::string_view pci_address);

}  // namespace hyperacc

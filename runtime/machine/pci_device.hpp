// What /sys says about one PCI device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/machine/root.hpp"

namespace hyperacc {

inline constexpr std::uint32_t kVendorNvidia = 0x10de;
inline constexpr std::uint32_t kVendorAmd = 0x1002;
// Hygon's accelerators, and its CPUs' bridges too: never evidence of an accelerator by itself.
inline constexpr std::uint32_t kVendorHygon = 0x1d94;

// "0000:17:00.0": domain, bus, device and function as /sys spells them.
bool is_pci_address(std::string_view text);
std::string pci_address(std::uint32_t domain, std::uint32_t bus, std::uint32_t device,
                        std::uint32_t function);

// "/sys/bus/pci/devices/0000:17:00.0"
std::string pci_path(std::string_view address);
bool has_pci_device(const RootDirectory& root, std::string_view address);
// 0: unknown, as inside some containers.
std::uint32_t pci_vendor(const RootDirectory& root, std::string_view address);
// A virtual function, which belongs to a guest: nothing on this host computes with it.
bool is_virtual_function(const RootDirectory& root, std::string_view address);
// The addresses that a kernel driver ("nvidia", "hycu") has taken, sorted.
std::vector<std::string> pci_devices_of_driver(const RootDirectory& root, std::string_view driver);

struct PciLocality {
  int numa_node = -1;         // -1: unknown
  std::string local_cpulist;  // "0-31,64-95"; empty: unknown. Independent of numa_node
};
// A device that names no NUMA node may sit below a bridge that does.
PciLocality pci_locality(const RootDirectory& root, std::string_view address);

}  // namespace hyperacc

#include "runtime/machine/accelerator.hpp"

#include <utility>

#include "runtime/machine/pci_device.hpp"

namespace hyperacc {

std::string_view name(Vendor vendor) {
  switch (vendor) {
    case Vendor::nvidia:
      return "nvidia";
    case Vendor::dcu:
      return "dcu";
    case Vendor::amd:
      return "amd";
  }
  return "";
}

Accelerator accelerator_at(const RootDirectory& root, Vendor vendor, std::string_view pci_address) {
  PciLocality locality = pci_locality(root, pci_address);
  Accelerator accelerator;
  accelerator.vendor = vendor;
  accelerator.pci_address = pci_address;
  accelerator.numa_node = locality.numa_node;
  accelerator.local_cpulist = std::move(locality.local_cpulist);
  return accelerator;
}

}  // namespace hyperacc

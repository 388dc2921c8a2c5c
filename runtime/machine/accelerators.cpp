#include "runtime/machine/accelerators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/machine/hygon_marker.hpp"
#include "runtime/machine/kfd_node.hpp"
#include "runtime/machine/nvidia_gpus.hpp"
#include "runtime/machine/pci_device.hpp"

namespace hyperacc {
namespace {

// Hygon's or AMD's, and what says so.
struct Maker {
  Vendor vendor = Vendor::amd;
  std::string evidence;
};

Maker maker_of(const RootDirectory& root, const KfdNode& node) {
  // The PCI id too, not only KFD's copy of it, which a fork of the driver may have left at AMD's.
  if (pci_vendor(root, node.address) == kVendorHygon) {
    return {Vendor::dcu, pci_path(node.address) + "/vendor is 0x1d94"};
  }
  if (node.vendor == kVendorHygon) return {Vendor::dcu, "its vendor_id is 0x1d94"};
  if (is_hygon_isa(node.gfx)) return {Vendor::dcu, "its ISA is " + node.gfx};
  if (is_shared_isa(node.gfx)) {
    std::string marker = find_hygon_marker(root);
    if (!marker.empty()) return {Vendor::dcu, std::move(marker)};
  }
  return {Vendor::amd, "its vendor_id is 0x1002"};
}

Accelerator from_kfd_node(const RootDirectory& root, const KfdNode& node) {
  Maker maker = maker_of(root, node);
  Accelerator device = accelerator_at(root, maker.vendor, node.address);
  if (node.render_minor != 0) {
    device.device_files.push_back(fmt::format("/dev/dri/renderD{}", node.render_minor));
  }
  device.device_files.emplace_back("/dev/kfd");
  device.name = root.read_word(pci_path(node.address) + "/product_name");
  if (node.unique_id != 0) device.uuid = fmt::format("GPU-{:016x}", node.unique_id);
  device.gfx = node.gfx;
  device.evidence = {node.path, std::move(maker.evidence)};
  return device;
}

// A device that Hygon's driver holds and that KFD does not show (to this process).
Accelerator from_hygon_driver(const RootDirectory& root, const std::string& driver,
                              const std::string& address) {
  Accelerator device = accelerator_at(root, Vendor::dcu, address);
  for (const std::string& node : root.names(pci_path(address) + "/drm")) {
    if (node.rfind("renderD", 0) == 0) device.device_files.push_back("/dev/dri/" + node);
  }
  device.device_files.emplace_back("/dev/kfd");
  device.name = root.read_word(pci_path(address) + "/product_name");
  device.evidence = {fmt::format("/sys/bus/pci/drivers/{}/{}", driver, address)};
  return device;
}

void add_hygon_devices(const RootDirectory& root, std::vector<Accelerator>& found) {
  for (const std::string& driver : root.names("/sys/bus/pci/drivers")) {
    if (!is_hygon_driver(driver)) continue;
    for (const std::string& address : pci_devices_of_driver(root, driver)) {
      const bool known = std::any_of(found.begin(), found.end(), [&](const Accelerator& each) {
        return each.pci_address == address;
      });
      if (known || pci_vendor(root, address) != kVendorHygon) continue;
      if (is_virtual_function(root, address)) continue;
      found.push_back(from_hygon_driver(root, driver, address));
    }
  }
}

}  // namespace

std::vector<Accelerator> find_accelerators(const RootDirectory& root) {
  std::vector<Accelerator> found = find_nvidia_gpus(root);
  for (const KfdNode& node : kfd_gpu_nodes(root)) found.push_back(from_kfd_node(root, node));
  add_hygon_devices(root, found);
  return found;
}

}  // namespace hyperacc

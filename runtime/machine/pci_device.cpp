#include "runtime/machine/pci_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/words.hpp"
#include "runtime/machine/number.hpp"

namespace hyperacc {

bool is_pci_address(std::string_view text) {
  const std::size_t bus = text.find(':');
  // Domains above 0xffff exist (VMD, Hyper-V), so only the rest has a fixed width: ":17:00.0".
  if (bus == std::string_view::npos || bus < 4 || text.size() != bus + 8) return false;
  const auto hexadecimal = [](std::string_view digits) {
    return digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  };
  return text[bus + 3] == ':' && text[bus + 6] == '.' && hexadecimal(text.substr(0, bus)) &&
         hexadecimal(text.substr(bus + 1, 2)) && hexadecimal(text.substr(bus + 4, 2)) &&
         hexadecimal(text.substr(bus + 7, 1));
}

std::string pci_address(std::uint32_t domain, std::uint32_t bus, std::uint32_t device,
                        std::uint32_t function) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function);
}

std::string pci_path(std::string_view address) {
  return fmt::format("/sys/bus/pci/devices/{}", address);
}

bool has_pci_device(const RootDirectory& root, std::string_view address) {
  return root.exists(pci_path(address));
}

std::uint32_t pci_vendor(const RootDirectory& root, std::string_view address) {
  const std::string text = root.read_word(pci_path(address) + "/vendor");  // "0x10de"
  if (text.rfind("0x", 0) != 0) return 0;
  return parse_number<std::uint32_t>(text.substr(2), 16).value_or(0);
}

bool is_virtual_function(const RootDirectory& root, std::string_view address) {
  return root.read_link(pci_path(address) + "/physfn").has_value();
}

std::vector<std::string> pci_devices_of_driver(const RootDirectory& root, std::string_view driver) {
  // The folder also holds "bind", "new_id", "module" and the like.
  std::vector<std::string> addresses = root.names(fmt::format("/sys/bus/pci/drivers/{}", driver));
  std::erase_if(addresses, [](const std::string& name) { return !is_pci_address(name); });
  return addresses;
}

PciLocality pci_locality(const RootDirectory& root, std::string_view address) {
  PciLocality locality;
  const std::string path = pci_path(address);
  locality.local_cpulist = root.read_word(path + "/local_cpulist");
  const auto node_of = [&root](const std::string& directory) {
    return parse_number<int>(root.read_word(directory + "/numa_node")).value_or(-1);
  };
  locality.numa_node = node_of(path);
  if (locality.numa_node >= 0) return locality;
  // ../../../devices/pci0000:16/0000:16:02.0/0000:17:00.0
  const Result<std::string> link = root.read_link(path);
  if (!link) return locality;
  std::vector<std::string> chain = split(*link, '/');
  chain.pop_back();
  for (auto bridge = chain.rbegin(); bridge != chain.rend() && is_pci_address(*bridge); ++bridge) {
    locality.numa_node = node_of(pci_path(*bridge));
    if (locality.numa_node >= 0) break;
  }
  return locality;
}

}  // namespace hyperacc

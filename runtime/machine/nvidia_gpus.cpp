#include "runtime/machine/nvidia_gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "runtime/core/words.hpp"
#include "runtime/machine/number.hpp"
#include "runtime/machine/pci_device.hpp"

namespace hyperacc {
namespace {

constexpr std::string_view kGpus = "/proc/driver/nvidia/gpus";

using Information = std::map<std::string, std::string, std::less<>>;

// "Device Minor: \t 0" a line.
Information parse_information(std::string_view text) {
  Information information;
  for (const std::string& line : split(text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    information.emplace(trim(std::string_view(line).substr(0, colon)),
                        trim(std::string_view(line).substr(colon + 1)));
  }
  return information;
}

std::string value_of(const Information& information, std::string_view name) {
  const auto found = information.find(name);
  return found == information.end() ? "" : found->second;
}

std::vector<Accelerator> from_driver(const RootDirectory& root) {
  std::vector<Accelerator> gpus;
  for (const std::string& address : root.names(kGpus)) {
    const std::string path = fmt::format("{}/{}", kGpus, address);
    const Result<std::string> text = root.read_file(path + "/information");
    if (!text || !is_pci_address(address)) continue;
    const Information information = parse_information(*text);
    // The administrator took it away from the driver: no process can open it.
    if (value_of(information, "GPU Excluded") == "Yes") continue;
    Accelerator gpu = accelerator_at(root, Vendor::nvidia, address);
    gpu.name = value_of(information, "Model");
    gpu.uuid = value_of(information, "GPU UUID");
    // Question marks until some process has opened the device.
    if (gpu.uuid.find('?') != std::string::npos) gpu.uuid.clear();
    const auto minor = parse_number<std::uint32_t>(value_of(information, "Device Minor"));
    if (minor) gpu.device_files.push_back(fmt::format("/dev/nvidia{}", *minor));
    gpu.evidence.push_back(path);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

// "nvidia3" → 3; not nvidiactl, nvidia-uvm, nvidia-caps.
std::vector<std::uint32_t> device_minors(const RootDirectory& root) {
  constexpr std::string_view kPrefix = "nvidia";
  std::vector<std::uint32_t> minors;
  for (const std::string& name : root.names("/dev")) {
    if (name.rfind(kPrefix, 0) != 0) continue;
    const auto minor = parse_number<std::uint32_t>(std::string_view(name).substr(kPrefix.size()));
    if (minor && root.is_device("/dev/" + name)) minors.push_back(*minor);
  }
  std::sort(minors.begin(), minors.end());
  return minors;
}

std::vector<Accelerator> from_device_files(const RootDirectory& root) {
  // Device files outlive their driver; where /sys shows modules, it must show this one.
  if (root.exists("/sys/module") && !root.exists("/sys/module/nvidia")) return {};
  const std::vector<std::uint32_t> minors = device_minors(root);
  if (minors.empty()) return {};
  std::vector<std::string> addresses = pci_devices_of_driver(root, "nvidia");
  std::erase_if(addresses,
                [&](const std::string& each) { return is_virtual_function(root, each); });

  std::vector<Accelerator> gpus;
  // A container shows the whole host's PCI devices but only some device files, and nothing says
  // which belong together.
  const bool one_of_each = minors.size() == 1 && addresses.size() == 1;
  for (const std::uint32_t minor : minors) {
    Accelerator gpu;
    if (one_of_each) gpu = accelerator_at(root, Vendor::nvidia, addresses.front());
    gpu.vendor = Vendor::nvidia;
    gpu.device_files.push_back(fmt::format("/dev/nvidia{}", minor));
    gpu.evidence = gpu.device_files;
    if (one_of_each) gpu.evidence.push_back("/sys/bus/pci/drivers/nvidia/" + gpu.pci_address);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

}  // namespace

std::vector<Accelerator> find_nvidia_gpus(const RootDirectory& root) {
  std::vector<Accelerator> gpus = from_driver(root);
  return gpus.empty() ? from_device_files(root) : gpus;
}

}  // namespace hyperacc

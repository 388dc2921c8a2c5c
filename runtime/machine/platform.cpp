#include "runtime/machine/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

constexpr std::array<Vendor, 3> kVendors = {Vendor::nvidia, Vendor::dcu, Vendor::amd};

Platform platform_of(Vendor vendor) {
  switch (vendor) {
    case Vendor::nvidia:
      return Platform::nvidia;
    case Vendor::dcu:
      return Platform::dcu;
    case Vendor::amd:
      return Platform::amd;
  }
  return Platform::none;
}

// "8 × nvidia: NVIDIA H100 80GB HBM3 (first by /proc/driver/nvidia/gpus/0000:17:00.0)"
std::string summary(Vendor vendor, const std::vector<Accelerator>& accelerators) {
  const Accelerator* first = nullptr;
  std::size_t count = 0;
  std::vector<std::string> kinds;
  for (const Accelerator& each : accelerators) {
    if (each.vendor != vendor) continue;
    if (count++ == 0) first = &each;
    std::string kind = each.name.empty() ? each.gfx : each.name;
    if (kind.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    kinds.push_back(std::move(kind));
  }
  return fmt::format("{} × {}{}{} ({}{})", count, name(vendor), kinds.empty() ? "" : ": ",
                     join(kinds, ", "),
                     count == 1 ? "" : "the first: ", join(first->evidence, ", "));
}

bool has(Vendor vendor, const std::vector<Accelerator>& accelerators) {
  return std::any_of(accelerators.begin(), accelerators.end(),
                     [vendor](const Accelerator& each) { return each.vendor == vendor; });
}

}  // namespace

DetectedPlatform detect_platform(const std::vector<Accelerator>& accelerators) {
  DetectedPlatform detected;
  for (const Vendor vendor : kVendors) {
    if (!has(vendor, accelerators)) continue;
    detected.platform = detected.platform == Platform::none ? platform_of(vendor) : Platform::mixed;
    detected.evidence.push_back(summary(vendor, accelerators));
  }
  if (detected.evidence.empty()) {
    detected.evidence.emplace_back(
        "no GPU in /proc/driver/nvidia/gpus, no /dev/nvidia0 with its driver, no GPU node in "
        "/sys/class/kfd/kfd/topology, no device of Hygon's driver");
  }
  return detected;
}

DetectedPlatform narrow(const DetectedPlatform& node, const std::vector<Accelerator>& accelerators,
                        const Visibility& visibility) {
  if (node.platform != Platform::mixed) return node;
  std::vector<Accelerator> visible;
  for (const std::size_t device : visibility.devices) visible.push_back(accelerators[device]);
  if (visibility.unidentified_nvidia > 0 && !has(Vendor::nvidia, visible)) {
    const auto any = std::find_if(accelerators.begin(), accelerators.end(),
                                  [](const auto& each) { return each.vendor == Vendor::nvidia; });
    if (any != accelerators.end()) visible.push_back(*any);
  }

  DetectedPlatform narrowed = node;
  narrowed.platform = detect_platform(visible).platform;
  narrowed.evidence.push_back(narrowed.platform == Platform::none
                                  ? "this process sees none of them"
                                  : fmt::format("this process sees {} of them", visible.size()));
  return narrowed;
}

}  // namespace hyperacc

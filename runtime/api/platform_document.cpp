#include "runtime/api/platform_document.hpp"

#include <algorithm>

#include "runtime/machine/accelerators.hpp"

namespace hyperacc::api {
namespace {

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json accelerator_json(const Accelerator& accelerator, bool visible) {
  return {{"vendor", name(accelerator.vendor)},
          {"name", text_or_null(accelerator.name)},
          {"gfx", text_or_null(accelerator.gfx)},
          {"uuid", text_or_null(accelerator.uuid)},
          {"pci_address", text_or_null(accelerator.pci_address)},
          {"numa_node", accelerator.numa_node < 0 ? Json(nullptr) : Json(accelerator.numa_node)},
          {"local_cpus", text_or_null(accelerator.local_cpulist)},
          {"device_files", accelerator.device_files},
          {"visible", visible},
          {"evidence", accelerator.evidence}};
}

}  // namespace

Detection detect(const RootDirectory& root, const Environment& environment) {
  Detection detection;
  detection.accelerators = find_accelerators(root);
  detection.visibility =
      visible_devices(environment, detection.accelerators, openable(root, detection.accelerators));
  detection.platform =
      narrow(detect_platform(detection.accelerators), detection.accelerators, detection.visibility);
  return detection;
}

Json accelerators_json(const Detection& detection) {
  const std::vector<std::size_t>& visible = detection.visibility.devices;
  Json accelerators = Json::array();
  for (std::size_t i = 0; i < detection.accelerators.size(); ++i) {
    const bool sees = std::find(visible.begin(), visible.end(), i) != visible.end();
    accelerators.push_back(accelerator_json(detection.accelerators[i], sees));
  }
  return accelerators;
}

Json platform_json(const Detection& detection) {
  return {{"name", name(detection.platform.platform)},
          {"from", "detected"},
          {"evidence", detection.platform.evidence},
          {"accelerators", accelerators_json(detection)},
          {"notes", detection.visibility.notes}};
}

Json platform_json(Platform platform, const char* from) {
  return {{"name", name(platform)},
          {"from", from},
          {"evidence", Json::array()},
          {"accelerators", Json::array()},
          {"notes", Json::array()}};
}

}  // namespace hyperacc::api

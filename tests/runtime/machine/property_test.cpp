// Whatever the files and variables hold.
#include <rapidcheck/catch.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "runtime/core/words.hpp"
#include "runtime/machine/kfd_node.hpp"
#include "runtime/machine/path_text.hpp"
#include "runtime/machine/plugin_configuration.hpp"
#include "runtime/machine/visibility.hpp"
#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;

namespace {

std::string text_of(const std::vector<std::string>& pieces) {
  return *rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                       [](const std::vector<std::string>& parts) { return join(parts, ""); });
}

std::vector<Accelerator> some_accelerators() {
  std::vector<Accelerator> node(*rc::gen::inRange<std::size_t>(0, 6));
  for (std::size_t i = 0; i < node.size(); ++i) {
    node[i].vendor = *rc::gen::element(Vendor::nvidia, Vendor::dcu, Vendor::amd);
    node[i].uuid = *rc::gen::element("", "GPU-a0", "GPU-a1");
    node[i].name = *rc::gen::element("", "T4");
  }
  return node;
}

}  // namespace

TEST_CASE("a process never sees a device twice, nor one that it may not open") {
  rc::prop("for any variables", [] {
    const std::vector<Accelerator> node = some_accelerators();
    std::vector<bool> openable;
    for (std::size_t i = 0; i < node.size(); ++i) openable.push_back(*rc::gen::arbitrary<bool>());
    Environment environment;
    for (const char* name :
         {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}) {
      if (*rc::gen::arbitrary<bool>()) continue;
      environment[name] =
          text_of({",", "0", "1", "2", "GPU-", "a", "MIG-", "GPU-a0", "/", " ", "x", "-1"});
    }
    const Visibility visibility = visible_devices(environment, node, openable);
    const std::set<std::size_t> distinct(visibility.devices.begin(), visibility.devices.end());
    RC_ASSERT(distinct.size() == visibility.devices.size());
    for (const std::size_t device : visibility.devices) RC_ASSERT(openable.at(device));
  });
}

TEST_CASE("plugstack.conf may hold anything") {
  rc::prop("every line found names the plugin and stands where it says", [] {
    const test::ScratchMachine machine;
    const std::string text = text_of({"optional", "required", "include", " ", "\t", "\n", "\n", "#",
                                      "\r", "\\", "\"", "/p/spank_hyperacc.so", "spank_hyperacc.so",
                                      "default=all", "*", "plugstack.conf"});
    machine.write("/etc/slurm/plugstack.conf", text);
    const PluginConfiguration found = read_plugin_configuration(machine.root(), {});
    const std::vector<std::string> lines = split(text, '\n');
    for (const PluginLine& line : found.lines) {
      RC_ASSERT(trim(base_name(line.path)) == kPluginFile);
      RC_ASSERT(lines.at(line.line - 1).find(line.path) != std::string::npos);
    }
    // Silence would mean that all is well.
    RC_ASSERT(!found.lines.empty() || !found.problems.empty());
  });
}

TEST_CASE("KFD properties may hold anything") {
  rc::prop("a node that is accepted is a GPU with an address", [] {
    const std::string text =
        text_of({"simd_count ", "vendor_id ", "gfx_target_version ", "4098", "7572", "90010", "0",
                 "\n", " ", "-1", "18446744073709551615", "location_id "});
    const std::optional<KfdNode> node = parse_kfd_properties(text);
    if (node) RC_ASSERT(node->address.size() >= 12);
  });
}

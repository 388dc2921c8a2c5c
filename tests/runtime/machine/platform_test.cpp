#include "runtime/machine/platform.hpp"

#include <catch2/catch.hpp>

#include "runtime/machine/accelerators.hpp"
#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using Strings = std::vector<std::string>;

namespace {

Accelerator of(Vendor vendor) {
  Accelerator accelerator;
  accelerator.vendor = vendor;
  accelerator.evidence = {"seen"};
  return accelerator;
}

Visibility seeing(std::vector<std::size_t> devices, std::size_t unidentified_nvidia = 0) {
  return {std::move(devices), unidentified_nvidia, {}};
}

}  // namespace

TEST_CASE("the platform is that of the accelerators") {
  CHECK(detect_platform({}).platform == Platform::none);
  CHECK(detect_platform({of(Vendor::nvidia)}).platform == Platform::nvidia);
  CHECK(detect_platform({of(Vendor::dcu), of(Vendor::dcu)}).platform == Platform::dcu);
  CHECK(detect_platform({of(Vendor::amd)}).platform == Platform::amd);
  CHECK(detect_platform({of(Vendor::nvidia), of(Vendor::amd)}).platform == Platform::mixed);
  CHECK(detect_platform({of(Vendor::dcu), of(Vendor::amd)}).platform == Platform::mixed);
  CHECK(detect_platform({of(Vendor::amd), of(Vendor::dcu), of(Vendor::nvidia)}).platform ==
        Platform::mixed);
}

TEST_CASE("the evidence names count, kind and source") {
  const auto evidence_of = [](std::string_view machine) {
    return detect_platform(find_accelerators(test::recorded_machine(machine))).evidence;
  };
  CHECK(evidence_of("nvidia_8gpu") == Strings{"8 × nvidia: NVIDIA A100-SXM4-80GB (the first: "
                                              "/proc/driver/nvidia/gpus/0000:07:00.0)"});
  CHECK(evidence_of("nvidia_container") == Strings{"1 × nvidia (/dev/nvidia1)"});
  CHECK(evidence_of("mixed") ==
        Strings{"1 × nvidia: NVIDIA GeForce RTX 4090 (/proc/driver/nvidia/gpus/0000:17:00.0)",
                "1 × amd: gfx90a (/sys/class/kfd/kfd/topology/nodes/2, its vendor_id is 0x1002)"});
  CHECK(evidence_of("bare").size() == 1);
}

TEST_CASE("unlike accelerators of one vendor are all named") {
  Accelerator first = of(Vendor::nvidia);
  first.name = "NVIDIA A100";
  Accelerator second = of(Vendor::nvidia);
  second.name = "NVIDIA L4";
  CHECK(detect_platform({first, second, first}).evidence ==
        Strings{"3 × nvidia: NVIDIA A100, NVIDIA L4 (the first: seen)"});
}

TEST_CASE("a mixed node is narrowed by what the process sees") {
  const std::vector<Accelerator> node = {of(Vendor::nvidia), of(Vendor::amd), of(Vendor::amd)};
  const DetectedPlatform mixed = detect_platform(node);
  CHECK(narrow(mixed, node, seeing({0})).platform == Platform::nvidia);
  CHECK(narrow(mixed, node, seeing({1, 2})).platform == Platform::amd);
  CHECK(narrow(mixed, node, seeing({0, 2})).platform == Platform::mixed);
  CHECK(narrow(mixed, node, seeing({})).platform == Platform::none);
  CHECK(narrow(mixed, node, seeing({}, 1)).platform == Platform::nvidia);
  CHECK(narrow(mixed, node, seeing({1}, 1)).platform == Platform::mixed);
  CHECK(narrow(mixed, node, seeing({1, 2})).evidence.back() == "this process sees 2 of them");
  CHECK(narrow(mixed, node, seeing({})).evidence.back() == "this process sees none of them");
}

TEST_CASE("any other node stays what it is") {
  const std::vector<Accelerator> node = {of(Vendor::nvidia)};
  CHECK(narrow(detect_platform(node), node, seeing({})).platform == Platform::nvidia);
  CHECK(narrow(detect_platform({}), {}, seeing({})).platform == Platform::none);
}

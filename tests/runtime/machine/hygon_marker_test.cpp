#include "runtime/machine/hygon_marker.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;

TEST_CASE("ISA names") {
  for (const char* gfx : {"gfx926", "gfx928", "gfx92a", "gfx936", "gfx938", "gfx946"}) {
    CAPTURE(gfx);
    CHECK(is_hygon_isa(gfx));
    CHECK_FALSE(is_shared_isa(gfx));
  }
  for (const char* gfx : {"", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx9280"}) {
    CAPTURE(gfx);
    CHECK_FALSE(is_hygon_isa(gfx));
  }
  CHECK(is_shared_isa("gfx906"));
  CHECK_FALSE(is_shared_isa("gfx90a"));
}

TEST_CASE("the kernel module has several names") {
  for (const char* module : {"hycu", "hydcu", "hyhcu"}) CHECK(is_hygon_driver(module));
  for (const char* module : {"hyu", "hyperv_fb", "amdgpu", "nvidia", "hy", "cu", "xhycu"}) {
    CAPTURE(module);
    CHECK_FALSE(is_hygon_driver(module));
  }
}

TEST_CASE("each marker alone is found") {
  const auto marker_of = [](std::string_view path) {
    const ScratchMachine machine;
    machine.write(path);
    return find_hygon_marker(machine.root());
  };
  CHECK(marker_of("/dev/mkfd") == "/dev/mkfd");
  CHECK(marker_of("/sys/module/hydcu/version") == "/sys/module/hydcu");
  CHECK(marker_of("/opt/hyhal/bin/hy-smi") == "/opt/hyhal");
  CHECK(marker_of("/usr/local/hyhal/bin/hy-smi") == "/usr/local/hyhal");
  CHECK(marker_of("/opt/dtk/.info/rocm_version") == "/opt/dtk/.info/rocm_version");
}

TEST_CASE("what is no marker") {
  const ScratchMachine machine;
  machine.write("/opt/dtk/cuda/cuda-12/lib64/libcudart.so.12");
  machine.write("/opt/rocm/.info/version");
  machine.write("/dev/kfd");
  machine.write("/sys/module/amdgpu/version");
  CHECK(find_hygon_marker(machine.root()).empty());
}

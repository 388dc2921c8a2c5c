#include "runtime/machine/thp_state.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;

TEST_CASE("the chosen word of each knob") {
  const ScratchMachine machine;
  machine.write("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
  machine.write("/sys/kernel/mm/transparent_hugepage/defrag",
                "always defer [defer+madvise] madvise never\n");
  machine.write("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "536870912\n");
  const ThpState state = thp_state(machine.root());
  CHECK(state.supported);
  CHECK(state.enabled == "never");
  CHECK(state.defrag == "defer+madvise");
  CHECK(state.huge_page_bytes == 536870912);  // an Arm kernel with pages of 64 KiB: not 2 MiB
}

TEST_CASE("a kernel without transparent huge pages") {
  const ThpState state = thp_state(ScratchMachine().root());
  CHECK_FALSE(state.supported);
  CHECK(state.enabled.empty());
  CHECK(state.huge_page_bytes == 0);
}

TEST_CASE("a knob without a chosen word") {
  for (const char* text : {"always madvise never", "]always[never", "[", ""}) {
    CAPTURE(text);
    const ScratchMachine machine;
    machine.write("/sys/kernel/mm/transparent_hugepage/enabled", text);
    CHECK_FALSE(thp_state(machine.root()).supported);
  }
}

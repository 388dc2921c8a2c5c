#include "runtime/node/slurm_binding.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc::node;

TEST_CASE("a binding is the user's where a type is named, none included") {
  for (const char* type : {"none", "cores", "threads", "mask_cpu:", "map_cpu:", "rank_ldom",
                           "cores,mask_cpu:", "verbose,none", "local", "prefer,map_mem:"}) {
    INFO(type);
    CHECK(is_explicit_binding(type));
  }
  for (const char* type : {"", "quiet", "verbose", "verbose,", " quiet ", ","}) {
    INFO(type);
    CHECK_FALSE(is_explicit_binding(type));
  }
}

TEST_CASE("none is a word of the type, not a part of one") {
  // Guards the substring tests that launchers parse Slurm's binding with.
  CHECK(is_explicitly_none("none"));
  CHECK(is_explicitly_none("quiet,none"));
  CHECK_FALSE(is_explicitly_none("nonesuch"));
  CHECK_FALSE(is_explicitly_none("mask_cpu:0xnone"));
  CHECK_FALSE(is_explicitly_none(""));
}

TEST_CASE("the step's CPUs are the union of all masks") {
  CHECK(step_cpus("0x00000003,0x0000000C")->to_list() == "0-3");
  CHECK(step_cpus("0xFF")->to_list() == "0-7");
}

TEST_CASE("a list that is not masks tells nothing") {
  for (const char* text : {"", "0,1", "0x3,4", "0x", "(null)", "0x0", "0x3,"}) {
    INFO(text);
    CHECK_FALSE(step_cpus(text));
  }
}

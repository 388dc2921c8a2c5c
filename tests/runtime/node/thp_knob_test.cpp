#include "runtime/node/thp_knob.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/node/folder.hpp"

using namespace hyperacc::node;

TEST_CASE("the chosen word of a switch") {
  const Folder folder;
  const auto word = [&](const std::string& text) {
    folder.write(std::string(kThpEnabled), text);
    return read_knob(folder.root(), kThpEnabled);
  };
  CHECK(word("always [madvise] never\n") == "madvise");
  CHECK(word("[always] madvise never\n") == "always");
  CHECK(word("never\n") == "never");
  CHECK(word("") == "");
  CHECK(read_knob(folder.root(), "/missing") == "");
  CHECK(read_knob(folder.root(), "") == "");
}

TEST_CASE("writing a switch reads back, and says where it cannot") {
  const Folder folder;
  folder.write(std::string(kThpEnabled), "always [madvise] never\n");
  REQUIRE(write_knob(folder.root(), kThpEnabled, "always"));
  CHECK(read_knob(folder.root(), kThpEnabled) == "always");
  REQUIRE(write_knob(folder.root(), kThpEnabled, "madvise"));
  CHECK(read_knob(folder.root(), kThpEnabled) == "madvise");
  const auto missing = write_knob(folder.root(), "/sys/none", "always");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().text.find("/sys/none") == 0);
}

TEST_CASE("the switch of the huge page size that the machine has") {
  const Folder folder;
  CHECK(pmd_knob(folder.root()).empty());
  folder.write(std::string(kThpEnabled), "[always]\n");
  folder.write("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "536870912\n");
  CHECK(pmd_knob(folder.root()).empty());
  const std::string path = "/sys/kernel/mm/transparent_hugepage/hugepages-524288kB/enabled";
  folder.write(path, "[inherit]\n");
  CHECK(pmd_knob(folder.root()) == path);
}

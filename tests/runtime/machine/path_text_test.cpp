#include "runtime/machine/path_text.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc;

TEST_CASE("parts of a path") {
  CHECK(parent_path("/etc/slurm/slurm.conf") == "/etc/slurm");
  CHECK(parent_path("/x") == "");
  CHECK(parent_path("x") == "");
  CHECK(base_name("/etc/slurm/slurm.conf") == "slurm.conf");
  CHECK(base_name("slurm.conf") == "slurm.conf");
  CHECK(base_name("/etc/") == "");
}

TEST_CASE("a relative name lies beside the file that mentions it") {
  CHECK(beside("/etc/slurm/slurm.conf", "plugstack.conf") == "/etc/slurm/plugstack.conf");
  CHECK(beside("/etc/slurm/slurm.conf", "d/*.conf") == "/etc/slurm/d/*.conf");
  CHECK(beside("/etc/slurm/slurm.conf", "/opt/p.conf") == "/opt/p.conf");
}

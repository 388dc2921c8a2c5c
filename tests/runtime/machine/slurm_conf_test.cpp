#include "runtime/machine/slurm_conf.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;

namespace {

std::optional<std::string> value_in(std::string_view text) {
  const ScratchMachine machine;
  machine.write("/etc/slurm/slurm.conf", text);
  return slurm_conf_value(machine.root(), "/etc/slurm/slurm.conf", "PlugStackConfig");
}

}  // namespace

TEST_CASE("where slurm.conf is") {
  const ScratchMachine machine;
  CHECK(slurm_conf_path(machine.root(), {{"SLURM_CONF", "/opt/s/slurm.conf"}}) ==
        "/opt/s/slurm.conf");
  CHECK(slurm_conf_path(machine.root(), {}) == "/etc/slurm/slurm.conf");
  CHECK(slurm_conf_path(machine.root(), {{"SLURM_CONF", ""}}) == "/etc/slurm/slurm.conf");
  machine.write("/run/slurm/conf/slurm.conf");  // configless
  CHECK(slurm_conf_path(machine.root(), {}) == "/run/slurm/conf/slurm.conf");
  machine.write("/etc/slurm/slurm.conf");
  CHECK(slurm_conf_path(machine.root(), {}) == "/etc/slurm/slurm.conf");
}

TEST_CASE("values") {
  CHECK(value_in("ClusterName=c\nPlugStackConfig=/p.conf\n") == "/p.conf");
  CHECK(value_in("plugstackconfig = /p.conf") == "/p.conf");
  CHECK(value_in("  PlugStackConfig=/p.conf  # ours\r\n") == "/p.conf");
  CHECK(value_in("PlugStackConfig=\"/with blank/p.conf\"") == "/with blank/p.conf");
  CHECK(value_in("PlugStackConfig=/a\nPlugStackConfig=/b\n") == "/b");
  CHECK(value_in("PlugStackConfig=/a\\#b\n") == "/a#b");
  CHECK(value_in("PlugStackConfig=\\\n/p.conf\n") == "/p.conf");
  CHECK(value_in("ClusterName=c \\\nPlugStackConfig=/p.conf\n") == std::nullopt);
  CHECK(value_in("#PlugStackConfig=/p.conf\n") == std::nullopt);
  CHECK(value_in("XPlugStackConfig=/p.conf\n") == std::nullopt);
  CHECK(value_in("PlugStackConfig /p.conf\n") == std::nullopt);
  CHECK(value_in("") == std::nullopt);
  // An even number of backslashes is no continuation.
  CHECK(value_in("Prolog=/x\\\\\nPlugStackConfig=/p.conf\n") == "/p.conf");
}

TEST_CASE("included files") {
  const ScratchMachine machine;
  machine.write(
      "/etc/slurm/slurm.conf",
      "PlugStackConfig=/first\nInclude sub/more.conf  # comment\n include ignored.conf\n");
  machine.write("/etc/slurm/sub/more.conf", "PlugStackConfig=/second\ninclude /abs.conf\n");
  machine.write("/etc/slurm/ignored.conf", "PlugStackConfig=/ignored\n");
  const auto value = [&machine] {
    return slurm_conf_value(machine.root(), "/etc/slurm/slurm.conf", "PlugStackConfig");
  };
  CHECK(value() == "/second");
  machine.write("/abs.conf", "PlugStackConfig=/third\ninclude /abs.conf\n");  // in a circle
  CHECK(value() == "/third");
}

TEST_CASE("a file that is not there has no value") {
  CHECK_FALSE(slurm_conf_value(ScratchMachine().root(), "/etc/slurm/slurm.conf", "PluginDir"));
}

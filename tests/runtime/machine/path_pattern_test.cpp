#include "runtime/machine/path_pattern.hpp"

#include <glob.h>

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;
using Paths = std::vector<std::string>;

namespace {

// What the C library finds, with the machine's folder taken off the front again.
Paths glob_paths(const ScratchMachine& machine, const std::string& pattern) {
  glob_t found{};
  Paths paths;
  if (glob(machine.host_path(pattern).c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) {
      paths.push_back(std::string(found.gl_pathv[i]).substr(machine.host_path("").size()));
    }
  }
  globfree(&found);
  return paths;
}

}  // namespace

TEST_CASE("patterns match what glob(3) matches, in its order") {
  const ScratchMachine machine;
  for (const char* path :
       {"/etc/slurm/p.d/b.conf", "/etc/slurm/p.d/a.conf", "/etc/slurm/p.d/.c.conf",
        "/etc/slurm/p.d/a.conf.rpmnew", "/etc/slurm/p.d/[x].conf", "/etc/slurm/p-d/z.conf",
        "/etc/slurm/p/y.conf", "/etc/slurm/one.conf"}) {
    machine.write(path);
  }
  const RootDirectory root = machine.root();
  CHECK(matching_paths(root, "/etc/slurm/p.d/*.conf") ==
        Paths{"/etc/slurm/p.d/[x].conf", "/etc/slurm/p.d/a.conf", "/etc/slurm/p.d/b.conf"});
  for (const char* pattern :
       {"/etc/slurm/p.d/*.conf", "/etc/slurm/*/*.conf", "/etc/*/one.conf",
        "/etc/slurm/p.d/[ab].conf", "/etc/slurm/p.d/?.conf", "/etc/slurm/p.d/\\[x\\].conf",
        "/etc/slurm/one.conf", "/etc/slurm/none.conf", "/etc/slurm/p.d/.*.conf",
        "/etc/slurm/none/*", "/etc/slurm/p.d/[!a]*"}) {
    CAPTURE(pattern);
    CHECK(matching_paths(root, pattern) == glob_paths(machine, pattern));
  }
}

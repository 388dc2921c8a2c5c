// A node with the switches of transparent huge pages, for tests of the restore record.
#pragma once

#include <string>

#include "runtime/node/thp_knob.hpp"
#include "runtime/node/thp_store.hpp"
#include "tests/runtime/node/folder.hpp"

namespace hyperacc::node {

class ThpMachine : public Folder {
 public:
  static constexpr const char* kPmd =
      "/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled";

  // `pmd`: the switch of 2 MiB pages, "inherit" on an ordinary machine.
  explicit ThpMachine(const std::string& enabled = "madvise", const std::string& pmd = "inherit") {
    write(std::string(kThpEnabled), enabled + "\n");
    write("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
    write(kPmd, pmd + "\n");
    write("/proc/sys/kernel/random/boot_id", "boot-1\n");
    write("/run/utmp", "");
  }

  std::string enabled() const { return read_knob(root(), kThpEnabled); }
  std::string pmd() const { return read_knob(root(), kPmd); }
  bool has_record() const { return exists(std::string(kThpRecord)); }

  void start_step(const std::string& job) const {
    write("/proc/7" + job + "/cmdline", "slurmstepd: [" + job + ".0]");
    write("/proc/7" + job + "/status", "Name:\tslurmstepd\nUid:\t0\t0\t0\t0\n");
  }
  void end_step(const std::string& job) const { remove("/proc/7" + job); }
  void reboot() const {
    write("/proc/sys/kernel/random/boot_id", "boot-2\n");
    write(std::string(kThpEnabled), "madvise\n");
  }
};

}  // namespace hyperacc::node

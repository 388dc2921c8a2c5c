#include "runtime/node/thp_system.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "runtime/node/thp_record.hpp"
#include "tests/runtime/node/in_child.hpp"
#include "tests/runtime/node/thp_machine.hpp"

using namespace hyperacc::node;
using hyperacc::Severity;

TEST_CASE("prolog sets the switch, epilog puts it back") {
  const ThpMachine machine;
  const ThpAnswer acquired = acquire_thp(machine.root(), 12);
  CHECK(acquired.result == ThpResult::done);
  CHECK(acquired.message.text ==
        "thp=system, job 12: /sys/kernel/mm/transparent_hugepage/enabled madvise -> always");
  CHECK(machine.enabled() == "always");
  CHECK(machine.pmd() == "inherit");
  CHECK(holds_thp(machine.root(), 12));
  CHECK_FALSE(holds_thp(machine.root(), 13));

  const ThpAnswer released = release_thp(machine.root(), 12);
  CHECK(released.result == ThpResult::done);
  CHECK(released.message.text ==
        "thp=system, job 12: /sys/kernel/mm/transparent_hugepage/enabled always -> madvise");
  CHECK(machine.enabled() == "madvise");
  CHECK_FALSE(machine.has_record());
  CHECK_FALSE(holds_thp(machine.root(), 12));
}

TEST_CASE("the switch of the huge page size is set only where it does not inherit") {
  const ThpMachine machine("madvise", "never");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(machine.enabled() == "always");
  CHECK(machine.pmd() == "always");
  CHECK(release_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(machine.enabled() == "madvise");
  CHECK(machine.pmd() == "never");
}

TEST_CASE("nothing else below /sys is written") {
  const ThpMachine machine;
  const std::string defrag = "/sys/kernel/mm/transparent_hugepage/defrag";
  machine.write(defrag, "always defer defer+madvise [madvise] never\n");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(machine.read(defrag) == "always defer defer+madvise [madvise] never\n");
}

TEST_CASE("a node that is as wanted needs no record") {
  const ThpMachine machine("always");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::nothing);
  CHECK_FALSE(machine.has_record());
  CHECK(release_thp(machine.root(), 12).result == ThpResult::nothing);
  CHECK(machine.enabled() == "always");
}

TEST_CASE("a kernel without huge pages fails the job's wish only") {
  const ThpMachine machine;
  machine.remove("/sys");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::failed);
  CHECK_FALSE(machine.has_record());
}

TEST_CASE("an epilog of a job that asked nothing makes no folder") {
  const ThpMachine machine;
  CHECK(release_thp(machine.root(), 12).result == ThpResult::nothing);
  CHECK(reap_thp(machine.root(), false).result == ThpResult::nothing);
  CHECK_FALSE(machine.exists("/run/hyperacc"));
}

// The rows of the crash table; what dies in the middle of a function is in thp_kill_test.cpp.

TEST_CASE("row: a killed task or slurmstepd; the epilog restores") {
  const ThpMachine machine;
  machine.start_step("12");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  machine.end_step("12");
  CHECK(machine.enabled() == "always");
  CHECK(release_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(machine.enabled() == "madvise");
}

TEST_CASE("row: slurmd restarts while the job runs; its record stays until the epilog") {
  const ThpMachine machine;
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  machine.start_step("12");
  CHECK(reap_thp(machine.root(), false).result == ThpResult::nothing);
  CHECK(machine.enabled() == "always");
  CHECK(machine.has_record());
  CHECK(release_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(machine.enabled() == "madvise");
}

TEST_CASE("row: the job ended while slurmd was down; slurmd's start restores") {
  const ThpMachine machine;
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(reap_thp(machine.root(), false).result == ThpResult::done);
  CHECK(machine.enabled() == "madvise");
  CHECK_FALSE(machine.has_record());
}

TEST_CASE("row: the node crashed; the record of another boot is dropped, nothing is written") {
  for (const bool by_prolog : {false, true}) {
    const ThpMachine machine;
    CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
    machine.start_step("12");  // a job of that number again
    machine.reboot();
    machine.write(std::string(kThpEnabled), "always [madvise] never\n");
    if (by_prolog) {
      CHECK(acquire_thp(machine.root(), 99).result == ThpResult::done);
      CHECK(machine.enabled() == "always");
      CHECK(release_thp(machine.root(), 99).result == ThpResult::done);
    } else {
      CHECK_FALSE(holds_thp(machine.root(), 12));
      CHECK(reap_thp(machine.root(), false).result == ThpResult::done);
    }
    CHECK(machine.enabled() == "madvise");
    CHECK_FALSE(machine.has_record());
  }
}

TEST_CASE("row: the node booted with \"always\"; that is nobody's to restore") {
  const ThpMachine machine;
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  machine.reboot();
  machine.write(std::string(kThpEnabled), "[always] madvise never\n");
  CHECK(release_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(machine.enabled() == "always");
  CHECK_FALSE(machine.has_record());
}

TEST_CASE("row: a second job while the first lives acts as thp=task, and its epilog leaves it") {
  const ThpMachine machine;
  machine.start_step("12");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  const ThpAnswer second = acquire_thp(machine.root(), 13);
  CHECK(second.result == ThpResult::downgraded);
  CHECK(second.message.severity == Severity::warning);
  CHECK(second.message.text.find("job 12 holds") != std::string::npos);
  CHECK(release_thp(machine.root(), 13).result == ThpResult::nothing);
  CHECK(machine.enabled() == "always");
  CHECK(release_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(machine.enabled() == "madvise");
}

TEST_CASE("row: the first job is gone without an epilog; the next prolog restores, then sets") {
  const ThpMachine machine;
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(acquire_thp(machine.root(), 13).result == ThpResult::done);
  CHECK(machine.enabled() == "always");
  CHECK(holds_thp(machine.root(), 13));
  CHECK(release_thp(machine.root(), 13).result == ThpResult::done);
  CHECK(machine.enabled() == "madvise");  // and not "always", which job 13 found
}

TEST_CASE("row: the prolog runs again for the same job") {
  const ThpMachine machine;
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  machine.start_step("12");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(release_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(machine.enabled() == "madvise");
}

TEST_CASE("row: an admin changed the switch meanwhile; it is left") {
  const ThpMachine machine("madvise", "never");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  machine.write(std::string(kThpEnabled), "always madvise [never]\n");
  const ThpAnswer released = release_thp(machine.root(), 12);
  CHECK(released.result == ThpResult::kept);
  CHECK(released.message.severity == Severity::warning);
  CHECK(machine.enabled() == "never");
  CHECK(machine.pmd() == "never");
  CHECK_FALSE(machine.has_record());
}

TEST_CASE("row: the plugin is removed while a job runs; restore refuses, unless forced") {
  const ThpMachine machine;
  machine.start_step("12");
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  CHECK(reap_thp(machine.root(), false).result == ThpResult::nothing);
  CHECK(reap_thp(machine.root(), true).result == ThpResult::done);
  CHECK(machine.enabled() == "madvise");
  // The job's own epilog comes later.
  CHECK(release_thp(machine.root(), 12).result == ThpResult::nothing);
}

TEST_CASE("a switch that cannot be written takes the others back") {
  // The second switch is a folder: reading its word would not do, writing it fails.
  const ThpMachine machine("madvise", "never");
  const std::string pmd = machine.path() + ThpMachine::kPmd;
  machine.write("/elsewhere", "never\n");
  machine.remove(ThpMachine::kPmd);
  REQUIRE(symlink("/elsewhere", pmd.c_str()) == 0);
  const ThpAnswer answer = acquire_thp(machine.root(), 12);
  CHECK(answer.result == ThpResult::failed);
  CHECK(answer.message.severity == Severity::error);
  CHECK(machine.enabled() == "madvise");
  CHECK_FALSE(machine.has_record());
  CHECK(machine.read("/elsewhere") == "never\n");
}

TEST_CASE("a damaged record stops one prolog, and no later one") {
  const ThpMachine machine;
  CHECK(acquire_thp(machine.root(), 12).result == ThpResult::done);
  machine.write(std::string(kThpRecord), "{");
  CHECK(acquire_thp(machine.root(), 13).result == ThpResult::failed);
  CHECK(machine.exists("/run/hyperacc/thp/record.damaged"));
  CHECK(acquire_thp(machine.root(), 14).result == ThpResult::nothing);
}

#include "runtime/node/thp_store.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/runtime/node/in_child.hpp"
#include "tests/runtime/node/thp_machine.hpp"

using namespace hyperacc::node;
using namespace std::chrono_literals;

namespace {

const ThpRecord kRecord = {
    "boot-1", 12, {{"/sys/kernel/mm/transparent_hugepage/enabled", "madvise", "always"}}};

}  // namespace

TEST_CASE("a record is written, read and removed") {
  const ThpMachine machine;
  CHECK(*read_thp_record(machine.root()) == std::nullopt);
  auto store = ThpStore::lock(machine.root(), 1s);
  REQUIRE(store);
  REQUIRE(store->write(kRecord));
  CHECK(*read_thp_record(machine.root()) == kRecord);
  REQUIRE(store->remove());
  CHECK_FALSE(machine.has_record());
  CHECK(store->remove());
}

TEST_CASE("only one process holds the lock, and a dead one does not") {
  const ThpMachine machine;
  auto store = ThpStore::lock(machine.root(), 1s);
  REQUIRE(store);
  const std::string seen = in_child([&] {
    const auto other = ThpStore::lock(machine.root(), 50ms);
    return other ? std::string("both") : other.error().text;
  });
  CHECK(seen == "/run/hyperacc/thp/lock: another process holds it");
  const ThpMachine second;
  // Guards the semaphore of an ancestor of this design that a killed slurmstepd left taken for
  // ever.
  CHECK(in_child([&] {
          auto held = ThpStore::lock(second.root(), 1s);
          if (held) _exit(1);
          return std::string();
        }).find("no answer") == 0);
  CHECK(ThpStore::lock(second.root(), 0ms));
}

TEST_CASE("users may read the record and may not take the lock, whatever the umask") {
  for (const mode_t mask : {mode_t{0077}, mode_t{0}}) {
    const ThpMachine machine;
    const mode_t before = umask(mask);
    {
      auto store = ThpStore::lock(machine.root(), 1s);
      REQUIRE(store->write(kRecord));
    }
    umask(before);
    const auto mode = [&](const char* file) {
      struct stat status {};
      REQUIRE(stat((machine.path() + file).c_str(), &status) == 0);
      return status.st_mode & 0777;
    };
    CHECK(mode("/run/hyperacc/thp") == 0755);
    CHECK(mode("/run/hyperacc/thp/record") == 0644);
    CHECK(mode("/run/hyperacc/thp/lock") == 0600);
  }
}

TEST_CASE("a folder that others may write to, or a link, is not ours") {
  const ThpMachine open_folder;
  open_folder.write("/run/hyperacc/thp/x", "");
  REQUIRE(chmod((open_folder.path() + "/run/hyperacc").c_str(), 0777) == 0);
  CHECK_FALSE(ThpStore::lock(open_folder.root(), 0ms));

  const ThpMachine linked;
  linked.write("/elsewhere/x", "");
  REQUIRE(symlink("../elsewhere", (linked.path() + "/run/hyperacc").c_str()) == 0);
  CHECK_FALSE(ThpStore::lock(linked.root(), 0ms));
}

TEST_CASE("another user's folder is not ours") {
  if (geteuid() != 0) return;
  const ThpMachine machine;
  machine.write("/run/hyperacc/thp/x", "");
  REQUIRE(chown((machine.path() + "/run/hyperacc").c_str(), 65534, 65534) == 0);
  CHECK_FALSE(ThpStore::lock(machine.root(), 0ms));
}

TEST_CASE("a damaged record is put aside, not lost") {
  const ThpMachine machine;
  auto store = ThpStore::lock(machine.root(), 1s);
  machine.write(std::string(kThpRecord), "{\"boot_id\"");
  CHECK_FALSE(read_thp_record(machine.root()));
  REQUIRE(store->put_aside());
  CHECK_FALSE(machine.has_record());
  CHECK(machine.read("/run/hyperacc/thp/record.damaged") == "{\"boot_id\"");
}

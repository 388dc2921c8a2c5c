#include "runtime/node/live_job.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/node/folder.hpp"

using namespace hyperacc::node;

namespace {

void add_process(const Folder& folder, const std::string& pid, const std::string& title,
                 const std::string& uid) {
  folder.write("/proc/" + pid + "/cmdline", title);
  folder.write("/proc/" + pid + "/status",
               "Name:\tslurmstepd\nUid:\t" + uid + "\t0\t0\t0\nGid:\t0\t0\t0\t0\n");
}

}  // namespace

TEST_CASE("a job is live while root runs a slurmstepd for it") {
  const Folder folder;
  add_process(folder, "100", "slurmstepd: [12.batch]", "0");
  add_process(folder, "101", "slurmstepd: [13.0]", "0");
  CHECK(is_live_job(folder.root(), 12));
  CHECK(is_live_job(folder.root(), 13));
  CHECK_FALSE(is_live_job(folder.root(), 1));
  CHECK_FALSE(is_live_job(folder.root(), 120));
  folder.remove("/proc/100");
  CHECK_FALSE(is_live_job(folder.root(), 12));
}

TEST_CASE("a user's process of that title keeps nothing alive") {
  const Folder folder;
  add_process(folder, "100", "slurmstepd: [12.batch]", "1000");
  CHECK_FALSE(is_live_job(folder.root(), 12));
}

TEST_CASE("other processes, and folders that are none, do not matter") {
  const Folder folder;
  add_process(folder, "100", "vi slurmstepd: [12.batch]", "0");
  add_process(folder, "self", "slurmstepd: [12.batch]", "0");
  folder.write("/proc/101/cmdline", "slurmstepd: [12.batch]");
  CHECK_FALSE(is_live_job(folder.root(), 12));
  folder.remove("/proc");
  CHECK_FALSE(is_live_job(folder.root(), 12));
}

#include "runtime/node/huge_pages.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "tests/runtime/node/folder.hpp"
#include "tests/runtime/node/in_child.hpp"
#include "tests/runtime/node/refuse_system_call.hpp"

using namespace hyperacc::node;
using hyperacc::Severity;

namespace {

void write_policy(const Folder& folder, const char* enabled, const char* pmd) {
  folder.write("/sys/kernel/mm/transparent_hugepage/enabled", enabled);
  folder.write("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
  folder.write("/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled", pmd);
}

// "0" or "1", as the kernel tells it in /proc.
std::string thp_enabled() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("THP_enabled:", 0) == 0) return line.substr(line.size() - 1);
  }
  return "?";
}

}  // namespace

TEST_CASE("off disables huge pages for the process and what it starts, task allows them again") {
  const Folder folder;
  write_policy(folder, "always [madvise] never\n", "always [inherit] madvise never\n");
  const std::string seen = in_child([&] {
    std::string text = thp_enabled();
    (void)set_huge_pages(folder.root(), HugePagesMode::off);
    text += thp_enabled() + in_child(thp_enabled) + std::string(name(*process_huge_pages()));
    const auto message = set_huge_pages(folder.root(), HugePagesMode::task);
    return text + thp_enabled() + std::string(name(*process_huge_pages())) + message->text;
  });
  CHECK(seen ==
        "100disabled1defaulttransparent huge pages were disabled for this process: allowed");
}

TEST_CASE("the site's opt-out \"advised only\" stays under task") {
  constexpr int kExceptAdvised = 2;
  const Folder folder;
  write_policy(folder, "[always] madvise never\n", "[inherit]\n");
  const std::string seen = in_child([&] {
    if (prctl(PR_SET_THP_DISABLE, 1, kExceptAdvised, 0, 0) != 0) return std::string("old kernel");
    (void)set_huge_pages(folder.root(), HugePagesMode::task);
    return std::string(name(*process_huge_pages()));
  });
  if (seen == "old kernel") return;
  CHECK(seen == "advised_only");
}

TEST_CASE("a node whose policy is never is worth a warning") {
  const Folder folder;
  const auto severity = [&](const char* enabled, const char* pmd) {
    write_policy(folder, enabled, pmd);
    return set_huge_pages(folder.root(), HugePagesMode::task)->severity;
  };
  CHECK(severity("always madvise [never]\n", "always [inherit] madvise never\n") ==
        Severity::warning);
  CHECK(severity("always [madvise] never\n", "always inherit madvise [never]\n") ==
        Severity::warning);
  CHECK(severity("always madvise [never]\n", "always inherit [madvise] never\n") ==
        Severity::debug);
  CHECK(severity("[always] madvise never\n", "[inherit]\n") == Severity::debug);
  folder.remove("/sys/kernel/mm/transparent_hugepage/hugepages-2048kB");
  CHECK(set_huge_pages(folder.root(), HugePagesMode::task)->severity == Severity::debug);
  folder.remove("/sys");
  CHECK(set_huge_pages(folder.root(), HugePagesMode::task)->severity == Severity::warning);
}

TEST_CASE("a refused prctl is an error in words") {
  const Folder folder;
  const std::string seen = in_child([&] {
    if (!refuse_system_call(SYS_prctl, EPERM, PR_SET_THP_DISABLE)) return std::string("no filter");
    const auto done = set_huge_pages(folder.root(), HugePagesMode::off);
    return done ? std::string("done") : done.error().text;
  });
  CHECK(seen.find("the kernel refuses to disable transparent huge pages") == 0);
}

TEST_CASE("modes") {
  CHECK(find_huge_pages_mode("task") == HugePagesMode::task);
  CHECK(find_huge_pages_mode("system") == HugePagesMode::task);
  CHECK(find_huge_pages_mode("off") == HugePagesMode::off);
  CHECK_FALSE(find_huge_pages_mode("on"));
}

#include "runtime/node/affinity.hpp"

#include <sched.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <memory>

#include "tests/runtime/node/in_child.hpp"

using namespace hyperacc::node;

namespace {

// As the kernel tells it in /proc, not as we do.
std::string allowed_list() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen("/proc/self/status", "r"), fclose);
  char line[512];
  while (file && fgets(line, sizeof line, file.get()) != nullptr) {
    char list[256];
    if (sscanf(line, "Cpus_allowed_list: %255s", list) == 1) return list;
  }
  return "";
}

}  // namespace

TEST_CASE("the mask is the kernel's") {
  CHECK(get_affinity()->to_list() == allowed_list());
  CHECK(get_affinity(getpid())->to_list() == allowed_list());
  CHECK_FALSE(get_affinity(0x3fffffff));
}

TEST_CASE("a set mask holds, and the process's children get it") {
  if (!has_two_cpus()) return;
  const unsigned cpu = get_affinity()->last();
  const std::string seen = in_child([cpu] {
    const auto set = set_affinity(Bitmap{cpu});
    return (set ? "" : set.error().text) + allowed_list() + in_child(allowed_list);
  });
  CHECK(seen == std::to_string(cpu) + std::to_string(cpu));
}

TEST_CASE("a mask that the kernel cuts is refused and the old one comes back") {
  if (!has_two_cpus()) return;
  const std::string before = allowed_list();
  const std::string seen = in_child([] {
    const auto set = set_affinity(Bitmap{get_affinity()->first(), 4000});
    return allowed_list() + (set ? " set" : " " + set.error().text);
  });
  CHECK(seen.find(before + " asked for CPUs") == 0);
}

TEST_CASE("a mask without a CPU that there is changes nothing") {
  const std::string before = allowed_list();
  const std::string seen = in_child([] {
    const bool set = set_affinity(Bitmap{4000}) || set_affinity(Bitmap{});
    return allowed_list() + (set ? " set" : " refused");
  });
  CHECK(seen == before + " refused");
}

TEST_CASE("the widest mask is found from a narrow one, which stays") {
  if (!has_two_cpus()) return;
  const std::string all = in_child([] { return widest_affinity()->to_list(); });
  const unsigned first = get_affinity()->first();
  const std::string seen = in_child([first] {
    (void)set_affinity(Bitmap{first});
    const std::string widest = widest_affinity()->to_list();
    return widest + " " + allowed_list();
  });
  CHECK(seen == all + " " + std::to_string(first));
}

#include "runtime/node/memory_policy.hpp"

#include <numaif.h>
#include <sys/syscall.h>

#include <catch2/catch.hpp>
#include <cerrno>

#include "tests/runtime/node/folder.hpp"
#include "tests/runtime/node/in_child.hpp"
#include "tests/runtime/node/refuse_system_call.hpp"

using namespace hyperacc::node;

namespace {

constexpr std::uint32_t kStatic = 1U << 15;

std::string now() {
  const auto policy = get_memory_policy();
  return policy ? name(*policy) + ":" + policy->nodes.to_list() : policy.error().text;
}

std::string outcome_text(const PolicyOutcome& outcome) {
  return (outcome.set ? "set " : "left ") + now() + " " + outcome.warning;
}

Bitmap one_node() {
  return Bitmap{allowed_memory_nodes()->first()};
}

}  // namespace

TEST_CASE("memory is preferred near by default, and bound only on request") {
  const std::string node = one_node().to_list();
  CHECK(in_child([] {
          return outcome_text(set_memory_policy(MemoryMode::automatic, one_node()));
        }).find("set preferred_many:" + node + " ") == 0);
  CHECK(in_child([] {
          return outcome_text(set_memory_policy(MemoryMode::bind, one_node()));
        }).find("set bind:" + node + " ") == 0);
  CHECK(in_child([] {
          return outcome_text(set_memory_policy(MemoryMode::local, {}));
        }).find("set local: ") == 0);
  CHECK(in_child([] { return outcome_text(set_memory_policy(MemoryMode::none, one_node())); }) ==
        "left default: ");
}

TEST_CASE("the policy is inherited by what the process starts") {
  const std::string node = one_node().to_list();
  CHECK(in_child([] {
          (void)set_memory_policy(MemoryMode::automatic, one_node());
          return in_child(now);
        }) == "preferred_many:" + node);
}

TEST_CASE("nodes that are not there leave the policy as it was") {
  CHECK(in_child([] {
          return outcome_text(set_memory_policy(MemoryMode::bind, Bitmap{900}));
        }).find("left default: the kernel refuses") == 0);
  CHECK(in_child([] {
          return outcome_text(set_memory_policy(MemoryMode::automatic, {}));
        }).find("left default: no NUMA node") == 0);
}

TEST_CASE("before Linux 5.15 one node is preferred the old way, several are left") {
  const auto old_kernel = [](const Bitmap& nodes) {
    return in_child([nodes] {
      if (!refuse_system_call(SYS_set_mempolicy, EINVAL, MPOL_PREFERRED_MANY | kStatic)) {
        return std::string("no filter");
      }
      return outcome_text(set_memory_policy(MemoryMode::automatic, nodes));
    });
  };
  CHECK(old_kernel(one_node()).find("set preferred:" + one_node().to_list() + " ") == 0);
  Bitmap two = one_node();
  two.add(one_node().first() + 1);
  CHECK(old_kernel(two).find("left default: the kernel refuses") == 0);
}

TEST_CASE("a container that forbids the call leaves the policy and says so") {
  // Guards vllm-project/vllm#45438: set_mempolicy blocked by seccomp while get_mempolicy works.
  for (const int error : {EPERM, ENOSYS}) {
    const std::string seen = in_child([error] {
      if (!refuse_system_call(SYS_set_mempolicy, static_cast<std::uint32_t>(error))) {
        return std::string("no filter");
      }
      return outcome_text(set_memory_policy(MemoryMode::automatic, one_node()));
    });
    CHECK(seen.find("left default: the kernel refuses the memory policy preferred_many") == 0);
  }
}

TEST_CASE("a kernel that takes the policy and does not keep it is found out") {
  // The call answers 0 and does nothing.
  const std::string seen = in_child([] {
    if (!refuse_system_call(SYS_set_mempolicy, 0)) return std::string("no filter");
    return outcome_text(set_memory_policy(MemoryMode::bind, one_node()));
  });
  CHECK(seen == "left default: the memory policy bind did not hold: the default is back");
}

TEST_CASE("available memory is what is free and what is easily freed") {
  const Folder folder;
  folder.write("/sys/devices/system/node/node0/meminfo",
               "Node 0 MemTotal:       1000 kB\nNode 0 MemFree:        100 kB\n"
               "Node 0 Active:          999 kB\nNode 0 Inactive:        999 kB\n"
               "Node 0 Active(anon):    999 kB\nNode 0 Inactive(anon):  999 kB\n"
               "Node 0 Active(file):     20 kB\nNode 0 Inactive(file):   3 kB\n"
               "Node 0 FilePages:       999 kB\nNode 0 SReclaimable:     4 kB\n");
  folder.write("/sys/devices/system/node/node1/meminfo", "Node 1 MemFree: 1 kB\n");
  CHECK(available_memory(folder.root(), Bitmap{0}) == 127 * 1024);
  CHECK(available_memory(folder.root(), Bitmap{0, 1}) == 128 * 1024);
  CHECK_FALSE(available_memory(folder.root(), Bitmap{0, 2}));
  folder.write("/sys/devices/system/node/node2/meminfo", "nothing of that kind\n");
  CHECK_FALSE(available_memory(folder.root(), Bitmap{2}));
}

TEST_CASE("memory modes have one word each") {
  for (const MemoryMode mode :
       {MemoryMode::automatic, MemoryMode::bind, MemoryMode::local, MemoryMode::none}) {
    CHECK(find_memory_mode(name(mode)) == mode);
  }
  CHECK(name(MemoryMode::automatic) == "auto");
  CHECK_FALSE(find_memory_mode("strict"));
}

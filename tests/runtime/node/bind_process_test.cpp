#include "runtime/node/bind_process.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "runtime/node/affinity.hpp"
#include "tests/runtime/node/in_child.hpp"
#include "tests/runtime/node/sample_topology.hpp"

using namespace hyperacc::node;
using hyperacc::Environment;

namespace {

Environment ranks(const char* rank, const char* count) {
  return {{"LOCAL_RANK", rank}, {"LOCAL_WORLD_SIZE", count}};
}

Environment with(Environment environment, const char* name, const char* value) {
  environment[name] = value;
  return environment;
}

}  // namespace

TEST_CASE("without HA_CPUS a process acts, alone or as a rank") {
  const Bitmap mask = list("0-7");
  CHECK(share_of({}, mask, mask).act);
  const Share share = share_of(ranks("2", "4"), mask, mask);
  CHECK(share.act);
  CHECK(share.rank == 2);
  CHECK(share.ranks == 4);
  CHECK(share_of(ranks("2", "4"), mask, std::nullopt).act);
}

TEST_CASE("a task that the plugin bound is split by its ranks, once") {
  const Environment bound = with(ranks("1", "2"), "HA_CPUS", "0-7");
  CHECK(share_of(bound, list("0-7"), list("0-7")).act);
  // A rank's own child, whose mask is a share already.
  CHECK_FALSE(share_of(bound, list("4-7"), list("4-7")).act);
  CHECK_FALSE(share_of({{"HA_CPUS", "0-7"}}, list("0-7"), list("0-7")).act);
  CHECK_FALSE(share_of(with(bound, "HA_CPUS", "nonsense"), list("0-7"), list("0-7")).act);
}

TEST_CASE("an explicit binding is never touched") {
  CHECK_FALSE(share_of({{"HA_CPUS", "explicit"}}, list("0-7"), list("0-7")).act);
  CHECK_FALSE(share_of(with(ranks("0", "2"), "HA_CPUS", "explicit"), list("0-7"), list("0-7")).act);
}

TEST_CASE("ranks that their launcher bound one by one are left alone") {
  // torchrun --numa-binding: each has another mask, and a share of it would be a share too small.
  CHECK_FALSE(share_of(ranks("1", "2"), list("4-7"), list("0-7")).act);
  // A single process under taskset is bound within what it was given.
  CHECK(share_of({}, list("4-7"), list("0-7")).act);
}

TEST_CASE("a rank knows the others' devices only where all see several, or none") {
  CHECK(devices_of_ranks({3, 1}, 2) == std::vector<DeviceList>{{3, 1}, {3, 1}});
  CHECK(devices_of_ranks({}, 2) == std::vector<DeviceList>{{}, {}});
  CHECK(devices_of_ranks({3}, 1) == std::vector<DeviceList>{{3}});
  CHECK_FALSE(devices_of_ranks({3}, 2));
}

TEST_CASE("impossible ranks act on nothing") {
  CHECK_FALSE(share_of(ranks("2", "2"), list("0-7"), list("0-7")).act);
  CHECK_FALSE(share_of(ranks("0", "0"), list("0-7"), list("0-7")).act);
  CHECK(share_of(ranks("x", "y"), list("0-7"), list("0-7")).ranks == 1);
}

TEST_CASE("ranks split the mask they found, and tell what was split") {
  if (!has_two_cpus()) return;
  const Bitmap mask = get_affinity().value();
  const auto bound = [&](const char* rank) {
    return in_child([&] {
      // Without devices: a single one might be another for each rank, see below.
      const ProcessResult result =
          bind_process(with(ranks(rank, "2"), "CUDA_VISIBLE_DEVICES", ""), BindMode::exclusive, {});
      return fmt::format("{} {} {} {}", result.done, result.cpus, result.ha_cpus,
                         get_affinity()->to_list());
    });
  };
  const std::string all = mask.to_list();
  const std::string first = bound("0");
  const std::string second = bound("1");
  CHECK(first != second);
  CHECK(first.find("true ") == 0);
  CHECK(first.find(" " + all + " ") != std::string::npos);
  CHECK(second.find(" " + all + " ") != std::string::npos);
}

TEST_CASE("a process never leaves the mask it was started with") {
  if (!has_two_cpus()) return;
  const std::string last = std::to_string(get_affinity()->last());
  CHECK(in_child([&] {
          (void)set_affinity(Bitmap{get_affinity()->last()});
          const ProcessResult result = bind_process({}, {}, {});
          return fmt::format("{} {}", result.cpus, get_affinity()->to_list());
        }) == last + " " + last);
}

TEST_CASE("the task's policy is replaced for a rank, another one is not") {
  const Bitmap nodes = allowed_memory_nodes().value();
  const std::string all = get_affinity()->to_list();
  const auto seen = [&](const std::string& told) {
    return in_child([&] {
      (void)set_memory_policy(MemoryMode::automatic, Bitmap{nodes.first()});
      Environment environment = ranks("0", "2");
      environment["HA_CPUS"] = all;
      environment["HA_MEMS"] = told;
      const ProcessResult result = bind_process(environment, {}, MemoryMode::bind);
      return fmt::format("{} {}", result.done, name(*get_memory_policy()));
    });
  };
  CHECK(seen(std::to_string(nodes.first())) == "true bind");
  CHECK(seen("") == "true preferred_many");
  CHECK(seen("explicit") == "true preferred_many");
  CHECK(seen("63") == "true preferred_many");
}

TEST_CASE("memory that the plugin left to the user is left for the ranks, too") {
  const std::string all = get_affinity()->to_list();
  CHECK(in_child([&] {
          Environment environment = ranks("0", "2");
          environment["HA_CPUS"] = all;
          environment["HA_MEMS"] = "explicit";
          const ProcessResult result = bind_process(environment, {}, {});
          return fmt::format("{} [{}] {}", result.done, result.memory_nodes,
                             name(*get_memory_policy()));
        }) == "true [] default");
}

TEST_CASE("who does not act changes nothing and says why at DEBUG") {
  const std::string seen = in_child([] {
    const ProcessResult result = bind_process({{"HA_CPUS", "explicit"}}, {}, {});
    return fmt::format("{} [{}] [{}] {} {} {}", result.done, result.cpus, result.ha_cpus,
                       static_cast<int>(result.message.severity), name(*get_memory_policy()),
                       result.message.text);
  });
  CHECK(seen == "false [] [] 0 default numabind: an explicit CPU binding is in force: left alone");
}

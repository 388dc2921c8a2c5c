#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "runtime/node/placement.hpp"
#include "tests/runtime/node/sample_topology.hpp"

using namespace hyperacc::node;

namespace {

struct Case {
  Topology topology;
  PlacementRequest request;
};

// Every kind of machine that the recorded ones stand for, at once: SMT or not, L3s, holes in the
// CPU numbers, memory-only nodes, nodes without memory, random distances, a step with any of its
// CPUs.
Case random_case(bool promises) {
  // All of the range from the first case on, not the small numbers first.
  const auto below = [](unsigned limit) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0U, limit));
  };
  Case random;
  const unsigned nodes = 1 + below(6);
  const unsigned per_l3 = 1 + below(3);
  const unsigned cores = per_l3 * (1 + below(3));
  random.topology = sample_topology(nodes, cores, 1 + below(3), below(4) == 0 ? 0 : per_l3);
  if (below(3) == 0) random.topology.nodes.push_back({nodes + 7, {}, std::uint64_t{1} << 36});
  const std::size_t all_nodes = random.topology.nodes.size();
  random.topology.distances = plain_distances(all_nodes);
  for (std::size_t i = 0; i < all_nodes; ++i) {
    for (std::size_t j = 0; j < all_nodes; ++j) {
      if (i != j) random.topology.distances[i][j] = 11 + below(30);
    }
    if (below(5) == 0) random.topology.nodes[i].memory = 0;
    if (below(5) != 0) random.request.memory_allowed.add(random.topology.nodes[i].id);
  }
  const unsigned density = 1 + below(4);
  for (const unsigned cpu : random.topology.cpus.members()) {
    if (below(density) == 0) random.request.allowed.add(cpu);
  }
  if (random.request.allowed.empty()) random.request.allowed.add(random.topology.cpus.first());
  random.request.tasks.resize(1 + below(20));
  for (Localities& task : random.request.tasks) {
    for (unsigned device = below(4); device > 1; --device) {
      const unsigned kind = below(8);
      const Bitmap& node = random.topology.nodes[below(nodes)].cpus;
      if (kind == 0)
        task.push_back({});
      else if (kind == 1)
        task.push_back(random.topology.cpus);
      else if (kind == 2)
        task.push_back(node | random.topology.nodes[below(nodes)].cpus);
      else
        task.push_back(node);
    }
  }
  random.request.cpus_per_task = promises && below(2) == 0 ? 1 + below(40) : 1;
  random.request.mode = static_cast<BindMode>(below(3));
  return random;
}

std::vector<std::string> cpu_lists(const Placement& placement) {
  std::vector<std::string> lists;
  for (const TaskPlacement& task : placement.tasks) lists.push_back(task.cpus.to_list());
  return lists;
}

bool check(const char* what, void (*property)()) {
  return rc::check(what, property);
}

}  // namespace

TEST_CASE("each task gets CPUs, of the step, as many as promised") {
  CHECK(check("non-empty, inside, promise", [] {
    const Case random = random_case(true);
    const Placement placement = place(random.topology, random.request);
    RC_ASSERT(placement.tasks.size() == random.request.tasks.size());
    const unsigned promise = std::min(random.request.cpus_per_task, random.request.allowed.count());
    for (const TaskPlacement& task : placement.tasks) {
      RC_ASSERT(!task.cpus.empty());
      RC_ASSERT(random.request.allowed.includes(task.cpus));
      RC_ASSERT(task.cpus.count() >= promise);
      RC_ASSERT(random.request.memory_allowed.includes(task.memory_nodes));
      RC_ASSERT(!task.home.empty());
    }
  }));
}

TEST_CASE("the same values give the same answer") {
  CHECK(check("deterministic", [] {
    const Case random = random_case(true);
    RC_ASSERT(cpu_lists(place(random.topology, random.request)) ==
              cpu_lists(place(random.topology, random.request)));
  }));
}

TEST_CASE("a core is not split between tasks while its domain has a core for each") {
  CHECK(check("unsplit", [] {
    Case random = random_case(false);
    if (random.request.mode == BindMode::node) random.request.mode = BindMode::exclusive;
    const Placement placement = place(random.topology, random.request);
    for (const Domain& domain : make_domains(random.topology, random.request.allowed)) {
      const unsigned id = random.topology.nodes[domain.node].id;
      const auto claimants =
          std::count_if(placement.tasks.begin(), placement.tasks.end(),
                        [id](const TaskPlacement& task) { return task.home.contains(id); });
      if (static_cast<std::size_t>(claimants) > domain.cores.size()) continue;
      for (const Bitmap& core : domain.cores) {
        const auto users = std::count_if(
            placement.tasks.begin(), placement.tasks.end(),
            [&core](const TaskPlacement& task) { return task.cpus.intersects(core); });
        RC_ASSERT(users <= 1);
        for (const TaskPlacement& task : placement.tasks) {
          RC_ASSERT(!task.cpus.intersects(core) || task.cpus.includes(core));
        }
      }
    }
  }));
}

TEST_CASE("exclusive leaves no core of a domain with claimants unused") {
  CHECK(check("complete", [] {
    Case random = random_case(false);
    random.request.mode = BindMode::exclusive;
    const Placement placement = place(random.topology, random.request);
    Bitmap used;
    for (const TaskPlacement& task : placement.tasks) used |= task.cpus;
    for (const TaskPlacement& task : placement.tasks) {
      for (const NumaNode& node : random.topology.nodes) {
        if (!task.home.contains(node.id)) continue;
        RC_ASSERT(used.includes(node.cpus & random.request.allowed));
      }
    }
  }));
}

TEST_CASE("the order of devices, nodes, cores and L3s of one task or machine does not matter") {
  CHECK(check("order of facts", [] {
    Case random = random_case(true);
    const std::vector<std::string> before = cpu_lists(place(random.topology, random.request));
    for (Localities& task : random.request.tasks) std::reverse(task.begin(), task.end());
    std::reverse(random.topology.complexes.begin(), random.topology.complexes.end());
    RC_ASSERT(cpu_lists(place(random.topology, random.request)) == before);
  }));
}

TEST_CASE("tasks that change places change slices with each other") {
  CHECK(check("permutation", [] {
    Case random = random_case(false);
    // One known device each: what tasks with a common home get is then a matter of their order
    // alone.
    std::vector<Localities> tasks;
    for (const Localities& task : random.request.tasks) {
      for (const Bitmap& near : task) {
        const bool one_node =
            std::count_if(random.topology.nodes.begin(), random.topology.nodes.end(),
                          [&near](const NumaNode& node) { return node.cpus.intersects(near); }) ==
            1;
        if (!one_node || near.includes(random.topology.cpus)) continue;
        tasks.push_back({near});
        break;
      }
    }
    RC_PRE(!tasks.empty());
    const auto slices_by_home = [&](const std::vector<Localities>& order) {
      random.request.tasks = order;
      std::multimap<std::string, std::string> slices;
      for (const TaskPlacement& task : place(random.topology, random.request).tasks) {
        slices.emplace(task.home.to_list(), task.cpus.to_list());
      }
      std::multiset<std::pair<std::string, std::string>> sorted(slices.begin(), slices.end());
      return sorted;
    };
    const auto before = slices_by_home(tasks);
    for (std::size_t i = tasks.size(); i > 1; --i) {
      std::swap(tasks[i - 1], tasks[*rc::gen::inRange<std::size_t>(0, i)]);
    }
    RC_ASSERT(slices_by_home(tasks) == before);
  }));
}

TEST_CASE("one more CPU in the step empties no task") {
  CHECK(check("monotone", [] {
    Case random = random_case(true);
    const Bitmap rest = random.topology.cpus - random.request.allowed;
    RC_PRE(!rest.empty());
    random.request.allowed.add(rest.members()[*rc::gen::inRange<std::size_t>(0, rest.count())]);
    for (const TaskPlacement& task : place(random.topology, random.request).tasks) {
      RC_ASSERT(!task.cpus.empty());
    }
  }));
}

TEST_CASE("mode node gives all of the home, or more where it was promised") {
  CHECK(check("whole home", [] {
    Case random = random_case(false);
    random.request.mode = BindMode::node;
    for (const TaskPlacement& task : place(random.topology, random.request).tasks) {
      Bitmap home;
      for (const NumaNode& node : random.topology.nodes) {
        if (task.home.contains(node.id)) home |= node.cpus & random.request.allowed;
      }
      RC_ASSERT(task.cpus == home);
    }
  }));
}

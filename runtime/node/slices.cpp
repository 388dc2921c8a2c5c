#include "runtime/node/slices.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace hyperacc::node {
namespace {

using Parts = std::vector<Bitmap>;

// Contiguous runs, the first ones one longer.
Parts split_evenly(const std::vector<Bitmap>& units, std::size_t parts) {
  Parts result(parts);
  const std::size_t base = units.size() / parts;
  const std::size_t more = units.size() % parts;
  std::size_t next = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t end = next + base + (i < more ? 1 : 0);
    for (; next < end; ++next) result[i] |= units[next];
  }
  return result;
}

Parts split_cores(const std::vector<Bitmap>& cores, std::size_t parts) {
  if (cores.size() >= parts) return split_evenly(cores, parts);
  std::vector<Bitmap> threads;
  Bitmap all;
  for (const Bitmap& core : cores) {
    for (const unsigned cpu : core.members()) threads.push_back({cpu});
    all |= core;
  }
  if (threads.size() >= parts) return split_evenly(threads, parts);
  return Parts(parts, all);
}

std::vector<std::vector<Bitmap>> complexes_of(const Domain& domain) {
  std::vector<std::vector<Bitmap>> complexes;
  auto next = domain.cores.begin();
  for (const std::size_t size : domain.complexes) {
    const auto end = next + static_cast<std::ptrdiff_t>(size);
    complexes.emplace_back(next, end);
    next = end;
  }
  return complexes;
}

// The `count` largest, in their order.
std::vector<std::vector<Bitmap>> fullest(std::vector<std::vector<Bitmap>> complexes,
                                         std::size_t count) {
  std::vector<std::size_t> order(complexes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return complexes[a].size() > complexes[b].size();
  });
  order.resize(count);
  std::sort(order.begin(), order.end());
  std::vector<std::vector<Bitmap>> chosen;
  for (const std::size_t i : order) chosen.push_back(std::move(complexes[i]));
  return chosen;
}

Parts split_complexes(const Domain& domain, std::size_t parts) {
  if (parts > domain.cores.size()) return split_cores(domain.cores, parts);
  std::vector<std::vector<Bitmap>> complexes = complexes_of(domain);
  if (parts < complexes.size()) complexes = fullest(std::move(complexes), parts);
  std::vector<std::size_t> claimants(complexes.size(), 1);
  if (parts > complexes.size()) {
    std::vector<std::size_t> sizes;
    for (const auto& each : complexes) sizes.push_back(each.size());
    claimants = apportion(parts, sizes);
  }
  Parts result;
  for (std::size_t i = 0; i < complexes.size(); ++i) {
    if (claimants[i] == 0) continue;
    for (Bitmap& part : split_cores(complexes[i], claimants[i])) result.push_back(std::move(part));
  }
  return result;
}

template <class Split>
std::vector<Bitmap> slices(const std::vector<Domain>& domains, const std::vector<Home>& homes,
                           Split split) {
  std::vector<std::vector<std::size_t>> claimants(domains.size());
  for (std::size_t task = 0; task < homes.size(); ++task) {
    for (const std::size_t d : homes[task].domains) claimants[d].push_back(task);
  }
  std::vector<Bitmap> cpus(homes.size());
  for (std::size_t d = 0; d < domains.size(); ++d) {
    if (claimants[d].empty()) continue;
    const Parts parts = split(domains[d], claimants[d].size());
    for (std::size_t i = 0; i < parts.size(); ++i) cpus[claimants[d][i]] |= parts[i];
  }
  return cpus;
}

struct Core {
  Bitmap threads;
  std::size_t node;
  std::size_t claims = 0;  // tasks that have some of it
};

std::uint32_t distance_from_home(const Topology& topology, const std::vector<Domain>& domains,
                                 const Home& home, std::size_t node) {
  std::uint32_t nearest = UINT32_MAX;
  for (const std::size_t d : home.domains) {
    nearest = std::min(nearest, topology.distances[domains[d].node][node]);
  }
  return nearest;
}

std::vector<Core> claimed_cores(const std::vector<Domain>& domains,
                                const std::vector<Bitmap>& cpus) {
  std::vector<Core> cores;
  for (const Domain& domain : domains) {
    for (const Bitmap& threads : domain.cores) {
      Core& core = cores.emplace_back(Core{threads, domain.node});
      for (const Bitmap& task : cpus) {
        if (task.intersects(threads)) ++core.claims;
      }
    }
  }
  return cores;
}

// The cores that a task has not, or has only in part, the one to take first in front.
std::vector<std::size_t> by_preference(const Topology& topology, const std::vector<Domain>& domains,
                                       const Home& home, const Bitmap& mine,
                                       const std::vector<Core>& cores) {
  std::map<std::size_t, std::uint32_t> distances;
  for (const Domain& domain : domains) {
    distances[domain.node] = distance_from_home(topology, domains, home, domain.node);
  }
  // Claims of others, distance, whether the core is new to the task, lowest CPU, position.
  std::vector<std::tuple<std::size_t, std::uint32_t, bool, unsigned, std::size_t>> ranks;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const Core& core = cores[i];
    if (mine.includes(core.threads)) continue;
    const bool is_new = !mine.intersects(core.threads);
    ranks.emplace_back(core.claims - (is_new ? 0 : 1), distances[core.node], is_new,
                       core.threads.first(), i);
  }
  std::sort(ranks.begin(), ranks.end());
  std::vector<std::size_t> order;
  for (const auto& rank : ranks) order.push_back(std::get<4>(rank));
  return order;
}

}  // namespace

std::vector<Bitmap> whole_homes(const std::vector<Domain>& domains,
                                const std::vector<Home>& homes) {
  return slices(domains, homes,
                [](const Domain& domain, std::size_t parts) { return Parts(parts, domain.cpus); });
}

std::vector<Bitmap> core_slices(const std::vector<Domain>& domains,
                                const std::vector<Home>& homes) {
  return slices(domains, homes, [](const Domain& domain, std::size_t parts) {
    return split_cores(domain.cores, parts);
  });
}

std::vector<Bitmap> complex_slices(const std::vector<Domain>& domains,
                                   const std::vector<Home>& homes) {
  return slices(domains, homes, split_complexes);
}

void keep_promise(const Topology& topology, const std::vector<Domain>& domains,
                  const std::vector<Home>& homes, std::size_t promise, std::vector<Bitmap>& cpus) {
  std::vector<Core> cores = claimed_cores(domains, cpus);
  for (std::size_t task = 0; task < homes.size(); ++task) {
    Bitmap& mine = cpus[task];
    std::size_t count = mine.count();
    if (count >= promise) continue;
    for (const std::size_t i : by_preference(topology, domains, homes[task], mine, cores)) {
      Core& core = cores[i];
      if (!mine.intersects(core.threads)) ++core.claims;
      for (const unsigned cpu : (core.threads - mine).members()) {
        mine.add(cpu);
        if (++count == promise) break;
      }
      if (count == promise) break;
    }
  }
}

}  // namespace hyperacc::node

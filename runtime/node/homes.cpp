#include "runtime/node/homes.hpp"

#include <algorithm>
#include <numeric>

namespace hyperacc::node {
namespace {

// The domain nearest to the NUMA nodes that own `cpus`, for a device whose CPUs the step has not.
std::size_t nearest_domain(const Topology& topology, const std::vector<Domain>& domains,
                           const Bitmap& cpus) {
  std::size_t best = 0;
  std::uint32_t best_distance = UINT32_MAX;
  for (std::size_t d = 0; d < domains.size(); ++d) {
    for (std::size_t node = 0; node < topology.nodes.size(); ++node) {
      if (!topology.nodes[node].cpus.intersects(cpus)) continue;
      const std::uint32_t distance = topology.distances[node][domains[d].node];
      if (distance < best_distance) {
        best_distance = distance;
        best = d;
      }
    }
  }
  return best;
}

Home known_home(const Topology& topology, const std::vector<Domain>& domains,
                const Localities& devices) {
  std::vector<bool> member(domains.size(), false);
  Home home;
  for (const Bitmap& near : devices) {
    if (!near.intersects(topology.cpus) || near.includes(topology.cpus)) continue;
    home.known = true;
    bool overlaps = false;
    for (std::size_t d = 0; d < domains.size(); ++d) {
      if (!domains[d].cpus.intersects(near)) continue;
      member[d] = overlaps = true;
    }
    if (!overlaps) member[nearest_domain(topology, domains, near)] = true;
  }
  for (std::size_t d = 0; d < domains.size(); ++d) {
    if (member[d]) home.domains.push_back(d);
  }
  return home;
}

// Fewer tasks than domains and nothing known: each takes a run of whole domains.
void share_out_runs(std::size_t domains, std::vector<Home>& homes) {
  std::size_t next = 0;
  const std::size_t base = domains / homes.size();
  const std::size_t more = domains % homes.size();
  for (std::size_t task = 0; task < homes.size(); ++task) {
    const std::size_t count = base + (task < more ? 1 : 0);
    homes[task].domains.resize(count);
    std::iota(homes[task].domains.begin(), homes[task].domains.end(), next);
    next += count;
  }
}

// Tasks without a device go where the fewest tasks are for the cores there, neighbours together.
void share_out_rest(const std::vector<Domain>& domains, std::size_t rest,
                    std::vector<Home>& homes) {
  constexpr std::size_t kTask = 5040;  // divides evenly by 1 … 10, so shares of a task stay exact
  std::size_t all_cores = 0;
  for (const Domain& domain : domains) all_cores += domain.cores.size();
  std::vector<std::size_t> weights(domains.size());
  for (std::size_t d = 0; d < domains.size(); ++d) {
    std::size_t placed = 0;
    for (const Home& home : homes) {
      if (std::binary_search(home.domains.begin(), home.domains.end(), d)) {
        placed += kTask / home.domains.size();
      }
    }
    const std::size_t fair = homes.size() * kTask * domains[d].cores.size();
    weights[d] = fair - std::min(fair, placed * all_cores);
  }
  const std::vector<std::size_t> counts = apportion(rest, weights);
  std::size_t d = 0;
  std::size_t given = 0;
  for (Home& home : homes) {
    if (home.known) continue;
    while (given == counts[d]) {
      ++d;
      given = 0;
    }
    home.domains = {d};
    ++given;
  }
}

}  // namespace

std::vector<Home> find_homes(const Topology& topology, const std::vector<Domain>& domains,
                             const std::vector<Localities>& tasks) {
  std::vector<Home> homes;
  for (const Localities& devices : tasks) {
    homes.push_back(known_home(topology, domains, devices));
  }
  const auto unknown = static_cast<std::size_t>(
      std::count_if(homes.begin(), homes.end(), [](const Home& home) { return !home.known; }));
  if (unknown == homes.size() && homes.size() < domains.size()) {
    share_out_runs(domains.size(), homes);
  } else if (unknown > 0) {
    share_out_rest(domains, unknown, homes);
  }
  return homes;
}

}  // namespace hyperacc::node

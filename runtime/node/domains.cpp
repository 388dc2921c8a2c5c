#include "runtime/node/domains.hpp"

#include <algorithm>
#include <numeric>

namespace hyperacc::node {
namespace {

void add_cores(const Topology& topology, Domain& domain) {
  Bitmap rest = domain.cpus;
  for (const Bitmap& core : topology.cores) {
    if (!core.intersects(rest)) continue;
    Bitmap threads = core & rest;
    rest -= threads;
    domain.cores.push_back(std::move(threads));
  }
  // What belongs to no core is a core of its own.
  for (const unsigned cpu : rest.members()) domain.cores.push_back({cpu});
}

void add_complexes(const Topology& topology, Domain& domain) {
  std::size_t begin = 0;
  while (begin < domain.cores.size()) {
    const auto complex =
        std::find_if(topology.complexes.begin(), topology.complexes.end(),
                     [&](const Bitmap& cpus) { return cpus.includes(domain.cores[begin]); });
    std::size_t end = begin + 1;
    while (end < domain.cores.size() &&
           (complex == topology.complexes.end() || complex->includes(domain.cores[end]))) {
      ++end;
    }
    domain.complexes.push_back(end - begin);
    begin = end;
  }
}

}  // namespace

std::vector<Domain> make_domains(const Topology& topology, const Bitmap& allowed) {
  std::vector<Domain> domains;
  for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
    if (!topology.nodes[i].cpus.intersects(allowed)) continue;
    Domain& domain = domains.emplace_back();
    domain.node = i;
    domain.cpus = topology.nodes[i].cpus & allowed;
    add_cores(topology, domain);
    add_complexes(topology, domain);
  }
  return domains;
}

std::vector<std::size_t> apportion(std::size_t total, const std::vector<std::size_t>& weights) {
  std::vector<std::size_t> parts(weights.size(), 0);
  const std::size_t sum = std::accumulate(weights.begin(), weights.end(), std::size_t{0});
  if (sum == 0) return parts;
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t given = 0;
  for (const std::size_t i : order) {
    parts[i] = total * weights[i] / sum;
    given += parts[i];
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return total * weights[a] % sum > total * weights[b] % sum;
  });
  for (std::size_t i = 0; given < total; ++i, ++given) ++parts[order[i]];
  return parts;
}

}  // namespace hyperacc::node

// Splitting the cores of domains among the tasks that live there.
#pragma once

#include <vector>

#include "runtime/node/domains.hpp"
#include "runtime/node/homes.hpp"

namespace hyperacc::node {

// All CPUs of each home.
std::vector<Bitmap> whole_homes(const std::vector<Domain>& domains, const std::vector<Home>& homes);

// In each domain the claimants, in local-id order, get contiguous runs of whole cores, the first
// ones one core more; of hardware threads where cores are fewer than claimants; all of the domain
// where threads are.
std::vector<Bitmap> core_slices(const std::vector<Domain>& domains, const std::vector<Home>& homes);

// In each domain one L3 for each claimant, the fullest ones; with more claimants than L3s they are
// shared out by cores and split as above.
std::vector<Bitmap> complex_slices(const std::vector<Domain>& domains,
                                   const std::vector<Home>& homes);

// Adds cores, from those that the fewest other tasks have, then the nearest, then what is left of
// the task's own, then the lowest, until each task has `promise` CPUs or all there are; of the last
// core only the threads needed.
void keep_promise(const Topology& topology, const std::vector<Domain>& domains,
                  const std::vector<Home>& homes, std::size_t promise, std::vector<Bitmap>& cpus);

}  // namespace hyperacc::node

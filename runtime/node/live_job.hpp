// Whether a job still runs on this node.
#pragma once

#include <cstdint>

#include "runtime/machine/root.hpp"

namespace hyperacc::node {

// One of root's processes is the slurmstepd of one of the job's steps, as its title "slurmstepd:
// [12.batch]" tells. A job between two steps counts as gone: what is restored too early costs it
// some speed, what is restored too late costs others.
bool is_live_job(const RootDirectory& root, std::uint32_t job);

}  // namespace hyperacc::node

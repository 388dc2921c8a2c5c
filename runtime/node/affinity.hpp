// The CPU mask of the calling thread.
#pragma once

#include <sys/types.h>

#include "runtime/core/result.hpp"
#include "runtime/node/bitmap.hpp"

namespace hyperacc::node {

// Of another process with its id.
Result<Bitmap> get_affinity(pid_t process = 0);

// Sets the mask and reads it back; where the kernel gave anything else, the mask found at entry
// comes back and the error says what was refused.
Result<void> set_affinity(const Bitmap& cpus);

// The CPUs that the kernel would give at most: those of the cgroup's cpuset. Sets an all-ones mask,
// which the kernel cuts, and puts the old one back. No cgroup path has to be understood.
Result<Bitmap> widest_affinity();

}  // namespace hyperacc::node

// Reading the topology of a machine through hwloc.
#pragma once

#include "runtime/core/result.hpp"
#include "runtime/machine/root.hpp"
#include "runtime/node/topology.hpp"

namespace hyperacc::node {

// This machine's, or that of the recorded machine's topology.xml. CPUs that this process may not
// use are in it too: an accelerator may be nearest to them. Runs hwloc in a child process that is
// killed after 5 seconds: I/O discovery has been seen to hang, plugins of hwloc load vendor
// libraries and start threads (after which slurmstepd cannot enter a mount namespace any more), and
// its environment variables must not count in a privileged process.
Result<Topology> read_topology(const RootDirectory& root);

// The same in this process, for the child and for tests.
Result<Topology> load_with_hwloc(const RootDirectory& root);

}  // namespace hyperacc::node

// The name under which Slurm knows this node.
#pragma once

namespace hyperacc::spank {

// The host's name where Slurm does not tell. Never null.
const char* node_name() noexcept;

}  // namespace hyperacc::spank

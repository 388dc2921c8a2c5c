#include "spank/node_name.hpp"

#include <unistd.h>

#include <cstdlib>

#include "spank/command_line.hpp"
#include "spank/spank_api.hpp"

namespace hyperacc::spank {

const char* node_name() noexcept {
  // slurmd puts it into the environment of slurmstepd, and knows it from its own command line.
  if (const char* name = std::getenv("SLURMD_NODENAME")) return name;
  if (context() == Context::slurmd) {
    if (const char* name = slurmd_node_argument()) return name;
  }
  static char host[256];
  if (gethostname(host, sizeof host - 1) != 0) return "unknown";
  return host;
}

}  // namespace hyperacc::spank

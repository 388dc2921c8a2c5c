#include "spank/slurmd.hpp"

#include <fmt/format.h>

#include "spank/node_library.hpp"
#include "spank/node_name.hpp"
#include "spank/spank_api.hpp"

namespace hyperacc::spank {

Result<void> start_in_slurmd(const Configuration& configuration) {
  if (!configuration) return {};
  if (!*configuration) {
    log_error(fmt::format("{}; jobs run without HyperAcc (node {})", configuration->error().text,
                          node_name())
                  .c_str());
    return {};
  }
  const Policy& policy = **configuration;
  if (!policy.thp_system) return {};
  const Result<const HyperaccNode*> library = load_node_library(policy);
  if (!library) return fail("thp=system is left out: " + library.error().text);
  HyperaccNodeReport report{};
  (*library)->reap_thp(machine_of(policy), &report);
  if (const std::optional<Message> message = message_of(report)) {
    log_info(message->text.c_str());
  }
  return {};
}

}  // namespace hyperacc::spank

// libhyperacc_node.so, loaded where binding or huge pages were asked for and nowhere else.
#pragma once

#include <optional>
#include <string>

#include "runtime/core/plan.hpp"
#include "runtime/core/policy.hpp"
#include "runtime/core/result.hpp"
#include "runtime/node/hyperacc_node.h"

namespace hyperacc::spank {

// The library of this installation. Errors name the file: missing, not only root's to change,
// another ABI, or what the loader says. It stays loaded until the process ends.
Result<const HyperaccNode*> load_node_library(const Policy& policy);

// The recorded machine of a test build, else null.
const char* machine_of(const Policy& policy);

// What a call of the library had to say, if anything.
std::optional<Message> message_of(const HyperaccNodeReport& report);

}  // namespace hyperacc::spank

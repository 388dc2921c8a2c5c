// Faults on demand, in the test build only: fault=CALLBACK:CONTEXT:return|throw in plugstack.conf
// makes that callback fail in that context.
#pragma once

#include "runtime/core/result.hpp"
#include "spank/callback.hpp"

namespace hyperacc::spank {

// Looks for fault= among the arguments of the plugin's line, for this callback and those to come.
void arm_fault(int count, char** arguments) noexcept;

// An error where a `return` fault is armed for this callback here; throws where a `throw` is.
Result<void> inject_fault(Callback callback);

}  // namespace hyperacc::spank

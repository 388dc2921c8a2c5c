// No error and no exception leaves a callback: one that escapes into slurmstepd hangs the node, and
// a code other than 0 drains it.
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "runtime/core/result.hpp"
#include "spank/callback.hpp"

#ifdef HYPERACC_SPANK_FAULTS
#include "spank/faults.hpp"
#endif

namespace hyperacc::spank {

#ifndef HYPERACC_SPANK_FAULTS
inline void arm_fault(int, char**) noexcept {}
inline Result<void> inject_fault(Callback) {
  return {};
}
#endif

// One line that names the callback, the context and the node.
void report_failure(Callback callback, const char* why) noexcept;

// What Slurm gets from a callback: the code that `body` returns (Result<int>), 0 where it returns
// none (Result<void>), or `on_failure` when it could not do its work; then one line says so.
template <class Body>
int guarded(Callback callback, int on_failure, Body&& body) noexcept {
  try {
    const auto result = inject_fault(callback).and_then(std::forward<Body>(body));
    if constexpr (std::is_same_v<decltype(result), const Result<int>>) {
      if (result) return *result;
    } else {
      if (result) return 0;
    }
    report_failure(callback, result.error().text.c_str());
  } catch (const std::exception& exception) {
    report_failure(callback, exception.what());
  } catch (...) {
    report_failure(callback, "an exception of unknown type");
  }
  return on_failure;
}

}  // namespace hyperacc::spank

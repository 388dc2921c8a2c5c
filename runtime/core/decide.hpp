// From settings to decisions: what goes on in this process, and why not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/settings.hpp"

namespace hyperacc {

enum class Reason : std::uint8_t {
  platform,
  not_built,
  torch_mismatch,
  library_absent,
  library_unknown,
  denied,
  conflict,
  driver,
  job_launcher,
  verify,
};
std::string_view name(Reason reason);

struct Decision {
  enum class State : std::uint8_t { off, on, skipped };
  State state = State::off;
  std::optional<Reason> reason;  // only where skipped
  std::string text;              // for people, may be empty
};
std::string_view name(Decision::State state);

// What is installed here, as far as files tell (runtime/machine reads it).
struct Installation {
  // Built into this installation for the platform in question: for a hook, its operator; for gc,
  // the Python module; for numabind and thp, the node library.
  PerFeature<bool> built{};
  bool cuda_library = false;  // libhyperacc_cuda.so
  bool hip_library = false;   // libhyperacc_hip.so
  bool cpu_library = false;   // libhyperacc_cpu.so, the references
};

PerFeature<Decision> decide(const Settings& settings, Platform platform,
                            const Installation& installation);

}  // namespace hyperacc

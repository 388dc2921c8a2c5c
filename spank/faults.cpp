#include "spank/faults.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include "spank/spank_api.hpp"

namespace hyperacc::spank {
namespace {

// "CALLBACK:CONTEXT:" and "return" or "throw", as written; the plugin's line outlives the
// callbacks.
std::string_view g_fault;

}  // namespace

void arm_fault(int count, char** arguments) noexcept {
  constexpr std::string_view kKey = "fault=";
  for (int i = 0; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument.substr(0, kKey.size()) == kKey) g_fault = argument.substr(kKey.size());
  }
}

Result<void> inject_fault(Callback callback) {
  const std::string here = std::string(name(callback)) + ":" + name(context()) + ":";
  if (g_fault == here + "return") return fail("injected failure");
  if (g_fault == here + "throw") throw std::runtime_error("injected exception");
  return {};
}

}  // namespace hyperacc::spank

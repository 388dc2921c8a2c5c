#include "spank/guard.hpp"

#include <cstdio>

#include "spank/node_name.hpp"
#include "spank/spank_api.hpp"

namespace hyperacc::spank {

// Allocates nothing: memory may be what was missing.
void report_failure(Callback callback, const char* why) noexcept {
  const Context where = context();
  const bool on_node = where != Context::local && where != Context::allocator;
  char line[512];
  std::snprintf(line, sizeof line, "%s failed (%s%s%s): %s", name(callback), name(where),
                on_node ? ", node " : "", on_node ? node_name() : "", why);
  // In a task log_error would also show in the user's output.
  (callback == Callback::task_init ? log_info : log_error)(line);
}

}  // namespace hyperacc::spank

// Transparent huge pages of the calling process: a state that its children inherit and that ends
// with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/core/plan.hpp"
#include "runtime/core/result.hpp"
#include "runtime/machine/root.hpp"

namespace hyperacc::node {

enum class HugePagesMode : std::uint8_t {
  task,  // not disabled; what is advised gets them
  off,   // none at all
};
// "task" and "system" are one thing for a process.
std::optional<HugePagesMode> find_huge_pages_mode(std::string_view word);

enum class ProcessHugePages : std::uint8_t {
  by_policy,     // as the node's policy says
  disabled,      // PR_SET_THP_DISABLE
  advised_only,  // the same with PR_THP_DISABLE_EXCEPT_ADVISED (Linux 6.18)
};
std::string_view name(ProcessHugePages state);

Result<ProcessHugePages> process_huge_pages();

// `task` clears an inherited disable flag but leaves advised_only, which is enough for it. The
// message tells what was done; a warning where the node's policy is "never".
Result<Message> set_huge_pages(const RootDirectory& root, HugePagesMode mode);

}  // namespace hyperacc::node

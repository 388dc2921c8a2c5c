#include "runtime/node/huge_pages.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "runtime/node/thp_knob.hpp"

namespace hyperacc::node {
namespace {

Result<void> set_disabled(bool disabled) {
  if (prctl(PR_SET_THP_DISABLE, disabled ? 1 : 0, 0, 0, 0) == 0) return {};
  return fail(fmt::format("the kernel refuses to {} transparent huge pages for this process: {}",
                          disabled ? "disable" : "allow", std::strerror(errno)));
}

// What counts for pages of the ordinary huge size.
std::string effective_policy(const RootDirectory& root) {
  const std::string own = read_knob(root, pmd_knob(root));
  return own.empty() || own == "inherit" ? read_knob(root, kThpEnabled) : own;
}

}  // namespace

std::optional<HugePagesMode> find_huge_pages_mode(std::string_view word) {
  if (word == "task" || word == "system") return HugePagesMode::task;
  if (word == "off") return HugePagesMode::off;
  return std::nullopt;
}

std::string_view name(ProcessHugePages state) {
  static constexpr std::array<std::string_view, 3> kNames = {"default", "disabled", "advised_only"};
  return kNames[static_cast<std::size_t>(state)];
}

Result<ProcessHugePages> process_huge_pages() {
  const int state = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
  if (state < 0) {
    return fail(fmt::format("the kernel does not tell whether huge pages are disabled: {}",
                            std::strerror(errno)));
  }
  if (state == 0) return ProcessHugePages::by_policy;
  return state == 1 ? ProcessHugePages::disabled : ProcessHugePages::advised_only;
}

Result<Message> set_huge_pages(const RootDirectory& root, HugePagesMode mode) {
  if (mode == HugePagesMode::off) {
    if (const Result<void> set = set_disabled(true); !set) {
      return tl::unexpected<Error>(set.error());
    }
    return Message{Severity::info, "transparent huge pages are disabled for this process"};
  }
  const Result<ProcessHugePages> before = process_huge_pages();
  if (!before) return tl::unexpected<Error>(before.error());
  if (*before == ProcessHugePages::disabled) {
    if (const Result<void> set = set_disabled(false); !set) {
      return tl::unexpected<Error>(set.error());
    }
  }
  const std::string policy = effective_policy(root);
  if (policy == "never") {
    return Message{Severity::warning,
                   "this node's policy for transparent huge pages is \"never\": thp has no effect"};
  }
  if (policy.empty()) {
    return Message{Severity::warning,
                   "this kernel has no transparent huge pages: thp has no effect"};
  }
  if (*before == ProcessHugePages::disabled) {
    return Message{Severity::info,
                   "transparent huge pages were disabled for this process: allowed"};
  }
  return Message{Severity::debug, fmt::format("transparent huge pages: policy {}", policy)};
}

}  // namespace hyperacc::node

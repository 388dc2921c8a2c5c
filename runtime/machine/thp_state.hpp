// The node-wide state of transparent huge pages.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/machine/root.hpp"

namespace hyperacc {

struct ThpState {
  bool supported = false;             // false: this kernel has none, the rest is empty
  std::string enabled;                // "always", "madvise", "never"
  std::string defrag;                 // "always", "defer", "defer+madvise", "madvise", "never"
  std::uint64_t huge_page_bytes = 0;  // 2 MiB on x86, up to 512 MiB on Arm; 0: unknown
};

ThpState thp_state(const RootDirectory& root);

}  // namespace hyperacc

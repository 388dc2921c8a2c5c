// The restore record of thp=system: whose job changed which switch from what to what. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/result.hpp"

namespace hyperacc::node {

struct ThpChange {
  std::string path;  // "/sys/kernel/mm/transparent_hugepage/enabled"
  std::string old;
  std::string ours;

  friend bool operator==(const ThpChange&, const ThpChange&) = default;
};

struct ThpRecord {
  std::string boot_id;  // what was changed is gone after a reboot
  std::uint32_t job = 0;
  std::vector<ThpChange> changes;

  friend bool operator==(const ThpRecord&, const ThpRecord&) = default;
};

std::string to_text(const ThpRecord& record);
// Error: not what to_text wrote, or a path outside the kernel's folder of these switches.
Result<ThpRecord> parse_thp_record(const std::string& text);

}  // namespace hyperacc::node

// HA_SPANK_SET: what the plugin set in an environment, so that it can be told from what the user
// set, and taken back.
//
//   record  = entry *( ";" entry )
//   entry   = source ":" name ( "=" value | "!" ) [ "~" replaced ]
//   source  = "option" | "default" | "policy"
//
// "!" means that the plugin left the variable unset. Values are percent-encoded. For the list
// variables PYTHONPATH and GLIBC_TUNABLES `value` is our own item, and `replaced` is there (empty)
// only where the variable was set but empty.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/environment.hpp"
#include "runtime/core/result.hpp"
#include "runtime/core/settings.hpp"

namespace hyperacc {

struct RecordEntry {
  Source source = Source::option;  // option, cluster_default or policy
  std::string name;
  std::optional<std::string> value;
  std::optional<std::string> replaced;

  friend bool operator==(const RecordEntry&, const RecordEntry&) = default;
};
using Record = std::vector<RecordEntry>;

bool is_list_variable(std::string_view name);
// The plugin sets no other names; a record that holds one is refused.
bool is_recordable(std::string_view name);

std::string to_text(const Record& record);
Result<Record> parse_record(std::string_view text);
// Of the environment; a damaged record is one warning and reads as empty.
Record record_of(const Environment& environment, std::vector<std::string>& warnings);

// The variable still is as the plugin left it (for a list: our item is still there).
bool is_unchanged(const RecordEntry& entry, const Environment& environment);

// Takes back everything that is unchanged, and HA_SPANK_SET itself. Where `restores` says so, what
// had been replaced comes back; elsewhere the returned entries (name and replaced value) are what a
// later restore still needs.
Record take_back(Environment& environment, const Record& record,
                 const std::function<bool(const RecordEntry&)>& restores);

}  // namespace hyperacc

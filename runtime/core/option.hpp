// The text of --hyperacc=…: its grammar, its errors, and the variables its words stand for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/features.hpp"
#include "runtime/core/result.hpp"

namespace hyperacc {

enum class Modifier : std::uint8_t { auto_load, verify, report, any_platform, verbose };

struct OptionItem {
  enum class Kind : std::uint8_t { all, hooks, none, help, feature, no_feature, modifier };
  Kind kind;
  Feature feature{};                  // feature, no_feature
  Modifier modifier{};                // modifier
  std::optional<std::string> mode;    // canonical mode of a feature; the count of verify=N
  std::optional<std::string> memory;  // canonical part after '+' of numabind=MODE+MEMORY

  friend bool operator==(const OptionItem&, const OptionItem&) = default;
};

// The canonical spelling: "deform-attn", "no-rope", "numabind=node+bind", "verify=5".
std::string to_text(const OptionItem& item);

struct Option {
  std::vector<OptionItem> items;  // as typed, in order, repeated items once

  bool has(OptionItem::Kind kind) const;
  bool asks_help() const { return has(OptionItem::Kind::help); }
  // Only modifiers and no-FEATURE items: stands on top of an outer option instead of replacing it.
  bool is_refinement() const;

  friend bool operator==(const Option&, const Option&) = default;
};

std::string to_text(const Option& option);

// Strict: unknown word, empty item, unknown or missing mode, contradiction (`rope,no-rope`, two
// modes of one feature, `none,all`) → an error that names the word and its nearest match.
Result<Option> parse_option(std::string_view text);

// For a value that this command did not type: what is not understood, and `help`, becomes one
// warning each and is dropped; of two items that contradict each other the first stays.
struct LenientOption {
  Option option;
  std::vector<std::string> warnings;
};
LenientOption parse_option_leniently(std::string_view text);

// The items of `outer` that `refinement` does not contradict, then those of `refinement`.
Option refine(const Option& outer, const Option& refinement);

// One variable a word stands for. Switches hold "1" or "0".
struct Assignment {
  std::string name;
  std::string value;

  friend bool operator==(const Assignment&, const Assignment&) = default;
};

// `all` → HA_USE_ALL=1, `no-rope` → HA_USE_ROPE=0, `none` → every feature's 0 unless named beside
// it, `numabind=node+bind` → HA_USE_NUMABIND=1, HA_NUMABIND_MODE=node, HA_NUMABIND_MEMORY=bind,
// `verify` → HA_VERIFY=3, `verbose` → HA_LOG_LEVEL=DEBUG. `help` stands for nothing.
std::vector<Assignment> assignments(const Option& option);

// Every word of the grammar, for suggestions and completion.
std::vector<std::string> option_words();

// The page of `--hyperacc=help`: grammar and table, with a final newline.
std::string option_help();

}  // namespace hyperacc

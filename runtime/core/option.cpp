#include "runtime/core/option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/core/variables.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

using Kind = OptionItem::Kind;

struct ModifierName {
  Modifier modifier;
  std::string_view word;
  std::string_view variable;
  std::string_view value;  // without '='
};
constexpr ModifierName kModifiers[] = {
    {Modifier::auto_load, "auto", kAuto, "1"},
    {Modifier::verify, "verify", kVerify, "3"},
    {Modifier::report, "report", kReport, "1"},
    {Modifier::any_platform, "any-platform", kAnyPlatform, "1"},
    {Modifier::verbose, "verbose", kLogLevel, "DEBUG"},
};
static_assert(kVerifyDefault == 3, "the default of `verify` stands in the table above");

const ModifierName& name_of(Modifier modifier) {
  return *std::find_if(std::begin(kModifiers), std::end(kModifiers),
                       [&](const ModifierName& row) { return row.modifier == modifier; });
}

std::string feature_word(Feature feature) {
  return normalize_word(info(feature).name);
}

// "task, system, off" or "node|exclusive|core-complex[+auto|bind|local|none]".
std::string modes_text(Feature feature) {
  std::vector<std::string> modes(info(feature).modes.begin(), info(feature).modes.end());
  std::string text = join(modes, "|");
  if (feature == Feature::numabind) text += "[+" + join(numabind_memories(), "|") + "]";
  return text;
}

Result<OptionItem> parse_feature(Feature feature, std::optional<std::string_view> value) {
  OptionItem item{Kind::feature, feature, {}, {}, {}};
  if (!value) return item;
  const std::string word = feature_word(feature);
  const FeatureInfo& row = info(feature);
  if (row.modes.empty()) {
    return fail(fmt::format("'{}' has no modes: write '{}' alone", word, word));
  }
  std::string_view mode = *value;
  std::optional<std::string_view> memory;
  const std::size_t plus = mode.find('+');
  if (feature == Feature::numabind && plus != std::string_view::npos) {
    memory = mode.substr(plus + 1);
    mode = mode.substr(0, plus);
  }
  item.mode = find_mode(feature, mode);
  if (!item.mode) {
    const std::vector<std::string> modes(row.modes.begin(), row.modes.end());
    return fail(fmt::format("unknown mode '{}' of {}{}; its modes are {}", printable(mode), word,
                            suggestion(mode, modes), modes_text(feature)));
  }
  if (memory) {
    item.memory = find_numabind_memory(*memory);
    if (!item.memory) {
      return fail(fmt::format("unknown memory policy '{}' of {}{}; write {}={}", printable(*memory),
                              word, suggestion(*memory, numabind_memories()), word,
                              modes_text(feature)));
    }
  }
  return item;
}

Result<OptionItem> parse_modifier(const ModifierName& row, std::optional<std::string_view> value) {
  OptionItem item{Kind::modifier, {}, row.modifier, {}, {}};
  if (!value) return item;
  if (row.modifier != Modifier::verify) {
    return fail(fmt::format("'{}' takes no value: write '{}' alone", row.word, row.word));
  }
  const std::optional<std::string> count = canonical_value(kVerify, trim(*value));
  if (!count || *count == "0") {
    return fail(fmt::format("'verify={}': the number of calls to compare must be 1 to 1000000",
                            printable(*value)));
  }
  item.mode = *count;
  return item;
}

Result<OptionItem> parse_item(std::string_view text) {
  if (trim(text).empty()) {
    return fail("an item is empty: write words separated by single commas, such as 'rope,syncbn'");
  }
  const std::size_t equals = text.find('=');
  const std::string word = normalize_word(text.substr(0, equals));
  std::optional<std::string_view> value;
  if (equals != std::string_view::npos) value = text.substr(equals + 1);

  static constexpr std::pair<std::string_view, Kind> kPlain[] = {
      {"all", Kind::all}, {"hooks", Kind::hooks}, {"none", Kind::none}, {"help", Kind::help}};
  for (const auto& [plain, kind] : kPlain) {
    if (word != plain) continue;
    if (value) return fail(fmt::format("'{}' takes no value: write '{}' alone", plain, plain));
    return OptionItem{kind, {}, {}, {}, {}};
  }
  for (const ModifierName& row : kModifiers) {
    if (word == row.word) return parse_modifier(row, value);
  }
  if (const std::optional<Feature> feature = find_feature(word)) {
    return parse_feature(*feature, value);
  }
  if (word.rfind("no-", 0) == 0) {
    if (const std::optional<Feature> feature = find_feature(word.substr(3))) {
      if (value) return fail(fmt::format("'{}' takes no mode: write '{}' alone", word, word));
      return OptionItem{Kind::no_feature, *feature, {}, {}, {}};
    }
  }
  return fail(fmt::format("unknown word '{}'{}; --hyperacc=help lists the words",
                          printable(trim(text.substr(0, equals))),
                          suggestion(word, option_words())));
}

// Why `b` cannot stand beside `a`, or nothing.
std::optional<std::string> contradiction(const OptionItem& a, const OptionItem& b) {
  const auto clash = [&](std::string_view why) {
    return fmt::format("'{}' and '{}' {}", to_text(a), to_text(b), why);
  };
  const bool none_all = (a.kind == Kind::none && b.kind == Kind::all) ||
                        (a.kind == Kind::all && b.kind == Kind::none);
  if (none_all) return clash("contradict each other");
  const auto names_feature = [](const OptionItem& item) {
    return item.kind == Kind::feature || item.kind == Kind::no_feature;
  };
  if (names_feature(a) && names_feature(b) && a.feature == b.feature) {
    if (a.kind != b.kind) return clash("contradict each other");
    if (a.mode && b.mode && a.mode != b.mode) return clash("are two modes of one feature");
    if (a.mode && b.mode && a.memory != b.memory) {
      return clash("are two memory policies of one feature");
    }
  }
  if (a.kind == Kind::modifier && b.kind == Kind::modifier && a.modifier == b.modifier &&
      a.mode.value_or(std::string(name_of(a.modifier).value)) !=
          b.mode.value_or(std::string(name_of(b.modifier).value))) {
    return clash("give two counts");
  }
  return std::nullopt;
}

// Adds `item` unless it is there; an error when it contradicts one that is.
Result<void> add_item(Option& option, const OptionItem& item) {
  for (const OptionItem& other : option.items) {
    if (std::optional<std::string> clash = contradiction(other, item)) return fail(*clash);
  }
  if (std::find(option.items.begin(), option.items.end(), item) == option.items.end()) {
    option.items.push_back(item);
  }
  return {};
}

void assign(std::vector<Assignment>& list, std::string_view name, std::string value) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Assignment& other) { return other.name == name; });
  if (found != list.end()) {
    found->value = std::move(value);
  } else {
    list.push_back({std::string(name), std::move(value)});
  }
}

void assign_feature(std::vector<Assignment>& list, const OptionItem& item) {
  const FeatureInfo& row = info(item.feature);
  assign(list, row.variable, item.kind == Kind::feature ? "1" : "0");
  if (item.mode) assign(list, row.mode_variable, *item.mode);
  if (item.memory) assign(list, kNumabindMemory, *item.memory);
}

}  // namespace

std::string to_text(const OptionItem& item) {
  switch (item.kind) {
    case Kind::all:
      return "all";
    case Kind::hooks:
      return "hooks";
    case Kind::none:
      return "none";
    case Kind::help:
      return "help";
    case Kind::no_feature:
      return "no-" + feature_word(item.feature);
    case Kind::feature:
    case Kind::modifier:
      break;
  }
  std::string text = item.kind == Kind::feature ? feature_word(item.feature)
                                                : std::string(name_of(item.modifier).word);
  if (item.mode) text += "=" + *item.mode;
  if (item.memory) text += "+" + *item.memory;
  return text;
}

std::string to_text(const Option& option) {
  std::vector<std::string> words;
  for (const OptionItem& item : option.items) words.push_back(to_text(item));
  return join(words, ",");
}

bool Option::has(OptionItem::Kind kind) const {
  return std::any_of(items.begin(), items.end(),
                     [&](const OptionItem& item) { return item.kind == kind; });
}

bool Option::is_refinement() const {
  return !items.empty() && std::all_of(items.begin(), items.end(), [](const OptionItem& item) {
    return item.kind == Kind::no_feature || item.kind == Kind::modifier;
  });
}

Result<Option> parse_option(std::string_view text) {
  if (trim(text).empty()) {
    return fail("the value is empty: write 'all', 'none' or features such as 'rope,syncbn'");
  }
  Option option;
  for (const std::string& part : split(text, ',')) {
    const Result<OptionItem> item = parse_item(part);
    if (!item) return tl::unexpected(item.error());
    if (const Result<void> added = add_item(option, *item); !added) {
      return tl::unexpected(added.error());
    }
  }
  return option;
}

LenientOption parse_option_leniently(std::string_view text) {
  LenientOption result;
  for (const std::string& part : split(text, ',')) {
    const Result<OptionItem> item = parse_item(part);
    if (!item) {
      result.warnings.push_back("ignored: " + item.error().text);
    } else if (item->kind == Kind::help) {
      result.warnings.emplace_back("ignored: 'help' counts only where it is typed");
    } else if (const Result<void> added = add_item(result.option, *item); !added) {
      result.warnings.push_back(
          fmt::format("'{}' ignored: {}", to_text(*item), added.error().text));
    }
  }
  return result;
}

Option refine(const Option& outer, const Option& refinement) {
  Option combined;
  for (const OptionItem& item : outer.items) {
    const bool stays = std::none_of(
        refinement.items.begin(), refinement.items.end(), [&](const OptionItem& other) {
          return item == other || contradiction(item, other).has_value();
        });
    if (stays) combined.items.push_back(item);
  }
  combined.items.insert(combined.items.end(), refinement.items.begin(), refinement.items.end());
  return combined;
}

std::vector<Assignment> assignments(const Option& option) {
  std::vector<Assignment> list;
  if (option.has(Kind::none)) {
    // By name, so that it wins over a master that the user exported.
    for (const FeatureInfo& row : feature_table()) {
      const bool hook_on = row.kind == FeatureKind::hook && option.has(Kind::hooks);
      assign(list, row.variable, hook_on ? "1" : "0");
    }
  } else {
    if (option.has(Kind::all)) assign(list, kUseAll, "1");
    if (option.has(Kind::hooks)) assign(list, kUseAllHooks, "1");
  }
  for (const OptionItem& item : option.items) {
    if (item.kind == Kind::feature || item.kind == Kind::no_feature) assign_feature(list, item);
    if (item.kind == Kind::modifier) {
      const ModifierName& row = name_of(item.modifier);
      assign(list, row.variable, item.mode.value_or(std::string(row.value)));
    }
  }
  return list;
}

std::vector<std::string> option_words() {
  std::vector<std::string> words = {"all", "hooks", "none", "help"};
  for (const ModifierName& row : kModifiers) words.emplace_back(row.word);
  for (const std::string& feature : feature_words()) words.push_back(feature);
  for (const std::string& feature : feature_words()) words.push_back("no-" + feature);
  return words;
}

std::string option_help() {
  std::string page =
      "--hyperacc=ITEM[,ITEM...]   switches HyperAcc's features on for this job\n"
      "\n"
      "  all            every feature           no-FEATURE     that feature off\n"
      "  hooks          every hook              FEATURE=MODE   a feature in one of its modes\n"
      "  none           no feature at all       help           this page\n"
      "\n"
      "  feature       kind    platforms    what it replaces or does\n";
  for (const FeatureInfo& row : feature_table()) {
    const bool hook = row.kind == FeatureKind::hook;
    const std::string_view platforms = !hook         ? "any"
                                       : !row.dcu    ? "nvidia"
                                       : !row.nvidia ? "dcu"
                                                     : "nvidia, dcu";
    page += fmt::format("  {:<12}  {:<6}  {:<11}  {}\n", normalize_word(row.name),
                        hook ? "hook" : "system", platforms, row.summary);
    if (!row.modes.empty()) page += fmt::format("{:37}={}\n", "", modes_text(row.feature));
  }
  page +=
      "\n"
      "  auto           load the runtime at 'import torch' (2.5 or later)\n"
      "  verify[=N]     compare the first N calls of each operator with the original (3)\n"
      "  report         print at exit what was accelerated\n"
      "  any-platform   use hooks on platforms that they are not meant for\n"
      "  verbose        log at DEBUG\n"
      "\n"
      "Case and '-' or '_' do not matter. A feature that does not fit is skipped, never an "
      "error.\n";
  return page;
}

}  // namespace hyperacc

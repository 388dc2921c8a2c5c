#include "runtime/cli/completion.hpp"

#include <fmt/format.h>

#include "runtime/core/settings.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc::cli {
namespace {

// COMP_LINE is split here by blanks alone: readline's own words end at '=' and depend on the user's
// COMP_WORDBREAKS. `keep` is what readline already has before the part that it replaces.
constexpr const char* kScript =
    R"(# bash completion of hyperacc, printed by `hyperacc completion bash`

_hyperacc_list() {{  # words, what is typed, what stands before it
  local word
  for word in $1; do
    [[ $word == "$2"* ]] && COMPREPLY+=("$3$word")
  done
}}

_hyperacc() {{
  local line=${{COMP_LINE:0:COMP_POINT}}
  local current=${{line##* }} subcommand='' flag='' value keep='' words word
  read -ra words <<<"${{line%"$current"}}"
  for word in "${{words[@]:1}}"; do
    if [[ $word != -* ]]; then
      subcommand=$word
      break
    fi
  done
  COMPREPLY=()
  if [[ $current == --*=* ]]; then
    flag=${{current%%=*}} value=${{current#*=}}
    [[ $COMP_WORDBREAKS == *=* ]] || keep=$flag=
  else
    flag=${{words[-1]}} value=$current
  fi
  case $flag in
    --hyperacc)
      local before=''
      [[ $value == *,* ]] && before=${{value%,*}},
      compopt -o nospace 2>/dev/null
      _hyperacc_list '{option_words}' "${{value##*,}}" "$keep$before"
      return ;;
    --platform)
      _hyperacc_list '{platforms}' "$value" "$keep"
      return ;;
    --machine)
      compopt -o filenames 2>/dev/null
      while read -r word; do COMPREPLY+=("$keep$word"); done < <(compgen -d -- "$value")
      return ;;
    --policy)
      return ;;
  esac
  case $subcommand in
    '') _hyperacc_list '{commands}' "$current" '' ;;
{cases}  esac
}}

complete -F _hyperacc hyperacc
)";

std::vector<std::string> flags_of(const CLI::App& parser) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

std::string platform_words() {
  std::vector<std::string> words;
  for (const Platform platform : {Platform::none, Platform::nvidia, Platform::dcu, Platform::amd,
                                  Platform::mixed, Platform::cpu}) {
    words.emplace_back(name(platform));
  }
  return join(words, " ");
}

}  // namespace

std::string bash_completion(const CLI::App& parser, const std::vector<std::string>& option_words) {
  std::vector<std::string> commands;
  std::string cases;
  for (const CLI::App* subcommand : parser.get_subcommands(nullptr)) {
    commands.push_back(subcommand->get_name());
    std::vector<std::string> words = flags_of(*subcommand);
    if (subcommand->get_name() == "completion") words.emplace_back("bash");
    cases += fmt::format("    {}) _hyperacc_list '{}' \"$current\" '' ;;\n", subcommand->get_name(),
                         join(words, " "));
  }
  for (const std::string& flag : flags_of(parser)) commands.push_back(flag);
  return fmt::format(kScript, fmt::arg("option_words", join(option_words, " ")),
                     fmt::arg("platforms", platform_words()),
                     fmt::arg("commands", join(commands, " ")), fmt::arg("cases", cases));
}

}  // namespace hyperacc::cli

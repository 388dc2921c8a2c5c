#include "spank/command_line.hpp"

#include <cstring>

namespace hyperacc::spank {
namespace {

int g_argument_count = 0;
char** g_arguments = nullptr;

// glibc passes main's arguments to the constructors of every library, also of one loaded later.
__attribute__((constructor)) void keep_command_line(int argc, char** argv, char**) {
  g_argument_count = argc;
  g_arguments = argv;
}

// sbatch's short options that take their value from the next word, 22.05 to 26.05.
constexpr std::string_view kShortWithValue = "AaBbCcDdeFGiJLMmNnopqStwx";

// True when the word after `word` is its value.
bool takes_next_word(std::string_view word) {
  return word.size() == 2 && word[0] == '-' &&
         kShortWithValue.find(word[1]) != std::string_view::npos;
}

}  // namespace

std::vector<std::string_view> command_line() {
  std::vector<std::string_view> words;
  for (int i = 0; i < g_argument_count; ++i) words.emplace_back(g_arguments[i]);
  return words;
}

const char* slurmd_node_argument() noexcept {
  for (int i = 1; i < g_argument_count; ++i) {
    if (std::strncmp(g_arguments[i], "-N", 2) != 0) continue;
    const char* attached = g_arguments[i] + 2;
    return *attached != '\0' ? attached : i + 1 < g_argument_count ? g_arguments[i + 1] : nullptr;
  }
  return nullptr;
}

bool is_on_command_line(const char* text) noexcept {
  if (g_argument_count == 0) return false;
  const char* last = g_arguments[g_argument_count - 1];
  return text >= g_arguments[0] && text <= last + std::strlen(last);
}

std::optional<std::string> find_option(const std::vector<std::string_view>& arguments) {
  constexpr std::string_view kName = "--hyperacc";
  std::optional<std::string> value;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word.empty() || word[0] != '-' || word == "--" || word == "-") break;
    if (word == kName || takes_next_word(word)) {
      if (++i == arguments.size()) break;
      if (word == kName) value = arguments[i];
    } else if (word.size() > kName.size() && word.substr(0, kName.size()) == kName &&
               word[kName.size()] == '=') {
      value = word.substr(kName.size() + 1);
    }
  }
  return value;
}

}  // namespace hyperacc::spank

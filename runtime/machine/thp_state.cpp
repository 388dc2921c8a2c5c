#include "runtime/machine/thp_state.hpp"

#include <string_view>

#include "runtime/machine/number.hpp"

namespace hyperacc {
namespace {

// "always [madvise] never" → "madvise"
std::string chosen(std::string_view choices) {
  const std::size_t open = choices.find('[');
  const std::size_t close = choices.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return "";
  return std::string(choices.substr(open + 1, close - open - 1));
}

}  // namespace

ThpState thp_state(const RootDirectory& root) {
  const std::string directory = "/sys/kernel/mm/transparent_hugepage";
  ThpState state;
  state.enabled = chosen(root.read_word(directory + "/enabled"));
  state.supported = !state.enabled.empty();
  if (!state.supported) return state;
  state.defrag = chosen(root.read_word(directory + "/defrag"));
  state.huge_page_bytes =
      parse_number<std::uint64_t>(root.read_word(directory + "/hpage_pmd_size")).value_or(0);
  return state;
}

}  // namespace hyperacc

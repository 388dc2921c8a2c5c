#include "runtime/machine/cpu_list.hpp"

#include <algorithm>

#include "runtime/core/words.hpp"
#include "runtime/machine/number.hpp"

namespace hyperacc {

std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text) {
  constexpr unsigned kMost = 65535;  // a damaged file must not make us count to 4 000 000 000
  std::vector<unsigned> numbers;
  if (trim(text).empty()) return numbers;
  for (const std::string& range : split(trim(text), ',')) {
    const std::size_t dash = range.find('-');
    const std::string_view view = range;
    const auto first = parse_number<unsigned>(view.substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : parse_number<unsigned>(view.substr(dash + 1));
    if (!first || !last || *last < *first || *last > kMost) return std::nullopt;
    for (unsigned number = *first; number <= *last; ++number) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace hyperacc

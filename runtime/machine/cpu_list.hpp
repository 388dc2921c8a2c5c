// CPU and node lists as the kernel writes them: "0-31,64-95".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperacc {

// In rising order, each once; an empty text is an empty list. Nothing for text that is no list, or
// that names a number above 65535.
std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text);

}  // namespace hyperacc

// Columns of text for a terminal of 100 columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hyperacc::cli {

inline constexpr std::size_t kPageWidth = 100;

// `text` in lines of at most `width` bytes, broken at blanks; a longer word stays whole.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// `label`, padded to `indent` columns, then `text` wrapped beside it; ends with a newline.
std::string paragraph(std::string_view label, std::string_view text, std::size_t indent);

// Rows of equally many cells, the first row the header. Every column is as wide as its widest cell,
// the last one takes what remains of the page and wraps. Ends with a newline.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace hyperacc::cli

#include "runtime/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/words.hpp"

namespace hyperacc::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 20;  // of a wrapped column, however wide the others are

std::vector<std::size_t> widths_of(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  return widths;
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (line.size() + 1 + word.size() <= width) {
      line += ' ' + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

std::string paragraph(std::string_view label, std::string_view text, std::size_t indent) {
  const std::size_t room = indent + kNarrowest < kPageWidth ? kPageWidth - indent : kNarrowest;
  std::string page;
  for (const std::string& line : wrap(text, room)) {
    std::string whole = fmt::format("{:<{}}{}", page.empty() ? label : "", indent, line);
    whole.erase(whole.find_last_not_of(' ') + 1);
    page += whole + '\n';
  }
  return page;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string page;
  for (const std::vector<std::string>& row : rows) {
    std::string fixed;
    for (std::size_t column = 0; column + 1 < row.size(); ++column) {
      fixed += fmt::format("{:<{}}", row[column], widths[column] + kGap);
    }
    page += paragraph(fixed, row.back(), fixed.size());
  }
  return page;
}

}  // namespace hyperacc::cli

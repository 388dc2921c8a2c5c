#include "runtime/machine/slurm_conf.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "runtime/core/words.hpp"
#include "runtime/machine/path_text.hpp"

namespace hyperacc {
namespace {

constexpr std::size_t kLimit = std::size_t{16} * 1024 * 1024;  // large sites list their nodes
constexpr int kDeepestInclude = 16;
constexpr std::string_view kBlanks = " \t\r\n\v\f";

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// An odd number of backslashes at the end, blanks after them or not.
bool strip_continuation(std::string& line) {
  const std::size_t last = line.find_last_not_of(kBlanks);
  if (last == std::string::npos || line[last] != '\\') return false;
  const std::size_t before = line.find_last_not_of('\\', last);
  const std::size_t count = last - (before == std::string::npos ? std::size_t(-1) : before);
  if (count % 2 == 0) return false;
  line.resize(last);
  return true;
}

// Cuts at the first '#' that no backslash protects.
void strip_comment(std::string& line) {
  bool escaped = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && !escaped) return line.resize(i);
    escaped = line[i] == '\\' && !escaped;
  }
}

std::string without_escapes(std::string_view line) {
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && ++i == line.size()) break;
    result += line[i];
  }
  return result;
}

std::vector<std::string> logical_lines(std::string_view text) {
  std::vector<std::string> lines;
  std::string line;
  for (std::string& physical : split(text, '\n')) {
    strip_comment(physical);
    const bool continues = strip_continuation(physical);
    line += physical;
    if (continues) continue;
    lines.push_back(without_escapes(line));
    line.clear();
  }
  lines.push_back(without_escapes(line));
  return lines;
}

// The value in `Key = "a value"` or `Key=value`, or nothing when the line has another key.
std::optional<std::string> value_in(std::string_view line, std::string_view key) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || !same_word(trim(line.substr(0, equals)), key)) {
    return std::nullopt;
  }
  const std::string_view value = trim(line.substr(equals + 1));
  const bool quoted = !value.empty() && value.front() == '"';
  const std::size_t quote = quoted ? value.find('"', 1) : std::string_view::npos;
  if (quote != std::string_view::npos) return std::string(value.substr(1, quote - 1));
  return std::string(value.substr(0, value.find_first_of(kBlanks)));
}

// The file that the line includes, or "".
std::string included(std::string_view line, const std::string& file) {
  constexpr std::string_view kInclude = "include";
  const std::string_view rest = line.substr(std::min(kInclude.size(), line.size()));
  if (!same_word(line.substr(0, kInclude.size()), kInclude)) return "";
  if (rest.empty() || kBlanks.find(rest.front()) == std::string_view::npos) return "";
  const std::string_view name = trim(rest);
  return beside(file, name.substr(0, name.find_first_of(kBlanks)));
}

std::optional<std::string> find_value(const RootDirectory& root, const std::string& file,
                                      std::string_view key, int depth) {
  const Result<std::string> text = root.read_file(file, kLimit);
  if (!text) return std::nullopt;
  std::optional<std::string> found;
  for (const std::string& line : logical_lines(*text)) {
    const std::string include = depth < kDeepestInclude ? included(line, file) : "";
    std::optional<std::string> value =
        include.empty() ? value_in(line, key) : find_value(root, include, key, depth + 1);
    if (value) found = std::move(value);
  }
  return found;
}

}  // namespace

std::string slurm_conf_path(const RootDirectory& root, const Environment& environment) {
  const std::optional<std::string> named = lookup(environment, "SLURM_CONF");
  if (named && !named->empty()) return *named;
  const std::string usual = "/etc/slurm/slurm.conf";
  const std::string fetched = "/run/slurm/conf/slurm.conf";
  return !root.exists(usual) && root.exists(fetched) ? fetched : usual;
}

std::optional<std::string> slurm_conf_value(const RootDirectory& root, const std::string& file,
                                            std::string_view key) {
  return find_value(root, file, key, 0);
}

}  // namespace hyperacc

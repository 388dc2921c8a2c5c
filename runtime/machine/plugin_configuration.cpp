#include "runtime/machine/plugin_configuration.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/result.hpp"
#include "runtime/core/words.hpp"
#include "runtime/machine/path_pattern.hpp"
#include "runtime/machine/path_text.hpp"
#include "runtime/machine/slurm_conf.hpp"

namespace hyperacc {
namespace {

constexpr std::size_t kSlurmBuffer = 4096;  // Slurm reads a longer line as several
constexpr std::size_t kLimit = std::size_t{1024} * 1024;
constexpr int kDeepestInclude = 16;

// What one fgets of Slurm returns, without the newline.
std::vector<std::string> slurm_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const bool whole = newline != std::string_view::npos && newline + 1 < kSlurmBuffer;
    const std::size_t length = whole ? newline : std::min(text.size(), kSlurmBuffer - 1);
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(whole ? length + 1 : length);
  }
  return lines;
}

std::vector<std::string> slurm_words(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string> words;
  constexpr std::string_view kSeparators = " \t";  // not CR: it becomes part of a word
  std::size_t begin = line.find_first_not_of(kSeparators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kSeparators, begin), line.size());
    words.emplace_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kSeparators, end);
  }
  return words;
}

bool names_plugin(std::string_view path) {
  return base_name(trim(path)) == kPluginFile;  // trim: a CR at the end is a mistake to report
}

class Reader {
 public:
  Reader(const RootDirectory& root, PluginConfiguration& result) : root_(root), result_(result) {}

  void read(const std::string& file, int depth) {
    const Result<std::string> text = root_.read_file(file, kLimit);
    if (!text) {
      result_.problems.push_back(text.error().text);
      return;
    }
    unsigned number = 0;
    for (const std::string& line : slurm_lines(*text)) {
      read_line({file, ++number}, slurm_words(line), depth);
    }
  }

  // Only of interest where the plugin was not found.
  const std::vector<std::string>& empty_includes() const { return empty_includes_; }

 private:
  struct Place {
    const std::string& file;
    unsigned line;
  };

  void problem(const Place& place, std::string_view text) {
    result_.problems.push_back(fmt::format("{}:{}: {}", place.file, place.line, text));
  }

  void read_line(const Place& place, const std::vector<std::string>& words, int depth) {
    if (words.empty()) return;
    const std::string& keyword = words[0];
    if (keyword != "required" && keyword != "optional" && keyword != "include") {
      return problem(place, fmt::format("Slurm skips this line: '{}' is neither optional, required "
                                        "nor include (a line cannot be continued)",
                                        printable(keyword)));
    }
    if (words.size() < 2) {
      return problem(place, fmt::format("Slurm skips this line: no file after '{}'", keyword));
    }
    if (keyword == "include") return include(place, words[1], depth);
    if (names_plugin(words[1])) {
      PluginLine line{place.file, place.line, keyword == "required", words[1], {}};
      line.arguments.assign(words.begin() + 2, words.end());
      check(place, line);
      result_.lines.push_back(std::move(line));
    }
  }

  void include(const Place& place, const std::string& pattern, int depth) {
    const std::string absolute = beside(place.file, pattern);
    if (depth >= kDeepestInclude) {
      return problem(place, fmt::format("include {} goes round in a circle", printable(pattern)));
    }
    const std::vector<std::string> files = matching_paths(root_, absolute);
    if (files.empty()) {
      empty_includes_.push_back(fmt::format("{}:{}: include {} matches no file", place.file,
                                            place.line, printable(absolute)));
    }
    for (const std::string& file : files) read(file, depth + 1);
  }

  void check(const Place& place, const PluginLine& line) {
    if (line.required) {
      problem(place,
              "use 'optional': with 'required' a plugin that does not load stops every srun, "
              "sbatch and salloc");
    }
    if (!result_.lines.empty()) {
      const PluginLine& first = result_.lines.front();
      problem(place, fmt::format("{} is listed twice (first in {}:{}): remove one line",
                                 kPluginFile, first.file, first.line));
    }
    const std::string& last = line.arguments.empty() ? line.path : line.arguments.back();
    if (last.back() == '\r') {
      problem(place,
              "the line ends in CR LF, and Slurm takes the CR for a letter: save the file "
              "with LF only");
    }
    if (std::find(line.arguments.begin(), line.arguments.end(), "\\") != line.arguments.end()) {
      problem(place, "a backslash does not continue the line: write all arguments on one line");
    }
    const std::string path(trim(line.path));
    if (path.front() != '/') {
      problem(place,
              fmt::format("write the absolute path: Slurm looks for '{}' in its PluginDir only",
                          printable(path)));
    } else if (!root_.exists(path)) {
      problem(place, fmt::format("{} does not exist", printable(path, 400)));
    }
  }

  const RootDirectory& root_;
  PluginConfiguration& result_;
  std::vector<std::string> empty_includes_;
};

}  // namespace

PluginConfiguration read_plugin_configuration(const RootDirectory& root,
                                              const Environment& environment) {
  PluginConfiguration result;
  result.slurm_conf = slurm_conf_path(root, environment);
  if (result.slurm_conf.front() != '/') {
    result.problems.push_back(
        fmt::format("SLURM_CONF={} is not an absolute path", printable(result.slurm_conf)));
    return result;
  }
  const auto named = slurm_conf_value(root, result.slurm_conf, "PlugStackConfig");
  result.plugstack = named ? *named : beside(result.slurm_conf, "plugstack.conf");
  if (result.plugstack.empty() || result.plugstack.front() != '/') {
    result.problems.push_back(fmt::format(
        "{}: PlugStackConfig={} is not absolute: each command looks in its own working directory",
        result.slurm_conf, printable(result.plugstack)));
    return result;
  }
  if (!root.exists(result.plugstack)) {
    result.problems.push_back(
        fmt::format("{} does not exist: Slurm loads no plugin", result.plugstack));
    return result;
  }
  Reader reader(root, result);
  reader.read(result.plugstack, 0);
  if (result.lines.empty()) {
    result.problems.push_back(fmt::format("{} has no line for {}", result.plugstack, kPluginFile));
    result.problems.insert(result.problems.end(), reader.empty_includes().begin(),
                           reader.empty_includes().end());
  }
  return result;
}

}  // namespace hyperacc

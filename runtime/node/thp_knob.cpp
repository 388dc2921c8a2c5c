#include "runtime/node/thp_knob.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "runtime/core/words.hpp"
#include "runtime/machine/number.hpp"

namespace hyperacc::node {

std::uint64_t pmd_bytes(const RootDirectory& root) {
  const std::string text = root.read_word("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
  return parse_number<std::uint64_t>(text).value_or(0);
}

std::string pmd_knob(const RootDirectory& root) {
  const std::uint64_t bytes = pmd_bytes(root);
  if (bytes == 0) return "";
  std::string path =
      fmt::format("/sys/kernel/mm/transparent_hugepage/hugepages-{}kB/enabled", bytes / 1024);
  return root.exists(path) ? path : "";
}

std::string read_knob(const RootDirectory& root, std::string_view path) {
  if (path.empty()) return "";
  const std::string text = root.read_word(path);
  // The first line: the kernel writes no other, and a plain file below a test's root keeps the rest
  // of an older, longer text.
  const std::string_view line = trim(std::string_view(text).substr(0, text.find('\n')));
  const std::size_t open = line.find('[');
  const std::size_t close = line.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::string(line);
  }
  return std::string(line.substr(open + 1, close - open - 1));
}

Result<void> write_knob(const RootDirectory& root, std::string_view path, std::string_view word) {
  const std::string place = root.directory() + std::string(path);
  const int file = open(place.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return fail(fmt::format("{}: {}", path, std::strerror(errno)));
  const std::string text = std::string(word) + '\n';
  const ssize_t written = write(file, text.data(), text.size());
  const int error = written < 0 ? errno : EIO;
  close(file);
  if (written == static_cast<ssize_t>(text.size())) return {};
  return fail(fmt::format("{}: writing {}: {}", path, word, std::strerror(error)));
}

}  // namespace hyperacc::node

#include "runtime/machine/root.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>

#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

constexpr int kMostLinks = 40;  // as the kernel's own limit

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(value_); }
  int get() const { return value_; }

 private:
  int value_;
};

tl::unexpected<Error> fail_errno(std::string_view path, int error) {
  return fail(fmt::format("{}: {}", path, std::strerror(error)));
}

// The text of a link, or an errno value (EINVAL: not a link).
tl::expected<std::string, int> link_text(int directory, const std::string& path) {
  std::string text(PATH_MAX, '\0');
  const ssize_t length = readlinkat(directory, path.c_str(), text.data(), text.size());
  if (length < 0) return tl::unexpected<int>(errno);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

void push_components(std::deque<std::string>& pending, std::string_view path) {
  std::vector<std::string> parts = split(path, '/');
  pending.insert(pending.begin(), std::make_move_iterator(parts.begin()),
                 std::make_move_iterator(parts.end()));
}

}  // namespace

RootDirectory::RootDirectory(int descriptor, bool live, std::string directory)
    : descriptor_(descriptor), live_(live), directory_(std::move(directory)) {}

RootDirectory::RootDirectory(RootDirectory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      live_(other.live_),
      directory_(std::move(other.directory_)) {}

RootDirectory& RootDirectory::operator=(RootDirectory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(live_, other.live_);
  std::swap(directory_, other.directory_);
  return *this;
}

RootDirectory::~RootDirectory() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<RootDirectory> RootDirectory::open(const std::string& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return fail_errno(directory, errno);
  struct stat here {};
  struct stat root {};
  const bool live = fstat(descriptor, &here) == 0 && stat("/", &root) == 0 &&
                    here.st_dev == root.st_dev && here.st_ino == root.st_ino;
  return RootDirectory(descriptor, live, directory);
}

Result<std::string> RootDirectory::locate(std::string_view path, bool follow_last) const {
  if (live_) {
    const std::size_t first = path.find_first_not_of('/');
    return std::string(first == std::string_view::npos ? "." : path.substr(first));
  }
  // By hand rather than with openat2(RESOLVE_IN_ROOT): that needs Linux 5.6, and older container
  // runtimes refuse it.
  std::deque<std::string> pending;
  push_components(pending, path);
  std::string resolved;
  int links = 0;
  while (!pending.empty()) {
    const std::string component = std::move(pending.front());
    pending.pop_front();
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      const std::size_t slash = resolved.rfind('/');
      resolved.resize(slash == std::string::npos ? 0 : slash);
      continue;
    }
    std::string candidate = resolved.empty() ? component : resolved + '/' + component;
    const bool last = pending.empty();
    const auto target =
        last && !follow_last ? tl::unexpected<int>(EINVAL) : link_text(descriptor_, candidate);
    if (!target) {
      resolved = std::move(candidate);
      continue;
    }
    if (++links > kMostLinks) return fail_errno(path, ELOOP);
    if (!target->empty() && target->front() == '/') resolved.clear();
    push_components(pending, *target);
  }
  return resolved.empty() ? "." : resolved;
}

Result<int> RootDirectory::open_below(std::string_view path, int flags) const {
  const Result<std::string> place = locate(path, true);
  if (!place) return tl::unexpected<Error>(place.error());
  const int no_follow = live_ ? 0 : O_NOFOLLOW;
  const int descriptor = openat(descriptor_, place->c_str(), flags | O_CLOEXEC | no_follow);
  if (descriptor < 0) return fail_errno(path, errno);
  return descriptor;
}

Result<std::string> RootDirectory::read_file(std::string_view path, std::size_t limit) const {
  const Result<int> opened = open_below(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!opened) return tl::unexpected<Error>(opened.error());
  const Descriptor file(*opened);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return fail_errno(path, errno);
  if (!S_ISREG(status.st_mode)) return fail(fmt::format("{}: not a regular file", path));

  // st_size says nothing in /proc and /sys: read until the end.
  constexpr std::size_t kChunk = 4096;
  std::string content;
  while (content.size() <= limit) {
    const std::size_t filled = content.size();
    content.resize(filled + kChunk);
    const ssize_t count = read(file.get(), content.data() + filled, kChunk);
    if (count < 0 && errno != EINTR) return fail_errno(path, errno);
    content.resize(filled + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return content;
  }
  return fail(fmt::format("{}: larger than {} bytes", path, limit));
}

std::string RootDirectory::read_word(std::string_view path) const {
  const Result<std::string> content = read_file(path);
  return content ? std::string(trim(*content)) : std::string();
}

Result<std::vector<std::string>> RootDirectory::list(std::string_view path) const {
  const Result<int> opened = open_below(path, O_RDONLY | O_DIRECTORY);
  if (!opened) return tl::unexpected<Error>(opened.error());
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(fdopendir(*opened), closedir);
  if (!directory) {
    const int error = errno;
    close(*opened);
    return fail_errno(path, error);
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(directory.get())) {
    const std::string_view entry_name = entry->d_name;
    if (entry_name != "." && entry_name != "..") names.emplace_back(entry_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> RootDirectory::names(std::string_view path) const {
  Result<std::vector<std::string>> found = list(path);
  return found ? std::move(*found) : std::vector<std::string>();
}

Result<std::string> RootDirectory::read_link(std::string_view path) const {
  const Result<std::string> place = locate(path, false);
  if (!place) return place;
  auto target = link_text(descriptor_, *place);
  if (!target) {
    if (target.error() == EINVAL) return fail(fmt::format("{}: not a symbolic link", path));
    return fail_errno(path, target.error());
  }
  return std::move(*target);
}

bool RootDirectory::exists(std::string_view path) const {
  const Result<std::string> place = locate(path, true);
  struct stat status {};
  return place && fstatat(descriptor_, place->c_str(), &status, 0) == 0;
}

bool RootDirectory::is_device(std::string_view path) const {
  const Result<std::string> place = locate(path, true);
  struct stat status {};
  if (!place || fstatat(descriptor_, place->c_str(), &status, 0) != 0) return false;
  return live_ ? S_ISCHR(status.st_mode) : S_ISREG(status.st_mode);
}

bool RootDirectory::may_open(std::string_view path) const {
  const Result<std::string> place = locate(path, true);
  // No AT_EACCESS: where the kernel lacks faccessat2, the C library would answer from the mode bits
  // alone, without the device cgroup. A task's real and effective user are the same.
  return place && faccessat(descriptor_, place->c_str(), R_OK | W_OK, 0) == 0;
}

}  // namespace hyperacc

#include "runtime/node/thp_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

namespace hyperacc::node {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kFolder = "/run/hyperacc/thp";
constexpr const char* kRecord = "record";
constexpr const char* kNew = "record.new";
constexpr const char* kDamaged = "record.damaged";
constexpr const char* kLock = "lock";

tl::unexpected<Error> fail_errno(std::string_view name) {
  return fail(fmt::format("{}/{}: {}", kFolder, name, std::strerror(errno)));
}

// Opens a folder below `parent`, made where it is missing. Not a link, and nobody else's: whoever
// could write there could make root write any word into these switches.
int open_folder(int parent, const char* name) {
  const bool made = mkdirat(parent, name, 0755) == 0;
  if (!made && errno != EEXIST) return -1;
  const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat status {};
  if (made) (void)fchmod(folder, 0755);  // whatever the umask
  const bool ours = fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
                    (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (ours) return folder;
  close(folder);
  errno = EPERM;
  return -1;
}

Result<int> open_store(const RootDirectory& root) {
  const std::string run = root.directory() + "/run";
  const int run_folder = open(run.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (run_folder < 0) return fail(fmt::format("{}: {}", run, std::strerror(errno)));
  const int product = open_folder(run_folder, "hyperacc");
  close(run_folder);
  if (product < 0) return fail_errno("..");
  const int folder = open_folder(product, "thp");
  close(product);
  if (folder < 0) return fail_errno("");
  return folder;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

ThpStore::ThpStore(ThpStore&& other) noexcept
    : folder_(std::exchange(other.folder_, -1)), lock_(std::exchange(other.lock_, -1)) {}

ThpStore& ThpStore::operator=(ThpStore&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(lock_, other.lock_);
  return *this;
}

ThpStore::~ThpStore() {
  if (lock_ >= 0) close(lock_);
  if (folder_ >= 0) close(folder_);
}

Result<ThpStore> ThpStore::lock(const RootDirectory& root, std::chrono::milliseconds limit) {
  const Result<int> folder = open_store(root);
  if (!folder) return tl::unexpected<Error>(folder.error());
  const int file = openat(*folder, kLock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  ThpStore store(*folder, file);
  if (file < 0) return fail_errno(kLock);
  const Clock::time_point deadline = Clock::now() + limit;
  while (flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return fail_errno(kLock);
    if (Clock::now() >= deadline) {
      return fail(fmt::format("{}/{}: another process holds it", kFolder, kLock));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return store;
}

Result<void> ThpStore::write(const ThpRecord& record) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
  const int file = openat(folder_, kNew, kFlags, 0644);
  if (file < 0) return fail_errno(kNew);
  (void)fchmod(file, 0644);
  const bool written = write_all(file, to_text(record)) && fsync(file) == 0;
  const int error = errno;
  close(file);
  errno = error;
  if (!written || renameat(folder_, kNew, folder_, kRecord) != 0) return fail_errno(kNew);
  if (fsync(folder_) != 0) return fail_errno("");
  return {};
}

Result<void> ThpStore::remove() {
  if (unlinkat(folder_, kRecord, 0) == 0 || errno == ENOENT) return {};
  return fail_errno(kRecord);
}

Result<void> ThpStore::put_aside() {
  if (renameat(folder_, kRecord, folder_, kDamaged) == 0) return {};
  return fail_errno(kRecord);
}

Result<std::optional<ThpRecord>> read_thp_record(const RootDirectory& root) {
  const Result<std::string> text = root.read_file(kThpRecord);
  if (!text) return std::optional<ThpRecord>();
  Result<ThpRecord> record = parse_thp_record(*text);
  if (!record) return tl::unexpected<Error>(record.error());
  return std::optional<ThpRecord>(*std::move(record));
}

}  // namespace hyperacc::node

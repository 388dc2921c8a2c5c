// The files of a machine, below one root directory: "/" for this one, a folder for a recorded one.
// Whatever reads the machine reads it through here, so that a recorded machine takes the same path
// through the code as a live one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/result.hpp"

namespace hyperacc {

class RootDirectory {
 public:
  // The most that read_file takes by default: every file of /proc and /sys that we read is smaller.
  static constexpr std::size_t kDefaultLimit = std::size_t{64} * 1024;

  // `directory` is absolute or relative to the working directory. Error: it is not a directory that
  // this process may open.
  static Result<RootDirectory> open(const std::string& directory);

  RootDirectory(RootDirectory&& other) noexcept;
  RootDirectory& operator=(RootDirectory&& other) noexcept;
  RootDirectory(const RootDirectory&) = delete;
  RootDirectory& operator=(const RootDirectory&) = delete;
  ~RootDirectory();

  // This very machine, not a recorded one.
  bool is_live() const { return live_; }
  const std::string& directory() const { return directory_; }

  // Paths are as on the machine itself: "/proc/cpuinfo". In a recorded machine a symbolic link,
  // absolute or with "..", is followed as if the folder were "/" and never leads out of it.

  // The whole content of a regular file. Errors: missing, not readable, not a regular file (a pipe
  // or a device is never waited for), more than `limit` bytes.
  Result<std::string> read_file(std::string_view path, std::size_t limit = kDefaultLimit) const;
  // read_file without surrounding blanks, or "" where it fails: for the one-word files of /sys.
  std::string read_word(std::string_view path) const;
  // Names in a directory, sorted by their bytes, without "." and "..".
  Result<std::vector<std::string>> list(std::string_view path) const;
  // The same, empty where there is no such directory.
  std::vector<std::string> names(std::string_view path) const;
  // The text of a symbolic link.
  Result<std::string> read_link(std::string_view path) const;
  // Links are followed: false for a dangling one.
  bool exists(std::string_view path) const;
  // A character device; in a recorded machine, which cannot hold one, a regular file stands for it.
  bool is_device(std::string_view path) const;
  // This process may read and write `path`: access(2), which also asks the device cgroup and wakes
  // no driver.
  bool may_open(std::string_view path) const;

 private:
  RootDirectory(int descriptor, bool live, std::string directory);
  // `path` relative to the descriptor; in a recorded machine with its links resolved, the last one
  // only where `follow_last` says so.
  Result<std::string> locate(std::string_view path, bool follow_last) const;
  Result<int> open_below(std::string_view path, int flags) const;

  int descriptor_;
  bool live_;
  std::string directory_;
};

}  // namespace hyperacc

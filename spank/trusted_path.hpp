// Files that a process of root, or of another user, may load: only root can have changed them.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

#include "runtime/core/result.hpp"

namespace hyperacc::spank {

struct Ownership {
  uid_t owner = 0;
  mode_t mode = 0;  // permission bits
};
// Of the file itself, links not followed; an error says why it cannot be read.
using Look = std::function<Result<Ownership>(const std::string& path)>;

// `path` (absolute, no links in it) and every folder above it belong to root and are writable by
// nobody else; the error names the one that is not, and the fix.
Result<void> check_ownership(std::string_view path, const Look& look);

// The real path of `path`, checked on this machine.
Result<std::string> trusted_path(const std::string& path);

}  // namespace hyperacc::spank

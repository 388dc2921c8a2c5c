#include "spank/trusted_path.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace hyperacc::spank {
namespace {

Result<Ownership> look_at(const std::string& path) {
  struct stat facts {};
  if (lstat(path.c_str(), &facts) != 0) {
    return fail(fmt::format("{}: {}", path, std::strerror(errno)));
  }
  return Ownership{facts.st_uid, facts.st_mode & static_cast<mode_t>(07777)};
}

}  // namespace

Result<void> check_ownership(std::string_view path, const Look& look) {
  std::string part(path);
  while (true) {
    const Result<Ownership> found = look(part);
    if (!found) return tl::unexpected(found.error());
    if (found->owner != 0) {
      return fail(fmt::format("{} belongs to uid {}: it must belong to root", part, found->owner));
    }
    if ((found->mode & static_cast<mode_t>(S_IWGRP | S_IWOTH)) != 0) {
      return fail(fmt::format("{} is writable by group or others (mode {:04o}): chmod go-w {}",
                              part, found->mode, part));
    }
    if (part == "/") return {};
    const std::size_t slash = part.rfind('/');
    part = slash == 0 ? "/" : part.substr(0, slash);
  }
}

Result<std::string> trusted_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (!real) return fail(fmt::format("{}: {}", path, std::strerror(errno)));
  std::string checked = real.get();
  if (const Result<void> safe = check_ownership(checked, look_at); !safe) {
    return tl::unexpected(safe.error());
  }
  return checked;
}

}  // namespace hyperacc::spank

#include "spank/installation.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace hyperacc::spank {
namespace {

// Any address of this library.
const char g_own_address = 0;

std::string parent(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos || slash == 0) return "/";
  return path.substr(0, slash);
}

}  // namespace

std::string own_path() {
  Dl_info own{};
  if (dladdr(&g_own_address, &own) == 0 || own.dli_fname == nullptr) return {};
  return own.dli_fname;
}

Result<std::string> library_directory(const Policy& policy) {
  if (policy.prefix) return fmt::format("{}/{}/hyperacc", *policy.prefix, HYPERACC_LIBDIR);
  const std::string path = own_path();
  // A link in Slurm's plugin folder leads to the installation.
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (!real) {
    return fail(
        fmt::format("{}: {}; write prefix= on the plugin's line", path, std::strerror(errno)));
  }
  return parent(parent(real.get())) + "/hyperacc";
}

}  // namespace hyperacc::spank

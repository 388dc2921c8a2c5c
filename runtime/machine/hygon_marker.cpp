#include "runtime/machine/hygon_marker.hpp"

#include <algorithm>
#include <array>

namespace hyperacc {

bool is_hygon_isa(std::string_view gfx) {
  static constexpr std::array<std::string_view, 6> kIsas = {"gfx926", "gfx928", "gfx92a",
                                                            "gfx936", "gfx938", "gfx946"};
  return std::find(kIsas.begin(), kIsas.end(), gfx) != kIsas.end();
}

bool is_shared_isa(std::string_view gfx) {
  return gfx == "gfx906";
}

bool is_hygon_driver(std::string_view module) {
  return module.size() >= 4 && module.substr(0, 2) == "hy" &&
         module.substr(module.size() - 2) == "cu";
}

std::string find_hygon_marker(const RootDirectory& root) {
  if (root.is_device("/dev/mkfd")) return "/dev/mkfd";
  for (const std::string& module : root.names("/sys/module")) {
    if (is_hygon_driver(module)) return "/sys/module/" + module;
  }
  for (const char* path : {"/opt/hyhal", "/usr/local/hyhal", "/opt/dtk/.info/rocm_version"}) {
    if (root.exists(path)) return path;
  }
  return "";
}

}  // namespace hyperacc

#include "runtime/machine/path_pattern.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

bool is_plain(std::string_view component) {
  return component.find_first_of("*?[\\") == std::string_view::npos;
}

}  // namespace

std::vector<std::string> matching_paths(const RootDirectory& root, std::string_view pattern) {
  std::vector<std::string> paths = {""};
  for (const std::string& component : split(pattern, '/')) {
    if (component.empty()) continue;
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      if (is_plain(component)) {
        longer.push_back(path + '/' + component);
        continue;
      }
      for (const std::string& name : root.names(path + '/')) {
        if (fnmatch(component.c_str(), name.c_str(), FNM_PERIOD) == 0) {
          longer.push_back(path + '/' + name);
        }
      }
    }
    paths = std::move(longer);
  }
  std::erase_if(paths, [&root](const std::string& path) { return !root.exists(path); });
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace hyperacc

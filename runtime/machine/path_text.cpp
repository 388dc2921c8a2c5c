#include "runtime/machine/path_text.hpp"

namespace hyperacc {

std::string parent_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? "" : path.substr(0, slash));
}

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string beside(std::string_view file, std::string_view name) {
  if (!name.empty() && name.front() == '/') return std::string(name);
  return parent_path(file) + '/' + std::string(name);
}

}  // namespace hyperacc

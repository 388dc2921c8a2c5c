#include "tests/spank/fixture.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace hyperacc::slurm_double {

std::vector<Entry> plugstack(const std::vector<std::string>& arguments) {
  return {{PLUGIN, arguments}};
}

std::vector<Entry> plugstack_with_faults(const std::vector<std::string>& arguments) {
  return {{PLUGIN_WITH_FAULTS, arguments}};
}

Cluster cluster(const std::vector<std::string>& arguments) {
  return {plugstack(arguments), plugstack(arguments)};
}

std::vector<std::string> lines_with(const std::vector<std::string>& lines,
                                    const std::string& part) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    if (line.find(part) != std::string::npos) found.push_back(line);
  }
  return found;
}

std::string value(const Environment& environment, const std::string& name) {
  const std::optional<std::string> found = lookup(environment, name);
  if (!found) return "";
  return found->empty() ? "(empty)" : *found;
}

std::vector<std::string> switches(const Environment& environment) {
  std::vector<std::string> found;
  for (const auto& [name, text] : environment) {
    if (name.rfind("HA_", 0) == 0 && name != "HA_SPANK_SET") found.push_back(name + "=" + text);
  }
  return found;
}

TrustedPrefix::TrustedPrefix(const std::string& node_library) {
  if (geteuid() != 0) return;
  char pattern[] = "/run/hyperacc-test.XXXXXX";
  if (mkdtemp(pattern) == nullptr) return;
  path_ = pattern;
  std::filesystem::create_directories(python());
  if (!node_library.empty()) {
    std::filesystem::copy_file(node_library, libraries() + "/libhyperacc_node.so");
  }
  std::filesystem::permissions(path_, std::filesystem::perms(0755));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
    std::filesystem::permissions(entry.path(), std::filesystem::perms(0755));
  }
}

TrustedPrefix::~TrustedPrefix() {
  if (!path_.empty()) std::filesystem::remove_all(path_);
}

Shell::Shell(const Environment& environment) : before_(environment_from(environ)) {
  clearenv();
  for (const auto& [name, text] : environment) setenv(name.c_str(), text.c_str(), 1);
}

Shell::~Shell() {
  clearenv();
  for (const auto& [name, text] : before_) setenv(name.c_str(), text.c_str(), 1);
}

}  // namespace hyperacc::slurm_double

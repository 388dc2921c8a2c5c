#include "runtime/machine/installation.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "runtime/core/features.hpp"
#include "runtime/machine/operators.hpp"
#include "runtime/machine/path_text.hpp"
#include "runtime/machine/root.hpp"

namespace hyperacc {
namespace {

bool exists(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

bool holds_hyperacc(const std::string& library_directory) {
  return exists(library_directory + "/libhyperacc.so") ||
         exists(library_directory + "/python/hyperacc");
}

InstalledTree tree_at(std::string prefix, std::string library_directory) {
  std::string python = library_directory + "/python";
  return {std::move(prefix), std::move(library_directory), std::move(python)};
}

// PREFIX/lib64/hyperacc and PREFIX/lib/x86_64-linux-gnu/hyperacc → PREFIX; "" for anything else.
std::string prefix_of(const std::string& library_directory) {
  std::string library = parent_path(library_directory);
  if (base_name(library).rfind("lib", 0) != 0) library = parent_path(library);
  return base_name(library).rfind("lib", 0) == 0 ? parent_path(library) : "";
}

// Our folder in PREFIX/lib*, or "".
std::string find_library_directory(const std::string& prefix) {
  const Result<RootDirectory> root = RootDirectory::open(prefix);
  if (!root) return "";
  std::vector<std::string> candidates;
  for (const std::string& name : root->names("/")) {
    if (name.rfind("lib", 0) == 0) candidates.push_back(name);
  }
  for (const std::string& name : root->names("/lib")) candidates.push_back("lib/" + name);
  for (const std::string& candidate : candidates) {
    std::string directory = fmt::format("{}/{}/hyperacc", prefix, candidate);
    if (holds_hyperacc(directory)) return directory;
  }
  return "";
}

std::string_view kernel_library(Platform platform) {
  switch (platform) {
    case Platform::nvidia:
      return "libhyperacc_cuda.so";
    case Platform::dcu:
    case Platform::amd:
      return "libhyperacc_hip.so";
    case Platform::cpu:
      return "libhyperacc_cpu.so";
    case Platform::none:
    case Platform::mixed:
      return "";
  }
  return "";
}

}  // namespace

Result<InstalledTree> installed_tree(const std::string& prefix) {
  const std::string library_directory = find_library_directory(prefix);
  if (library_directory.empty()) {
    return fail(fmt::format("{}: no HyperAcc there (no lib*/hyperacc/libhyperacc.so)", prefix));
  }
  return tree_at(prefix, library_directory);
}

Result<InstalledTree> installed_tree_around(const std::string& file) {
  const std::unique_ptr<char, decltype(&free)> resolved(realpath(file.c_str(), nullptr), free);
  if (!resolved) return fail(fmt::format("{}: {}", file, std::strerror(errno)));
  const std::string place = parent_path(resolved.get());
  if (base_name(place) == "bin") return installed_tree(parent_path(place));

  const std::string library_directory =
      base_name(place) == "hyperacc" ? place : parent_path(place) + "/hyperacc";
  const std::string prefix = prefix_of(library_directory);
  if (prefix.empty() || !holds_hyperacc(library_directory)) {
    return fail(fmt::format("{} is in no installed HyperAcc (no {}/libhyperacc.so)", resolved.get(),
                            library_directory));
  }
  return tree_at(prefix, library_directory);
}

std::string own_file() {
  Dl_info information{};
  void* extra = nullptr;
  const auto here = reinterpret_cast<const void*>(&own_file);
  if (dladdr1(here, &information, &extra, RTLD_DL_LINKMAP) == 0) return "";
  // The program itself has no name here, and dli_fname is whatever argv[0] was.
  const link_map* map = static_cast<const link_map*>(extra);
  if (map != nullptr && map->l_name != nullptr && *map->l_name != '\0') return map->l_name;
  std::string program(PATH_MAX, '\0');
  const ssize_t length = readlink("/proc/self/exe", program.data(), program.size());
  program.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return program;
}

const std::vector<std::string_view>& built_operators() {
  static const std::vector<std::string_view> operators(kOperators.begin(), kOperators.end());
  return operators;
}

Installation read_installation(const InstalledTree& tree, Platform platform,
                               const std::vector<std::string_view>& operators) {
  const auto has_library = [&tree](std::string_view file) {
    return !file.empty() && exists(fmt::format("{}/{}", tree.library_directory, file));
  };
  const auto has_module = [&tree](std::string_view folder, std::string_view feature) {
    return exists(fmt::format("{}/hyperacc/{}/{}.py", tree.python_directory, folder, feature));
  };

  Installation installation;
  installation.cuda_library = has_library("libhyperacc_cuda.so");
  installation.hip_library = has_library("libhyperacc_hip.so");
  installation.cpu_library = has_library("libhyperacc_cpu.so");
  const bool kernels = has_library(kernel_library(platform));
  const bool node_library = has_library("libhyperacc_node.so");
  for (const FeatureInfo& row : feature_table()) {
    bool& built = installation.built[index(row.feature)];
    if (row.kind == FeatureKind::hook) {
      const bool listed =
          std::find(operators.begin(), operators.end(), row.name) != operators.end();
      built = listed && kernels && has_module("hooks", row.name);
    } else if (row.feature == Feature::gc) {
      built = has_module("system", row.name);
    } else {
      built = node_library;
    }
  }
  return installation;
}

}  // namespace hyperacc

// The installed tree of HyperAcc, which may have been moved: where it is and what is in it.
//
//   PREFIX/bin/hyperacc
//   PREFIX/lib*/slurm/spank_hyperacc.so
//   PREFIX/lib*/hyperacc/libhyperacc.so, libhyperacc_{cuda,hip,cpu,node}.so
//   PREFIX/lib*/hyperacc/python/hyperacc/{hooks,system}/FEATURE.py
//
// lib* is lib, lib64 or lib/TRIPLET.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/decide.hpp"
#include "runtime/core/result.hpp"

namespace hyperacc {

struct InstalledTree {
  std::string prefix;
  std::string library_directory;  // PREFIX/lib*/hyperacc
  std::string python_directory;   // PREFIX/lib*/hyperacc/python, what goes on PYTHONPATH

  friend bool operator==(const InstalledTree&, const InstalledTree&) = default;
};

// Error: `prefix` holds no HyperAcc.
Result<InstalledTree> installed_tree(const std::string& prefix);
// The tree around one of its own files, found through symbolic links. Error: the file is missing,
// or lies in no such tree (a build folder).
Result<InstalledTree> installed_tree_around(const std::string& file);
// The program or shared library that this code was linked into; empty where the loader cannot say.
std::string own_file();

// The hooks whose operators this build was made with, by feature name (cmake/Operators.cmake).
const std::vector<std::string_view>& built_operators();

// What is there for `platform`: a hook is built when its operator is in `operators`, the platform's
// kernel library is installed (none and mixed have none), and so is its Python module; gc when its
// Python module is; numabind and thp when the node library is.
Installation read_installation(const InstalledTree& tree, Platform platform,
                               const std::vector<std::string_view>& operators = built_operators());

}  // namespace hyperacc

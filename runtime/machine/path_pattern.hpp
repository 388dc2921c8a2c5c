// glob(3) below a root directory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/machine/root.hpp"

namespace hyperacc {

// The existing paths that match an absolute pattern of *, ? and [ ], sorted by their bytes; a
// backslash takes the meaning from the next character, and * leaves out hidden files.
std::vector<std::string> matching_paths(const RootDirectory& root, std::string_view pattern);

}  // namespace hyperacc

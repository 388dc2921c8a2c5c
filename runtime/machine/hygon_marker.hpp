// What tells Hygon's parts from the AMD parts whose ISA name they share.
#pragma once

#include <string>
#include <string_view>

#include "runtime/machine/root.hpp"

namespace hyperacc {

// An ISA name that no AMD part has.
bool is_hygon_isa(std::string_view gfx);
// An ISA name that parts of both makers have (gfx906: Z100 and MI50): alone it says nothing.
bool is_shared_isa(std::string_view gfx);
// Hygon's kernel module under any of its names: hycu, hydcu, …
bool is_hygon_driver(std::string_view module);

// The first sign of Hygon's driver stack on this machine, as a path, or "" where there is none:
// /dev/mkfd, the kernel module, its user space (hyhal), DTK. A CUDA toolkit inside DTK is no sign.
std::string find_hygon_marker(const RootDirectory& root);

}  // namespace hyperacc

// The kernel's node-wide switches of transparent huge pages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/core/result.hpp"
#include "runtime/machine/root.hpp"

namespace hyperacc::node {

inline constexpr std::string_view kThpEnabled = "/sys/kernel/mm/transparent_hugepage/enabled";

// The huge page of this machine: 2 MiB on x86, up to 512 MiB on Arm. 0: unknown.
std::uint64_t pmd_bytes(const RootDirectory& root);

// Its own switch: "inherit" means that kThpEnabled counts. Empty on kernels that have no such
// switch (before 6.8).
std::string pmd_knob(const RootDirectory& root);

// The word that is chosen: "madvise" of "always [madvise] never". Empty: no such switch.
std::string read_knob(const RootDirectory& root, std::string_view path);

// Below the same root directory.
Result<void> write_knob(const RootDirectory& root, std::string_view path, std::string_view word);

}  // namespace hyperacc::node

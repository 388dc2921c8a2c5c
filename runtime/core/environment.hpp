// An environment as a value, and a change of it as a value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hyperacc {

using Environment = std::map<std::string, std::string, std::less<>>;

// Name → new value, or nothing to unset it. Names that keep their value do not appear.
using EnvironmentPatch = std::map<std::string, std::optional<std::string>, std::less<>>;

std::optional<std::string> lookup(const Environment& environment, std::string_view name);

// From a NULL-terminated "NAME=value" array such as environ; null gives an empty environment.
// Entries without '=' are left out. Of two entries with one name the first counts, as in getenv.
Environment environment_from(const char* const* entries);

void apply_patch(const EnvironmentPatch& patch, Environment& environment);

// The patch that turns `from` into `to`.
EnvironmentPatch difference(const Environment& from, const Environment& to);

// List variables ("a:b"). An empty component is kept: in PYTHONPATH it means the working directory.
bool list_contains(std::string_view list, std::string_view item);
// `list` with `item` appended; a missing or empty list gives `item` alone.
std::string list_append(const std::optional<std::string>& list, std::string_view item);
// `list` without the last component equal to `item`; nothing when no component remains.
std::optional<std::string> list_remove(std::string_view list, std::string_view item);

}  // namespace hyperacc

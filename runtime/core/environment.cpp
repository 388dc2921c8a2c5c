#include "runtime/core/environment.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "runtime/core/words.hpp"

namespace hyperacc {

std::optional<std::string> lookup(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  if (found == environment.end()) return std::nullopt;
  return found->second;
}

Environment environment_from(const char* const* entries) {
  Environment environment;
  if (entries == nullptr) return environment;
  for (; *entries != nullptr; ++entries) {
    const std::string_view entry(*entries);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    environment.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return environment;
}

void apply_patch(const EnvironmentPatch& patch, Environment& environment) {
  for (const auto& [name, value] : patch) {
    if (value) {
      environment.insert_or_assign(name, *value);
    } else {
      environment.erase(name);
    }
  }
}

EnvironmentPatch difference(const Environment& from, const Environment& to) {
  EnvironmentPatch patch;
  for (const auto& [name, value] : to) {
    const auto before = from.find(name);
    if (before == from.end() || before->second != value) patch.emplace(name, value);
  }
  for (const auto& [name, value] : from) {
    if (to.count(name) == 0) patch.emplace(name, std::nullopt);
  }
  return patch;
}

bool list_contains(std::string_view list, std::string_view item) {
  const std::vector<std::string> parts = split(list, ':');
  return std::find(parts.begin(), parts.end(), item) != parts.end();
}

std::string list_append(const std::optional<std::string>& list, std::string_view item) {
  if (!list || list->empty()) return std::string(item);
  return *list + ':' + std::string(item);
}

std::optional<std::string> list_remove(std::string_view list, std::string_view item) {
  std::vector<std::string> parts = split(list, ':');
  const auto last = std::find(parts.rbegin(), parts.rend(), item);
  if (last != parts.rend()) parts.erase(std::next(last).base());
  if (parts.empty()) return std::nullopt;
  return join(parts, ":");
}

}  // namespace hyperacc

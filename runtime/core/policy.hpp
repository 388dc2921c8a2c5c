// The admin's words: the arguments of the plugin's line in plugstack.conf.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/features.hpp"
#include "runtime/core/option.hpp"
#include "runtime/core/result.hpp"

namespace hyperacc {

enum class PolicyLog : std::uint8_t { error, info, debug };
enum class PythonPath : std::uint8_t { asked, always, never };

struct Policy {
  Option cluster_default;          // default=
  PerFeature<bool> denied{};       // allow=, deny= together
  bool deny_any_platform = false;  // deny=any-platform
  bool autoload = false;           // autoload=yes
  PythonPath pythonpath = PythonPath::asked;
  std::optional<std::string> prefix;               // absolute
  bool thp_system = false;                         // thp_system=exclusive[:PART,…]
  std::vector<std::string> thp_system_partitions;  // only needed on Slurm 22.05
  PolicyLog log = PolicyLog::info;
  // Test builds only:
  std::optional<std::string> machine;  // machine=DIR, a recorded machine
  std::optional<std::string> fault;    // fault=CALLBACK:CONTEXT:return|throw

  bool denies(Feature feature) const { return denied[index(feature)]; }
};

enum class PolicyKeys : std::uint8_t { release, test };

// `arguments` as Slurm splits them (blanks; no quotes). Errors name the argument, the key list or
// the nearest key. Each key at most once.
Result<Policy> parse_policy(const std::vector<std::string>& arguments,
                            PolicyKeys keys = PolicyKeys::release);

// The keys and their values, for error messages and documentation, one a line.
std::string policy_help();

}  // namespace hyperacc

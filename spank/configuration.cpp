#include "spank/configuration.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "spank/installation.hpp"

namespace hyperacc::spank {
namespace {

#ifdef HYPERACC_SPANK_FAULTS
constexpr PolicyKeys kKeys = PolicyKeys::test;
#else
constexpr PolicyKeys kKeys = PolicyKeys::release;
#endif

}  // namespace

Result<Policy> read_configuration(int count, char** arguments) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) {
    if (arguments != nullptr && arguments[i] != nullptr) words.emplace_back(arguments[i]);
  }
  const Result<Policy> policy = parse_policy(words, kKeys);
  return policy.map_error([](const Error& error) {
    // Slurm does not tell a plugin which file it was listed in.
    return Error{fmt::format("plugstack.conf, the line of {}: {}", own_path(), error.text)};
  });
}

}  // namespace hyperacc::spank

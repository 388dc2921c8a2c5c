// The arguments of the plugin's line in plugstack.conf, split at blanks as Slurm does.
#include <cstdint>
#include <string>

#include "runtime/core/plan.hpp"
#include "runtime/core/policy.hpp"
#include "runtime/core/variables.hpp"
#include "runtime/core/words.hpp"
#include "tests/fuzz/require.hpp"

using namespace hyperacc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string line(data, data + size);
  std::vector<std::string> arguments;
  for (const std::string& part : split(line, ' ')) {
    if (!part.empty()) arguments.push_back(part);
  }
  const Result<Policy> policy = parse_policy(arguments, PolicyKeys::test);
  if (!policy) {
    fuzz::require(!policy.error().text.empty(), "an error has a text");
    return 0;
  }
  for (const char* option : {"all", "none,rope"}) {
    const StepPlan plan = plan_step({StepKind::normal, option, {}, *policy, "/p"});
    for (const FeatureInfo& row : feature_table()) {
      const bool on = plan.settings[row.feature].on;
      fuzz::require(!on || !policy->denies(row.feature), "a denied feature is never on");
    }
    Environment task;
    apply_patch(plan.patch, task);
    fuzz::require(same_values(read_variables(task).settings, plan.settings), "task and plan agree");
  }
  return 0;
}

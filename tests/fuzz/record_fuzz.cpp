// HA_SPANK_SET, which a user may overwrite, and an environment around it: "NAME=value" lines.
#include <cstdint>
#include <string>

#include "runtime/core/plan.hpp"
#include "runtime/core/record.hpp"
#include "runtime/core/variables.hpp"
#include "runtime/core/words.hpp"
#include "tests/fuzz/require.hpp"

using namespace hyperacc;

namespace {

Environment environment_of(const std::string& text) {
  Environment environment;
  for (const std::string& line : split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) continue;
    environment.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return environment;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  if (text.find('\0') != std::string::npos) return 0;
  const Result<Record> record = parse_record(text);
  if (record)
    fuzz::require(parse_record(to_text(*record)).value() == *record, "record and text agree");

  const Environment environment = environment_of(text);
  const StepPlan plan =
      plan_step({StepKind::normal, lookup(environment, kOptionVariable), environment, {}, "/p"});
  Environment task = environment;
  apply_patch(plan.patch, task);
  for (const auto& [name, value] : environment) {
    const bool ours =
        is_recordable(name) || name == kRecord || name == kOptionVariable || name == kTypedMark;
    fuzz::require(ours || lookup(task, name) == value, "no variable of others is touched");
  }
  fuzz::require(same_values(read_variables(task).settings, plan.settings), "task and plan agree");
  return 0;
}

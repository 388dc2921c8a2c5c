// The text of --hyperacc: comes from users and, on nodes, from whoever wrote the environment.
#include <cstdint>
#include <string_view>

#include "runtime/core/option.hpp"
#include "runtime/core/plan.hpp"
#include "runtime/core/variables.hpp"
#include "tests/fuzz/require.hpp"

using namespace hyperacc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const Result<Option> strict = parse_option(text);
  const LenientOption lenient = parse_option_leniently(text);
  if (strict) {
    fuzz::require(parse_option(to_text(*strict)).value() == *strict, "text and option agree");
    fuzz::require(strict->asks_help() || lenient.option == *strict, "lenient reads what is right");
  } else {
    fuzz::require(!strict.error().text.empty(), "an error has a text");
    fuzz::require(strict.error().text.find('\n') == std::string::npos, "an error is one line");
  }
  // An environment value cannot hold a zero byte.
  if (text.find('\0') != std::string::npos) return 0;
  const StepPlan plan = plan_step({StepKind::normal, text, {}, {}, "/p"});
  Environment task;
  apply_patch(plan.patch, task);
  fuzz::require(same_values(read_variables(task).settings, plan.settings), "task and plan agree");
  return 0;
}

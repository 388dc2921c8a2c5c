#include "spank/local.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/core/plan.hpp"
#include "runtime/core/words.hpp"
#include "spank/command_line.hpp"
#include "spank/marks.hpp"

namespace hyperacc::spank {
namespace {

// Slurm has no way for a plugin to say "done, and well": a callback can only fail.
[[noreturn]] void print_help_and_exit() {
  std::fputs(option_help().c_str(), stdout);
  std::fflush(nullptr);
  _exit(0);
}

bool is_sbatch(const std::vector<std::string_view>& arguments) {
  if (arguments.empty()) return false;
  const std::string_view program = arguments[0];
  const std::size_t slash = program.rfind('/');
  return program.substr(slash == std::string_view::npos ? 0 : slash + 1) == "sbatch";
}

void refuse(std::string_view text, const std::string& why) {
  log_error(fmt::format("--hyperacc={}: {}", printable(text), why).c_str());
}

void refuse_configuration(const Error& error) {
  log_error(error.text.c_str());
  tell("until it is corrected --hyperacc cannot be used; its keys are");
  for (const std::string& line : split(policy_help(), '\n')) {
    if (!line.empty()) tell(line.c_str());
  }
}

// This srun runs in a task of another step. Batch scripts and interactive shells are steps with
// numbers at the very end of the range.
bool is_inside_a_step() {
  constexpr unsigned long kFirstSpecialStep = 0xfffffff0;
  const char* step = std::getenv("SLURM_STEP_ID");
  return step != nullptr && std::strtoul(step, nullptr, 10) < kFirstSpecialStep;
}

// For the node: a name with SLURM_ in front travels under every --export.
Result<void> mark(const char* name, bool on) {
  const int code = on ? setenv(name, "1", 1) : unsetenv(name);
  if (code != 0) return fail(fmt::format("{}: {}", name, std::strerror(errno)));
  return {};
}

}  // namespace

Result<void> Command::start(Context context) {
  if (context != Context::allocator) return {};
  // sbatch reads a script from stdin before it calls back.
  if (const std::vector<std::string_view> words = command_line(); is_sbatch(words)) {
    const std::optional<std::string> text = find_option(words);
    const Result<Option> option = parse_option(text.value_or("none"));
    if (option && option->asks_help()) print_help_and_exit();
  }
  // A new job takes its option from its own command or script, never from the job that submits it.
  if (std::getenv("SLURM_JOB_ID") != nullptr) unsetenv(kOptionVariable.data());
  return {};
}

bool Command::note_value(const char* text) noexcept {
  const char* inherited = std::getenv(kOptionVariable.data());
  const char* value = text == nullptr ? "" : text;
  // Slurm hands on the pointer that getenv gave it, once for every component of a heterogeneous
  // job. Should a Slurm copy it, the first equal text is taken for the inherited one: Slurm reads
  // the variable before the command line.
  const bool same = inherited != nullptr && std::strcmp(value, inherited) == 0;
  const bool is_inherited =
      same && (text == inherited || (!inherited_seen_ && !is_on_command_line(text)));
  if (is_inherited) {
    inherited_seen_ = true;
  } else {
    typed_seen_ = true;
  }
  return !is_inherited;
}

bool Command::belongs_here(Context context, const Option& option) const {
  if (context != Context::allocator || components_ == 0) return true;
  return std::find(first_component_.begin(), first_component_.end(), option) !=
         first_component_.end();
}

Result<int> Command::read_typed(Context context, const char* text,
                                const Configuration& configuration) {
  const std::string_view value = text == nullptr ? "" : text;
  const Result<Option> option = parse_option(value);
  if (!option) {
    refuse(value, option.error().text);
    return -1;
  }
  if (option->asks_help()) {
    // srun has no script to read options from.
    if (context == Context::local || is_on_command_line(text)) print_help_and_exit();
    refuse(value, "'help' in a script would submit nothing: type sbatch --hyperacc=help");
    return -1;
  }
  if (configuration && !*configuration) {
    refuse_configuration(configuration->error());
    return -1;
  }
  if (!belongs_here(context, *option)) {
    refuse(value,
           "in a heterogeneous job the option belongs to the first component and counts for all "
           "of them: write it there");
    return -1;
  }
  if (components_ == 0) first_component_.push_back(*option);
  return 0;
}

Result<void> Command::options_done(Context context) {
  ++components_;
  if (context != Context::local) return {};
  return mark(kTypedMark.data(), typed_seen_).and_then([] {
    return mark(kNestedMark.data(), is_inside_a_step());
  });
}

}  // namespace hyperacc::spank

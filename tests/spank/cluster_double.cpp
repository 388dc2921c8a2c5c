#include "tests/spank/cluster_double.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/core/plan.hpp"
#include "tests/spank/fixture.hpp"

namespace hyperacc::slurm_double {
namespace {

const std::string kOption(kOptionVariable);
constexpr const char* kLaunchVariable = "_SLURM_SPANK_OPTION_hyperacc_hyperacc";

void take_lines(const Process& process, Run& run) {
  for (const Line& line : process.lines) {
    const std::string text = (line.level == Level::error ? "error: " : "") + line.text;
    if (line.to_slurmd) {
      run.log.push_back(text);
      if (line.to_user) run.user.push_back(text);
    } else {
      run.login.push_back(text);
    }
  }
  run.codes.insert(run.codes.end(), process.codes.begin(), process.codes.end());
}

// Slurm hands getopt's text to the callback: here a copy that lies outside of argv and environ.
int give_typed(Process& process, const std::string& text) {
  const std::unique_ptr<char, decltype(&std::free)> copy(strdup(text.c_str()), &std::free);
  return process.give(copy.get(), false);
}

int give_inherited(Process& process) {
  const char* text = std::getenv(kOption.c_str());
  return text == nullptr ? 0 : process.give(text, false);
}

// One child of slurmstepd a task, which Slurm forks.
void run_tasks(Process& process, std::uint32_t count, Run& run) {
  const std::vector<Line> before = process.lines;
  const Environment environment = process.environment;
  for (std::uint32_t task = 0; task < count; ++task) {
    process.lines.clear();
    process.environment = environment;
    const Child child = in_child([&] {
      process.call("task_init", static_cast<int>(task));
      Run of_task;
      take_lines(process, of_task);
      for (const auto& [name, value] : process.environment) {
        std::printf("E%s=%s%c", name.c_str(), value.c_str(), '\0');
      }
      for (const std::string& line : of_task.user) std::printf("U%s%c", line.c_str(), '\0');
      for (const std::string& line : of_task.log) std::printf("L%s%c", line.c_str(), '\0');
      if (!process.codes.empty()) std::printf("C%c", '\0');
    });
    if (child.code != 99) run.codes.emplace_back("task_init ended", child.code);
    Environment& tasks_own = run.tasks.emplace_back();
    for (std::size_t at = 0; at < child.output.size();) {
      const std::string record = child.output.c_str() + at;
      at += record.size() + 1;
      const std::string text = record.substr(1);
      if (record[0] == 'E')
        tasks_own[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
      if (record[0] == 'U') run.user.push_back(text);
      if (record[0] == 'L') run.log.push_back(text);
      if (record[0] == 'C') run.codes.emplace_back("task_init", -1);
    }
  }
  process.lines = before;
}

}  // namespace

Run Cluster::step(std::uint32_t step_id, const Environment& environment,
                  const std::optional<std::string>& message) const {
  Run run;
  const Shell daemon(Environment{{"SLURMD_NODENAME", "n1"}});
  Process process(S_CTX_REMOTE, node);
  process.step_id = step_id;
  process.environment = environment;
  process.node_index = node_index;
  process.task_count = tasks;
  process.call("init");
  if (step_id != kExternStep) {
    if (message) process.give(message->c_str(), true);
    // Slurm below 24.05 calls back once more for the variable.
    if (const auto text = lookup(environment, kLaunchVariable)) process.give(text->c_str(), true);
  }
  process.environment.erase(kLaunchVariable);
  process.call("init_post_opt");
  Run tasks_run;
  if (step_id != kExternStep) {
    run_tasks(process, tasks, tasks_run);
  } else {
    tasks_run.tasks.push_back(process.environment);
  }
  take_lines(process, run);
  run.tasks = tasks_run.tasks;
  run.user.insert(run.user.end(), tasks_run.user.begin(), tasks_run.user.end());
  run.log.insert(run.log.end(), tasks_run.log.begin(), tasks_run.log.end());
  run.codes.insert(run.codes.end(), tasks_run.codes.begin(), tasks_run.codes.end());
  return run;
}

Run Cluster::srun(const Environment& shell, const std::optional<std::string>& typed,
                  int components) const {
  Run run;
  Environment launched;
  std::optional<std::string> message;
  {
    const Shell own(shell);
    Process process(S_CTX_LOCAL, login);
    process.call("init");
    for (int component = 0; component < components && !run.refused; ++component) {
      if (give_inherited(process) != 0) run.refused = true;
      if (const char* text = std::getenv(kOption.c_str())) message = text;
      if (typed && !run.refused && give_typed(process, *typed) != 0) run.refused = true;
      if (typed) message = typed;
      if (run.refused) break;
      if (message) setenv(kLaunchVariable, message->c_str(), 1);
      process.call("init_post_opt");
    }
    take_lines(process, run);
    launched = environment_from(environ);
  }
  if (run.refused) return run;
  launched["SLURM_STEP_ID"] = "0";
  Run remote = step(0, launched, message);
  remote.login = run.login;
  remote.codes.insert(remote.codes.end(), run.codes.begin(), run.codes.end());
  return remote;
}

Run Cluster::sbatch(const Environment& shell, const std::optional<std::string>& script,
                    const std::optional<std::string>& typed) const {
  Run run;
  Environment submitted;
  std::optional<std::string> in_force;
  {
    const Shell own(shell);
    Process process(S_CTX_ALLOCATOR, login);
    process.call("init");
    if (script) {
      run.refused = give_typed(process, *script) != 0;
      in_force = script;
    }
    if (!run.refused && give_inherited(process) != 0) run.refused = true;
    if (const char* text = std::getenv(kOption.c_str())) in_force = text;
    if (typed && !run.refused) {
      run.refused = give_typed(process, *typed) != 0;
      in_force = typed;
    }
    if (!run.refused) {
      if (in_force) setenv(kLaunchVariable, in_force->c_str(), 1);
      process.call("init_post_opt");
      if (in_force) setenv(kOption.c_str(), in_force->c_str(), 1);
    }
    take_lines(process, run);
    submitted = environment_from(environ);
  }
  if (run.refused) return run;
  submitted["SLURM_JOB_ID"] = "101";
  Run batch = step(kBatchStep, submitted, std::nullopt);
  batch.login = run.login;
  batch.codes.insert(batch.codes.end(), run.codes.begin(), run.codes.end());
  return batch;
}

}  // namespace hyperacc::slurm_double

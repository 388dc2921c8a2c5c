#include "tests/spank/slurm_double.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

// The process whose callback is running: Slurm's functions know it by global variables too.
static hyperacc::slurm_double::Process* g_process = nullptr;

struct spank_handle {};

namespace hyperacc::slurm_double {
namespace {

spank_handle g_handle;

// A macro of type int in Slurm.
constexpr auto kSuccess = static_cast<spank_err_t>(ESPANK_SUCCESS);

bool is_task_callback(const std::string& phase) {
  return phase == "task_init_privileged" || phase == "task_init" || phase == "task_post_fork" ||
         phase == "task_exit";
}

}  // namespace

Process::Process(spank_context_t context, std::vector<Entry> plugstack) : context_(context) {
  g_process = this;
  for (Entry& entry : plugstack) {
    void* library = dlopen(entry.path.c_str(), RTLD_LAZY);
    if (library == nullptr) throw std::runtime_error(dlerror());
    plugins_.push_back({std::move(entry), library, {}});
  }
  for (Plugin& plugin : plugins_) {
    for (std::string& argument : plugin.entry.arguments)
      plugin.arguments.push_back(argument.data());
  }
}

Process::~Process() {
  for (const Plugin& plugin : plugins_) dlclose(plugin.library);
  for (const Plugin& plugin : plugins_) {
    if (dlopen(plugin.entry.path.c_str(), RTLD_LAZY | RTLD_NOLOAD) != nullptr) {
      std::fprintf(stderr, "%s stays in memory\n", plugin.entry.path.c_str());
      std::abort();
    }
  }
  g_process = nullptr;
}

void Process::call(const std::string& callback, int task) {
  g_process = this;
  phase_ = callback;
  task_ = task;
  for (Plugin& plugin : plugins_) {
    const auto function =
        reinterpret_cast<spank_f*>(dlsym(plugin.library, ("slurm_spank_" + callback).c_str()));
    if (function == nullptr) continue;
    // Without arguments Slurm passes NULL.
    char** arguments = plugin.arguments.empty() ? nullptr : plugin.arguments.data();
    const int code = function(&g_handle, static_cast<int>(plugin.arguments.size()), arguments);
    if (code != 0) codes[callback] = code;
  }
  phase_.clear();
  task_ = -1;
}

int Process::give(const char* text, bool remote) {
  g_process = this;
  if (option_.cb == nullptr) return 0;
  const int code = option_.cb(option_.val, text, remote ? 1 : 0);
  if (code != 0) codes["option"] = code;
  return code;
}

spank_err_t Process::register_option(const spank_option& given) {
  if (phase_ != "init" || given.name == nullptr || given.usage == nullptr) return ESPANK_BAD_ARG;
  if (option_.cb != nullptr) write(Level::info, "option provided by both");
  option_ = given;
  return kSuccess;
}

spank_err_t Process::get_option(const spank_option* wanted, char** text) {
  if (text != nullptr) *text = nullptr;
  if (phase_ == "init" || phase_ == "init_post_opt" || phase_ == "task_post_fork" ||
      phase_ == "exit" || phase_ == "slurmd_exit") {
    return ESPANK_NOT_AVAIL;
  }
  if (wanted == nullptr || wanted->name == nullptr || text == nullptr) return ESPANK_BAD_ARG;
  if (!option) return ESPANK_ERROR;
  option_argument_ = *option;
  if (!null_items) *text = option_argument_.data();
  return kSuccess;
}

spank_err_t Process::get_item(spank_item_t item, void* value) {
  if (no_items) return ESPANK_ERROR;
  switch (context_) {
    case S_CTX_REMOTE:
      break;
    case S_CTX_JOB_SCRIPT:
      if (item != S_JOB_ID && item != S_JOB_UID && item != S_JOB_GID) return ESPANK_NOT_AVAIL;
      break;
    case S_CTX_SLURMD:
      return ESPANK_NOT_AVAIL;
    default:
      return ESPANK_NOT_REMOTE;
  }
  switch (item) {
    case S_JOB_ID:
      *static_cast<std::uint32_t*>(value) = job_id;
      return kSuccess;
    case S_JOB_STEPID:
      *static_cast<std::uint32_t*>(value) = step_id;
      return kSuccess;
    case S_JOB_NODEID:
      *static_cast<std::uint32_t*>(value) = node_index;
      return kSuccess;
    case S_JOB_LOCAL_TASK_COUNT:
      *static_cast<std::uint32_t*>(value) = task_count;
      return kSuccess;
    case S_STEP_CPUS_PER_TASK:
      *static_cast<std::uint32_t*>(value) = cpus_per_task;
      return kSuccess;
    case S_STEP_ALLOC_MEM:
      *static_cast<std::uint64_t*>(value) = memory_mib;
      return kSuccess;
    case S_TASK_ID:
      if (!is_task_callback(phase_)) return ESPANK_NOT_TASK;
      *static_cast<int*>(value) = task_;
      return kSuccess;
    case S_JOB_ENV: {
      entries_.clear();
      pointers_.clear();
      for (const auto& [name, text] : environment) entries_.push_back(name + "=" + text);
      for (std::string& entry : entries_) pointers_.push_back(entry.data());
      pointers_.push_back(nullptr);
      *static_cast<char***>(value) = null_items ? nullptr : pointers_.data();
      return kSuccess;
    }
    default:
      throw std::logic_error("the double does not know this item");
  }
}

spank_err_t Process::change_environment(const char* name, const char* value) {
  if (context_ != S_CTX_REMOTE) return ESPANK_NOT_REMOTE;
  if (no_setenv) return ESPANK_ERROR;
  if (value == nullptr) {
    environment.erase(name);
  } else {
    environment[name] = value;
  }
  return kSuccess;
}

void Process::write(Level level, const std::string& text) {
  const bool on_node = context_ != S_CTX_LOCAL && context_ != S_CTX_ALLOCATOR;
  const bool has_stdio = is_task_callback(phase_);
  lines.push_back({level, text, !on_node || (has_stdio && level != Level::info), on_node});
}

Child in_child(const std::function<void()>& body) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) throw std::runtime_error("pipe");
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    body();
    std::fflush(nullptr);
    _exit(99);  // the body came back
  }
  close(pipe_ends[1]);
  Child child;
  char buffer[4096];
  for (ssize_t n; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;) {
    child.output.append(buffer, static_cast<std::size_t>(n));
  }
  close(pipe_ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  child.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return child;
}

}  // namespace hyperacc::slurm_double

#define DOUBLE_EXPORT extern "C" __attribute__((visibility("default")))
using hyperacc::slurm_double::Level;

DOUBLE_EXPORT spank_context_t spank_context(void) {
  return g_process == nullptr ? S_CTX_ERROR : g_process->context();
}

DOUBLE_EXPORT const char* spank_strerror(spank_err_t code) {
  return code == ESPANK_NOT_REMOTE ? "Plugin function not called from remote context"
                                   : "Generic error";
}

DOUBLE_EXPORT spank_err_t spank_option_register(spank_t, spank_option* option) {
  return g_process->register_option(*option);
}

DOUBLE_EXPORT spank_err_t spank_option_getopt(spank_t, spank_option* option, char** text) {
  return g_process->get_option(option, text);
}

DOUBLE_EXPORT spank_err_t spank_get_item(spank_t, spank_item_t item, ...) {
  va_list arguments;
  va_start(arguments, item);
  void* value = va_arg(arguments, void*);
  va_end(arguments);
  return g_process->get_item(item, value);
}

DOUBLE_EXPORT spank_err_t spank_setenv(spank_t, const char* name, const char* value, int) {
  return g_process->change_environment(name, value);
}

DOUBLE_EXPORT spank_err_t spank_unsetenv(spank_t, const char* name) {
  return g_process->change_environment(name, nullptr);
}

static void write_line(Level level, const char* format, va_list arguments) {
  char text[4096];
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it does not see the caller's va_start.
  std::vsnprintf(text, sizeof text, format, arguments);
  g_process->write(level, text);
}

DOUBLE_EXPORT void slurm_error(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(Level::error, format, arguments);
  va_end(arguments);
}

DOUBLE_EXPORT void slurm_info(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(Level::info, format, arguments);
  va_end(arguments);
}

DOUBLE_EXPORT void slurm_spank_log(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(Level::log, format, arguments);
  va_end(arguments);
}

#include "spank/spank_api.hpp"

#include <fmt/format.h>
#include <slurm/slurm.h>
#include <slurm/spank.h>

// What Slurm's loader looks for. SPANK_PLUGIN() would give these internal linkage in C++.
#define HYPERACC_EXPORT __attribute__((visibility("default")))
extern "C" {
HYPERACC_EXPORT extern const char plugin_name[];
HYPERACC_EXPORT extern const char plugin_type[];
HYPERACC_EXPORT extern const unsigned int plugin_version;
HYPERACC_EXPORT extern const unsigned int spank_plugin_version;
const char plugin_name[] = "hyperacc";
const char plugin_type[] = "spank";
const unsigned int plugin_version = SLURM_VERSION_NUMBER;
const unsigned int spank_plugin_version = 1;
}

namespace hyperacc::spank {
namespace {

// Slurm's struct has no const, and copies what it is given.
char g_option_name[] = "hyperacc";
char g_option_arginfo[] = "FEATURE,...";
char g_option_usage[] =
    "[hyperacc] acceleration for this job: all, hooks, none, features such as rope, no-rope or "
    "thp=task, modifiers such as report; 'help' lists them";

spank_option option(OptionCallback callback) {
  return {g_option_name, g_option_arginfo, g_option_usage, 1, 0, callback};
}

tl::unexpected<Error> failure(const char* call, std::string_view object, spank_err_t code) {
  const char* why = spank_strerror(code);
  return fail(fmt::format("{}({}) failed: {}", call, object, why == nullptr ? "unknown" : why));
}

// `Item` is the type that Slurm writes for this item.
template <class Item>
Result<Item> number(Handle handle, spank_item_t item, const char* name) {
  Item value{};
  const spank_err_t code = spank_get_item(handle, item, &value);
  if (code != ESPANK_SUCCESS) return failure("spank_get_item", name, code);
  return value;
}

}  // namespace

Context context() noexcept {
  switch (spank_context()) {
    case S_CTX_LOCAL:
      return Context::local;
    case S_CTX_REMOTE:
      return Context::remote;
    case S_CTX_ALLOCATOR:
      return Context::allocator;
    case S_CTX_SLURMD:
      return Context::slurmd;
    case S_CTX_JOB_SCRIPT:
      return Context::job_script;
    case S_CTX_ERROR:
      break;
  }
  return Context::unknown;
}

const char* name(Context context) noexcept {
  switch (context) {
    case Context::local:
      return "local";
    case Context::remote:
      return "remote";
    case Context::allocator:
      return "allocator";
    case Context::slurmd:
      return "slurmd";
    case Context::job_script:
      return "job_script";
    case Context::unknown:
      break;
  }
  return "unknown";
}

bool register_option(Handle handle, OptionCallback callback) noexcept {
  spank_option hyperacc = option(callback);
  return spank_option_register(handle, &hyperacc) == ESPANK_SUCCESS;
}

std::optional<std::string> option_text(Handle handle) {
  spank_option hyperacc = option(nullptr);
  char* text = nullptr;
  if (spank_option_getopt(handle, &hyperacc, &text) != ESPANK_SUCCESS) return std::nullopt;
  return text == nullptr ? std::string() : std::string(text);
}

Result<StepKind> step_kind(Handle handle) {
  const Result<std::uint32_t> id = number<std::uint32_t>(handle, S_JOB_STEPID, "S_JOB_STEPID");
  if (!id) return tl::unexpected(id.error());
  switch (*id) {
    case SLURM_BATCH_SCRIPT:
      return StepKind::batch;
    case SLURM_INTERACTIVE_STEP:
      return StepKind::interactive;
    case SLURM_EXTERN_CONT:
      return StepKind::extern_step;
    default:
      return StepKind::normal;
  }
}

Result<Environment> step_environment(Handle handle) {
  char** entries = nullptr;
  const spank_err_t code = spank_get_item(handle, S_JOB_ENV, &entries);
  if (code != ESPANK_SUCCESS) return failure("spank_get_item", "S_JOB_ENV", code);
  return environment_from(entries);
}

Result<std::uint32_t> node_index(Handle handle) {
  return number<std::uint32_t>(handle, S_JOB_NODEID, "S_JOB_NODEID");
}

Result<std::uint32_t> local_task_count(Handle handle) {
  return number<std::uint32_t>(handle, S_JOB_LOCAL_TASK_COUNT, "S_JOB_LOCAL_TASK_COUNT");
}

Result<std::uint32_t> local_task_index(Handle handle) {
  return number<int>(handle, S_TASK_ID, "S_TASK_ID").map([](int id) {
    return static_cast<std::uint32_t>(id);
  });
}

Result<std::uint32_t> job_id(Handle handle) {
  return number<std::uint32_t>(handle, S_JOB_ID, "S_JOB_ID");
}

Result<std::uint32_t> step_cpus_per_task(Handle handle) {
  return number<std::uint32_t>(handle, S_STEP_CPUS_PER_TASK, "S_STEP_CPUS_PER_TASK");
}

Result<std::uint64_t> step_memory_mib(Handle handle) {
  return number<std::uint64_t>(handle, S_STEP_ALLOC_MEM, "S_STEP_ALLOC_MEM");
}

unsigned slurm_version() noexcept {
  return SLURM_VERSION_NUMBER;
}

Result<void> set_variable(Handle handle, const std::string& name, const std::string& value) {
  const spank_err_t code = spank_setenv(handle, name.c_str(), value.c_str(), 1);
  if (code != ESPANK_SUCCESS) return failure("spank_setenv", name, code);
  return {};
}

Result<void> unset_variable(Handle handle, const std::string& name) {
  const spank_err_t code = spank_unsetenv(handle, name.c_str());
  if (code != ESPANK_SUCCESS) return failure("spank_unsetenv", name, code);
  return {};
}

void log_error(const char* text) noexcept {
  slurm_error("hyperacc: %s", text);
}

void log_info(const char* text) noexcept {
  slurm_info("hyperacc: %s", text);
}

void tell(const char* text) noexcept {
  slurm_spank_log("hyperacc: %s", text);
}

}  // namespace hyperacc::spank

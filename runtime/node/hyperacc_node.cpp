// The C functions: they turn what comes in into values, and let no exception out.
#include "runtime/node/hyperacc_node.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "runtime/node/bind_task.hpp"
#include "runtime/node/documents.hpp"
#include "runtime/node/huge_pages.hpp"
#include "runtime/node/thp_system.hpp"

// Opaque to callers.
struct HyperaccNodeStep {
  hyperacc::node::MachineView machine;
  hyperacc::node::Meeting meeting;
};

namespace hyperacc::node {
namespace {

template <std::size_t Size>
bool copy_text(std::string_view text, char (&target)[Size]) {
  const std::size_t length = std::min(text.size(), Size - 1);
  std::copy_n(text.data(), length, target);
  target[length] = '\0';
  return length == text.size();
}

void report(HyperaccNodeReport* target, const Message& message) noexcept {
  if (target == nullptr) return;
  target->severity = static_cast<std::int32_t>(message.severity);
  copy_text(message.text, target->text);
}

void report(HyperaccNodeReport* target, Severity severity, std::string_view text) noexcept {
  if (target == nullptr) return;
  target->severity = static_cast<std::int32_t>(severity);
  copy_text(text, target->text);
}

// What `work` returns, or `otherwise` with a report where it throws (out of memory).
template <class Value, class Work>
Value guarded(HyperaccNodeReport* target, Value otherwise, const Work& work) noexcept {
  report(target, Severity::debug, "");
  try {
    return work();
  } catch (const std::exception& error) {
    report(target, Severity::error, error.what());
  } catch (...) {
    report(target, Severity::error, "unknown exception");
  }
  return otherwise;
}

std::string text_of(const char* text, const char* otherwise = "") {
  return text == nullptr ? otherwise : text;
}

HyperaccNodeStep* prepare_step(const char* machine, std::uint32_t tasks,
                               HyperaccNodeReport* target) noexcept {
  return guarded<HyperaccNodeStep*>(target, nullptr, [&]() -> HyperaccNodeStep* {
    Result<MachineView> view = view_machine(text_of(machine, "/"));
    Result<Meeting> meeting = Meeting::create(tasks);
    // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): guarded() handles it.
    if (view && meeting) return new HyperaccNodeStep{*std::move(view), *std::move(meeting)};
    report(target, Severity::warning,
           "numabind: " + (view ? meeting.error().text : view.error().text));
    return nullptr;
  });
}

void release_step(HyperaccNodeStep* step) noexcept {
  delete step;
}

// Nothing, with a report, where a word is not one of ours: the caller passes settings it has
// checked.
std::optional<TaskRequest> task_request(const HyperaccNodeTask& task, HyperaccNodeReport* target) {
  TaskRequest request;
  request.local_id = task.local_id;
  request.cpus_per_task = task.cpus_per_task;
  request.step_memory_mib = task.step_memory_mib;
  request.cpu_bind_type = text_of(task.cpu_bind_type);
  request.mem_bind_type = text_of(task.mem_bind_type);
  request.nested = task.nested != 0;
  request.cpu_bind_list = text_of(task.cpu_bind_list);
  request.environment = environment_from(task.environment);
  if (task.mode != nullptr) request.mode = find_bind_mode(task.mode);
  if (task.memory != nullptr) request.memory = find_memory_mode(task.memory);
  if ((task.mode == nullptr || request.mode) && (task.memory == nullptr || request.memory)) {
    return request;
  }
  report(target, Severity::error,
         "numabind: '" + text_of(task.mode) + "+" + text_of(task.memory) + "' is no mode");
  return std::nullopt;
}

void place_task(HyperaccNodeStep* step, const HyperaccNodeTask* task, HyperaccNodePlaced* placed,
                HyperaccNodeReport* target) noexcept {
  *placed = HyperaccNodePlaced{};
  guarded(target, 0, [&] {
    if (step == nullptr) return 0;
    const std::optional<TaskRequest> request = task_request(*task, target);
    if (!request) return 0;
    TaskResult result = bind_task(step->machine, step->meeting, *request);
    // A list that does not fit is no list: better none.
    if (!copy_text(result.ha_cpus, placed->ha_cpus)) placed->ha_cpus[0] = '\0';
    if (!copy_text(result.ha_mems, placed->ha_mems)) placed->ha_mems[0] = '\0';
    placed->cpus_outcome = static_cast<std::int32_t>(result.cpus);
    placed->memory_outcome = static_cast<std::int32_t>(result.memory);
    report(target, result.message);
    return 0;
  });
}

int set_huge_pages_of(const char* machine, const char* mode, HyperaccNodeReport* target) noexcept {
  return guarded(target, -1, [&] {
    const std::optional<HugePagesMode> wanted = find_huge_pages_mode(text_of(mode, "task"));
    if (!wanted) {
      report(target, Severity::error, "thp: '" + text_of(mode) + "' is no mode");
      return -1;
    }
    const Result<RootDirectory> root = RootDirectory::open(text_of(machine, "/"));
    const Result<Message> done =
        root ? set_huge_pages(*root, *wanted) : tl::unexpected<Error>(root.error());
    if (done) {
      report(target, *done);
      return 0;
    }
    report(target, Severity::warning, "thp: " + done.error().text);
    return -1;
  });
}

int result_code(ThpResult result) {
  switch (result) {
    case ThpResult::nothing:
      return HYPERACC_NODE_THP_NOTHING;
    case ThpResult::done:
      return HYPERACC_NODE_THP_DONE;
    case ThpResult::downgraded:
      return HYPERACC_NODE_THP_DOWNGRADED;
    case ThpResult::kept:
      return HYPERACC_NODE_THP_KEPT;
    case ThpResult::failed:
      break;
  }
  return HYPERACC_NODE_THP_FAILED;
}

template <class Work>
int with_root(const char* machine, HyperaccNodeReport* target, const Work& work) noexcept {
  return guarded(target, static_cast<int>(HYPERACC_NODE_THP_FAILED), [&] {
    const Result<RootDirectory> root = RootDirectory::open(text_of(machine, "/"));
    if (!root) {
      report(target, Severity::error, "thp: " + root.error().text);
      return static_cast<int>(HYPERACC_NODE_THP_FAILED);
    }
    const ThpAnswer answer = work(*root);
    report(target, answer.message);
    return result_code(answer.result);
  });
}

int acquire(const char* machine, std::uint32_t job, HyperaccNodeReport* target) noexcept {
  return with_root(machine, target,
                   [job](const RootDirectory& root) { return acquire_thp(root, job); });
}

int release(const char* machine, std::uint32_t job, HyperaccNodeReport* target) noexcept {
  return with_root(machine, target,
                   [job](const RootDirectory& root) { return release_thp(root, job); });
}

int reap(const char* machine, HyperaccNodeReport* target) noexcept {
  return with_root(machine, target,
                   [](const RootDirectory& root) { return reap_thp(root, false); });
}

int restore(const char* machine, std::int32_t force, HyperaccNodeReport* target) noexcept {
  return with_root(machine, target,
                   [force](const RootDirectory& root) { return reap_thp(root, force != 0); });
}

int holds(const char* machine, std::uint32_t job) noexcept {
  return guarded(nullptr, 0, [&] {
    const Result<RootDirectory> root = RootDirectory::open(text_of(machine, "/"));
    return root && holds_thp(*root, job) ? 1 : 0;
  });
}

void free_text(char* text) noexcept {
  std::free(text);
}

char* duplicate(const std::string& text) {
  char* copy = strdup(text.c_str());
  if (copy == nullptr) std::abort();  // not even a few hundred bytes
  return copy;
}

template <Json (*document)(const char*)>
char* answer(const char* request) noexcept {
  try {
    // Names of devices come from files: bytes that are no UTF-8 are replaced.
    return duplicate(document(request).dump(-1, ' ', false, Json::error_handler_t::replace));
  } catch (...) {
    return duplicate(R"({"error": "out of memory", "kind": "failure"})");
  }
}

constexpr HyperaccNode kNode = {
    HYPERACC_NODE_ABI,
    prepare_step,
    release_step,
    place_task,
    set_huge_pages_of,
    acquire,
    release,
    reap,
    holds,
    restore,
    free_text,
    answer<status_document>,
    answer<bind_process_document>,
    answer<thp_process_document>,
    answer<placement_document>,
};

}  // namespace
}  // namespace hyperacc::node

const HyperaccNode* hyperacc_node(void) {
  return &hyperacc::node::kNode;
}

// A libhyperacc_node.so that says what it was asked instead of doing it.
#include <cstdio>
#include <cstring>

#include "runtime/node/hyperacc_node.h"

#ifndef FAKE_NODE_ABI
#define FAKE_NODE_ABI HYPERACC_NODE_ABI
#endif

namespace {

const char* or_null(const char* text) {
  return text == nullptr ? "NULL" : text;
}

template <class... Values>
void say(HyperaccNodeReport* report, int severity, const char* format, Values... values) {
  report->severity = severity;
  std::snprintf(report->text, sizeof report->text, format, values...);
}

HyperaccNodeStep* prepare_step(const char* machine, uint32_t tasks, HyperaccNodeReport* report) {
  say(report, HYPERACC_NODE_DEBUG, "prepare machine=%s tasks=%u", or_null(machine), tasks);
  return nullptr;
}

void release_step(HyperaccNodeStep*) {}

void place_task(HyperaccNodeStep*, const HyperaccNodeTask* task, HyperaccNodePlaced* placed,
                HyperaccNodeReport* report) {
  const char* devices = "";
  for (const char* const* entry = task->environment; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "CUDA_VISIBLE_DEVICES=", 21) == 0) devices = *entry + 21;
  }
  say(report, HYPERACC_NODE_WARNING,
      "place task=%u mode=%s memory=%s cpus_per_task=%u memory_mib=%lu cpu_bind=%s mem_bind=%s "
      "nested=%d list=%s devices=%s",
      task->local_id, or_null(task->mode), or_null(task->memory), task->cpus_per_task,
      static_cast<unsigned long>(task->step_memory_mib), task->cpu_bind_type, task->mem_bind_type,
      task->nested, task->cpu_bind_list, devices);
  std::snprintf(placed->ha_cpus, sizeof placed->ha_cpus, "%u", task->local_id);
  std::snprintf(placed->ha_mems, sizeof placed->ha_mems, "0");
}

int set_huge_pages(const char*, const char* mode, HyperaccNodeReport* report) {
  say(report, HYPERACC_NODE_INFO, "huge pages mode=%s", or_null(mode));
  return 0;
}

int acquire_thp(const char*, uint32_t job, HyperaccNodeReport* report) {
  say(report, HYPERACC_NODE_INFO, "acquired for job %u", job);
  return HYPERACC_NODE_THP_DONE;
}

int release_thp(const char*, uint32_t job, HyperaccNodeReport* report) {
  say(report, HYPERACC_NODE_INFO, "released by job %u", job);
  return HYPERACC_NODE_THP_DONE;
}

int reap_thp(const char*, HyperaccNodeReport* report) {
  say(report, HYPERACC_NODE_INFO, "reaped");
  return HYPERACC_NODE_THP_DONE;
}

// Of job 100 only.
int holds_thp(const char*, uint32_t job) {
  return job == 100 ? 1 : 0;
}

const HyperaccNode kNode = {FAKE_NODE_ABI, prepare_step, release_step, place_task, set_huge_pages,
                            acquire_thp,   release_thp,  reap_thp,     holds_thp,  nullptr,
                            nullptr,       nullptr,      nullptr,      nullptr,    nullptr};

}  // namespace

const HyperaccNode* hyperacc_node(void) {
  return &kNode;
}

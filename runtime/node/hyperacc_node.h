/* libhyperacc_node: CPUs, memory and huge pages of one node.
 *
 * Loaded by path with dlopen (a container may lack hwloc) in slurmstepd, in job_prolog and
 * job_epilog, in slurmd, and by libhyperacc in plain processes. One symbol is looked up:
 *
 *   const HyperaccNode* (*entry)(void) = dlsym(handle, HYPERACC_NODE_ENTRY);
 *   const HyperaccNode* node = entry();
 *   if (node->abi != HYPERACC_NODE_ABI) …        do not touch the other members
 *
 * No function throws, ends the process, starts a thread, prints, or changes the environment. None
 * fails in a way that should fail a job: what could not be done is left as it was found, and the
 * HyperaccNodeReport says so. A NULL report is allowed. `machine` is the root folder of a recorded
 * machine for tests, NULL for this one ("/"); privileged callers take it from test builds only.
 */
#ifndef HYPERACC_RUNTIME_NODE_HYPERACC_NODE_H
#define HYPERACC_RUNTIME_NODE_HYPERACC_NODE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HYPERACC_NODE_ABI 1
#define HYPERACC_NODE_ENTRY "hyperacc_node"

#if defined(__GNUC__)
#define HYPERACC_NODE_EXPORT __attribute__((visibility("default")))
#else
#define HYPERACC_NODE_EXPORT
#endif

enum {
  HYPERACC_NODE_DEBUG = 0,
  HYPERACC_NODE_INFO = 1,
  HYPERACC_NODE_WARNING = 2,
  HYPERACC_NODE_ERROR = 3
};

/* What a call has to say to people. */
typedef struct HyperaccNodeReport {
  int32_t severity; /* HYPERACC_NODE_DEBUG … ERROR; DEBUG with an empty text: nothing to say */
  char text[768];   /* one line without prefix and newline, NUL-terminated */
} HyperaccNodeReport;

/* ---- binding: one step on one node ---- */

/* The topology, and one anonymous shared page on which the tasks of the step meet. */
typedef struct HyperaccNodeStep HyperaccNodeStep;

/* In slurmstepd before the tasks are forked (init_post_opt or user_init), once a step. Only for
 * normal steps: batch, interactive and extern steps are not bound. Reads the topology in a child
 * process that ends before this returns (at most 5 s). `tasks`: S_JOB_LOCAL_TASK_COUNT. NULL with a
 * report when the machine cannot be read; place_task takes that NULL too. */
typedef HyperaccNodeStep* HyperaccNodePrepareStep(const char* machine, uint32_t tasks,
                                                  HyperaccNodeReport* report);
/* Optional: slurmstepd ends soon anyway. */
typedef void HyperaccNodeReleaseStep(HyperaccNodeStep* step);

typedef struct HyperaccNodeTask {
  uint32_t local_id; /* S_TASK_ID, 0 … tasks − 1 */
  /* S_STEP_CPUS_PER_TASK where the user asked for it (SLURM_CPUS_PER_TASK is set); 0: no promise */
  uint32_t cpus_per_task;
  /* Memory of the step on this node in MiB (S_STEP_ALLOC_MEM); 0: unknown. Only for +bind. */
  uint64_t step_memory_mib;
  /* Canonical words of settings.mode and settings.memory; NULL: not named, the default. */
  const char* mode;   /* "node", "exclusive", "core-complex" */
  const char* memory; /* "auto", "bind", "local", "none" */
  /* SLURM_CPU_BIND_TYPE and SLURM_MEM_BIND_TYPE as the user's command set them, to be read in
   * init_post_opt, before Slurm's own choice is written there. NULL, "", "quiet" and "verbose" are
   * no choice; everything else, "none" too, is. */
  const char* cpu_bind_type;
  const char* mem_bind_type;
  /* 1: the step was started inside another step, so that the outer automatic binding looks like
   * the user's; it is left alone all the same, and said at DEBUG instead of WARNING. */
  int32_t nested;
  /* SLURM_CPU_BIND_LIST as spank_getenv gives it in task_init: physical masks whose union is the
   * step's CPUs here. NULL or unusable: the mask found at entry is all there is. */
  const char* cpu_bind_list;
  /* The task's environment (S_JOB_ENV), "NAME=value", NULL-terminated: which devices it sees
   * (CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES). */
  const char* const* environment;
} HyperaccNodeTask;

enum {
  HYPERACC_NODE_UNCHANGED = 0, /* as found: nothing to do, or not possible (see the report) */
  HYPERACC_NODE_SET = 1,
  HYPERACC_NODE_EXPLICIT = 2 /* the user's own binding, left alone */
};

typedef struct HyperaccNodePlaced {
  int32_t cpus_outcome;   /* HYPERACC_NODE_UNCHANGED … */
  int32_t memory_outcome; /* SET also for +local */
  /* Values for the task's environment, "" where the variable is to stay unset. HA_CPUS: a list of
   * physical CPUs ("0-7,64-71") or "explicit". HA_MEMS: a list of NUMA nodes, "local" or
   * "explicit". */
  char ha_cpus[8192];
  char ha_mems[2048];
} HyperaccNodePlaced;

/* In task_init, in the child, as the user: binds the calling process (its only thread) and fills
 * `placed`. The tasks of the step wait for each other, at most 2 s. The report is about this task;
 * warnings are alike for all tasks of a node, so show local task 0's and log the others. A failure
 * restores the CPU mask and memory policy found at entry. */
typedef void HyperaccNodePlaceTask(HyperaccNodeStep* step, const HyperaccNodeTask* task,
                                   HyperaccNodePlaced* placed, HyperaccNodeReport* report);

/* ---- transparent huge pages of one task ---- */

/* In task_init: the part of thp that is a state of the calling process and its children. `mode`:
 * "task" (NULL and "system" too) clears an inherited disable flag, "off" disables huge pages. The
 * environment (GLIBC_TUNABLES, THP_MEM_ALLOC_ENABLE) is the plan's part. 0, or −1 with a report;
 * 0 with a WARNING where the node's policy is "never". */
typedef int HyperaccNodeSetHugePages(const char* machine, const char* mode,
                                     HyperaccNodeReport* report);

/* ---- thp=system: the node's knob under one restore record (root) ---- */

enum {
  HYPERACC_NODE_THP_FAILED = -1,    /* nothing changed; acts as thp=task */
  HYPERACC_NODE_THP_NOTHING = 0,    /* nothing was to be done */
  HYPERACC_NODE_THP_DONE = 1,       /* acquired, or restored */
  HYPERACC_NODE_THP_DOWNGRADED = 2, /* the record of another live job: acts as thp=task */
  HYPERACC_NODE_THP_KEPT = 3        /* an admin changed the knob meanwhile: left, record removed */
};

/* job_prolog, only for a whole-node job: writes the record, then the knob. Undoes a record that a
 * gone job left. Waits for another holder of the lock at most 5 s. Each result has a report worth
 * a line in slurmd's log where knobs were written. */
typedef int HyperaccNodeAcquireThp(const char* machine, uint32_t job_id,
                                   HyperaccNodeReport* report);
/* job_epilog, always: undoes the record if it is this job's. */
typedef int HyperaccNodeReleaseThp(const char* machine, uint32_t job_id,
                                   HyperaccNodeReport* report);
/* slurmd start: undoes the record of a job that has no slurmstepd any more. */
typedef int HyperaccNodeReapThp(const char* machine, HyperaccNodeReport* report);
/* 1: the knob is held for this job, else 0. For any user: "thp=system acts as thp=task". */
typedef int HyperaccNodeHoldsThp(const char* machine, uint32_t job_id);
/* `hyperacc node restore`: as reap, also for a live job with `force`. */
typedef int HyperaccNodeRestoreThp(const char* machine, int32_t force, HyperaccNodeReport* report);

/* ---- documents (JSON, UTF-8; never NULL; give back with free_text) ---- */

/* A request is a JSON object or NULL for an empty one. One that cannot be answered gives
 * {"error": TEXT, "kind": "usage" | "failure"}, as in hyperacc.h. */
typedef void HyperaccNodeFreeText(char* text);

/* `hyperacc node status` and the node part of `hyperacc status`. Request: {"machine": DIR}.
 *
 *   {"cpus": "0-127", "numa_nodes": [{"id": 0, "cpus": "0-31,64-95", "memory_bytes": N}, …],
 *    "mask": "0-127" | null, "policy": "default" | "preferred" | "bind" | "interleave" | "local" |
 *      "preferred_many" | null, "policy_nodes": "0-1" | null,    of this process; null if recorded
 *    "thp": {
 *      "enabled": "always" | "madvise" | "never" | null,         null: no such knob
 *      "pmd_bytes": N | null, "pmd_enabled": "inherit" | … | null,
 *      "process": "default" | "disabled" | "advised_only" | null,
 *      "record": null | {"job": N, "live": true, "knobs": [{"path": TEXT, "old": TEXT,
 *                        "ours": TEXT, "now": TEXT | null}, …]}}}
 */
typedef char* HyperaccNodeStatus(const char* request);

/* HA_USE_NUMABIND=1 in a process that the plugin did not bind, at import: binds the calling thread
 * and what it starts later. Request: {"mode": TEXT|null, "memory": TEXT|null, "environment":
 * {NAME: TEXT}} (default: this process's). Acts only if HA_CPUS is unset, or LOCAL_WORLD_SIZE > 1
 * and the mask still equals HA_CPUS; never leaves the mask found.
 *
 *   {"done": true, "cpus": "0-15" | null, "memory_nodes": "0" | null,
 *    "ha_cpus": "0-63" | null,
 *    "severity": "debug" | "info" | "warning" | "error", "text": "CPUs 0-15 (exclusive); …"}
 *
 * ha_cpus, where set, is to be exported as HA_CPUS for processes started later: the mask that was
 * split, so that they do not split theirs again.
 */
typedef char* HyperaccNodeBindProcess(const char* request);

/* HA_USE_THP=1 in a running process. Request: {"mode": TEXT|null}. Answer: done, severity, text. */
typedef char* HyperaccNodeThpProcess(const char* request);

/* `hyperacc explain --placement`: what tasks on this node, or on a recorded one, would get.
 * Request:
 *
 *   {"machine": DIR, "tasks": N,              missing tasks: one an accelerator, at least 1
 *    "cpus_per_task": N, "mode": TEXT, "memory": TEXT,
 *    "cpus": LIST,                            the step's CPUs; missing: all that are allowed here
 *    "devices": "rank" | "none" | [[N, …], …]}   rank (default): task i sees all and uses i modulo
 *                                             their count; none; or the devices of each task
 *
 *   {"mode": "exclusive",                     as resolved
 *    "cpus": "0-127",
 *    "numa_nodes": [{"id": 0, "cpus": LIST, "cpus_allowed": LIST, "memory_bytes": N,
 *                    "memory_only": false}, …],
 *    "accelerators": [{"index": 0, "address": "0000:c1:00.0", "name": TEXT,
 *                      "cpus": LIST | null, "numa_nodes": [0]}, …],      null: locality unknown
 *    "tasks": [{"local_id": 0, "accelerators": [0], "home": [0], "cpus": LIST, "cpu_count": N,
 *               "memory_nodes": LIST, "policy": "preferred_many" | "bind" | "local" | "none",
 *               "shared": false}, …],         shared: another task may use some of these CPUs
 *    "drawing": TEXT}                         the same as a page for people, lines of ≤ 100 columns
 */
typedef char* HyperaccNodeExplainPlacement(const char* request);

/* Every pointer is set. */
typedef struct HyperaccNode {
  uint32_t abi;
  HyperaccNodePrepareStep* prepare_step;
  HyperaccNodeReleaseStep* release_step;
  HyperaccNodePlaceTask* place_task;
  HyperaccNodeSetHugePages* set_huge_pages;
  HyperaccNodeAcquireThp* acquire_thp;
  HyperaccNodeReleaseThp* release_thp;
  HyperaccNodeReapThp* reap_thp;
  HyperaccNodeHoldsThp* holds_thp;
  HyperaccNodeRestoreThp* restore_thp;
  HyperaccNodeFreeText* free_text;
  HyperaccNodeStatus* status;
  HyperaccNodeBindProcess* bind_process;
  HyperaccNodeThpProcess* thp_process;
  HyperaccNodeExplainPlacement* explain_placement;
} HyperaccNode;

HYPERACC_NODE_EXPORT const HyperaccNode* hyperacc_node(void);

#ifdef __cplusplus
}
#endif

#endif

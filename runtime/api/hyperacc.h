/* libhyperacc: which platform this is, which features are on, and why not. Needs neither Torch nor
 * a GPU context, starts no thread, changes nothing.
 *
 * Every answer is one JSON document in UTF-8. It belongs to the caller, who gives it back with
 * hyperacc_free; it is never NULL. A request that cannot be answered gives
 *
 *   {"error": TEXT, "kind": "usage" | "failure"}
 *
 * where TEXT is one sentence for people, "usage" means that the request itself is wrong (a mistyped
 * option, an unknown platform), and "failure" that the machine would not answer. No function throws
 * or ends the process. A reader ignores members that it does not know: new ones may appear within
 * one ABI number. Functions may be called from several threads as long as no thread changes the
 * process environment meanwhile.
 */
#ifndef HYPERACC_RUNTIME_API_HYPERACC_H
#define HYPERACC_RUNTIME_API_HYPERACC_H

#ifdef __cplusplus
extern "C" {
#endif

/* The caller was written for this number; hyperacc_abi() must answer the same. */
#define HYPERACC_ABI 1

#if defined(__GNUC__)
#define HYPERACC_EXPORT __attribute__((visibility("default")))
#else
#define HYPERACC_EXPORT
#endif

HYPERACC_EXPORT int hyperacc_abi(void);

/* Gives back a document of one of the functions below. NULL is allowed. */
HYPERACC_EXPORT void hyperacc_free(char* document);

/* The table of features:
 *
 *   {"version": "1.2.3",
 *    "features": [{
 *      "name": "fast_gelu",                 as in files, JSON and HA_DENY
 *      "word": "fast-gelu",                 as typed in --hyperacc=
 *      "variable": "HA_USE_FAST_GELU",
 *      "kind": "hook" | "system",
 *      "platforms": ["dcu"],                ["any"] for system features
 *      "mode_variable": "HA_FAST_GELU_MODE" | null,
 *      "modes": ["exact", "sigmoid"],       the default first; may be empty
 *      "summary": "GELU"}],
 *    "option_words": ["all", "hooks", …]}   every word of --hyperacc=, for completion
 */
HYPERACC_EXPORT char* hyperacc_features(void);

/* What a task does with its environment, or what an option would make of one. `request` is a JSON
 * object, or NULL for an empty one; every member may be missing or null:
 *
 *   {"option": TEXT,                  the value of --hyperacc=, as typed on srun for a new step
 *    "policy": [TEXT, …],             arguments of the plugin's plugstack.conf line; missing: those
 *                                     found on this machine (only read where "option" is given)
 *    "environment": {NAME: TEXT, …},  default: this process's
 *    "platform": TEXT,                none, nvidia, dcu, amd, mixed or cpu, instead of HA_PLATFORM
 *                                     and of detection
 *    "machine": DIR}                  absolute; a recorded machine instead of /
 *
 * With neither an option nor a policy the variables are read as a task reads them. Otherwise the
 * step is planned as the plugin plans it, and then read as its tasks would. The answer:
 *
 *   {"version": "1.2.3",
 *    "asked": true,                   false: nothing is set, HyperAcc does nothing at all
 *    "platform": {
 *      "name": "nvidia",
 *      "from": "detected" | "HA_PLATFORM" | "request",
 *      "evidence": [TEXT, …],         empty, like the next two, unless detected
 *      "accelerators": [{             of the node, NVIDIA's first
 *        "vendor": "nvidia" | "dcu" | "amd",
 *        "name": TEXT | null, "gfx": TEXT | null, "uuid": TEXT | null, "pci_address": TEXT | null,
 *        "numa_node": 0 | null, "local_cpus": "0-31" | null,
 *        "device_files": [TEXT, …],
 *        "visible": true,             to a process with this environment
 *        "evidence": [TEXT, …]}],
 *      "notes": [TEXT, …]},           what narrowed the visible ones
 *    "features": [{
 *      "name": "syncbn", "kind": "hook",
 *      "on": true,                    the setting; what becomes of it is "state"
 *      "source": "builtin" | "cluster_default" | "outer_option" | "environment" | "own_option" |
 *                "option" | "policy",
 *      "source_text": "environment",  the same for people
 *      "origin": "HA_USE_ALL=1",      the deciding assignment; "" for builtin
 *      "mode": TEXT | null,           only where one was named
 *      "memory": TEXT | null,         numabind's part after '+'
 *      "state": "off" | "on" | "skipped",
 *      "reason": "platform" | "not_built" | "denied" | … | null,   only where skipped
 *      "text": "no accelerator found"}],
 *    "modifiers": {
 *      "auto":         {"value": false, "source": …, "source_text": …},
 *      "verify":       {"value": 0, …},        calls to verify, 0: none
 *      "report":       {"value": false, …},
 *      "any_platform": {"value": false, …},
 *      "log_level":    {"value": "INFO", …}},
 *    "warnings": [TEXT, …],           about variables: unusable values, unknown names
 *
 *    and only where a step was planned:
 *    "option": "all,no-rope" | null,  in canonical spelling
 *    "policy": {
 *      "from": "request" | "FILE:LINE" | null,   null: no plugin line on this machine
 *      "arguments": [TEXT, …]},
 *    "variables": {NAME: TEXT | null, …},        what the plugin sets, null where it unsets
 *    "messages": [{"severity": "debug" | "info" | "warning" | "error", "text": TEXT}, …]}
 */
HYPERACC_EXPORT char* hyperacc_explain(const char* request);

/* What is on this machine. `request` as above; only "machine" and "environment" are read, the
 * latter for the variables that narrow the visible devices, and for SLURM_CONF. The answer:
 *
 *   {"version": "1.2.3",
 *    "platform": {…},                 as above, always detected
 *    "installation": {
 *      "prefix": DIR | null,          null: this library lies in no installed tree; then
 *      "problem": TEXT | null,        this says so, and the rest is missing
 *      "libraries": {"cuda": false, "hip": false, "cpu": false, "node": false},
 *      "torch_builds": [FILE, …],
 *      "python_directory": DIR},      what goes on PYTHONPATH
 *    "numa_nodes": [{"id": 0, "cpus": "0-31", "memory_bytes": 0, "free_bytes": 0}],
 *    "thp": {"supported": true, "enabled": "madvise", "defrag": TEXT, "huge_page_bytes": 2097152},
 *    "plugin": {
 *      "slurm_conf": FILE, "plugstack": FILE,   looked for, there or not
 *      "lines": [{                    in the order in which Slurm loads them; the first one acts
 *        "file": FILE, "line": 1, "required": false, "path": FILE, "arguments": [TEXT, …],
 *        "policy": null | {
 *          "default": "all,no-thp", "denied": ["rope"], "deny_any_platform": false,
 *          "autoload": false, "pythonpath": "asked" | "always" | "never", "prefix": DIR | null,
 *          "thp_system": false, "thp_system_partitions": [TEXT, …],
 *          "log": "error" | "info" | "debug"},
 *        "error": TEXT | null}],      why there is no policy
 *      "problems": [TEXT, …]}}
 */
HYPERACC_EXPORT char* hyperacc_status(const char* request);

#ifdef __cplusplus
}
#endif

#endif

// A stand-in for Slurm: the spank_* and slurm_* functions of slurm/spank.h with their contract
// (what works in which context and callback), and processes that load the plugin and call it in the
// order of srun, sbatch, slurmd and slurmstepd. The plugin under test runs under sanitizers, which
// real srun cannot load.
#pragma once

#include <slurm/spank.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/environment.hpp"

struct spank_handle;

namespace hyperacc::slurm_double {

// A line of plugstack.conf.
struct Entry {
  std::string path;
  std::vector<std::string> arguments;
};

enum class Level { error, info, log };

struct Line {
  Level level;
  std::string text;
  bool to_user;
  bool to_slurmd;  // slurmd's log
};

// One process with the plugin in it: loads on construction, unloads at the end, so that the next
// one starts with fresh memory.
class Process {
 public:
  Process(spank_context_t context, std::vector<Entry> plugstack);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Calls slurm_spank_CALLBACK of every plugin.
  void call(const std::string& callback, int task = -1);
  // The option's callback with this very pointer; what it returned. 0 when nothing is registered.
  int give(const char* text, bool remote);
  bool has_option() const { return option_.cb != nullptr; }

  // Facts that spank_get_item answers with.
  std::uint32_t job_id = 100;
  std::uint32_t step_id = 0;
  std::uint32_t node_index = 0;
  std::uint32_t task_count = 1;
  std::uint32_t cpus_per_task = 1;
  std::uint64_t memory_mib = 1000;
  Environment environment;            // of the step
  std::optional<std::string> option;  // for spank_option_getopt
  bool no_items = false;              // every spank_get_item fails
  bool null_items = false;            // pointers come as NULL
  bool no_setenv = false;             // spank_setenv and spank_unsetenv fail

  std::vector<Line> lines;
  std::map<std::string, int> codes;  // callback → last code other than 0

  // For the functions of spank.h.
  spank_err_t register_option(const spank_option& given);
  spank_err_t get_option(const spank_option* wanted, char** text);
  spank_err_t get_item(spank_item_t item, void* value);
  spank_err_t change_environment(const char* name, const char* value);
  void write(Level level, const std::string& text);
  spank_context_t context() const { return context_; }

 private:
  struct Plugin {
    Entry entry;
    void* library;
    std::vector<char*> arguments;
  };

  spank_context_t context_;
  std::vector<Plugin> plugins_;
  std::string phase_;
  int task_ = -1;
  spank_option option_{};
  std::string option_argument_;
  std::vector<std::string> entries_;
  std::vector<char*> pointers_;
};

// Runs `body` in a child process: its exit code and what it wrote to stdout.
struct Child {
  int code = 0;
  std::string output;
};
Child in_child(const std::function<void()>& body);

}  // namespace hyperacc::slurm_double

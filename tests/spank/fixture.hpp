// What the tests of the plugin share.
#pragma once

#include <string>
#include <vector>

#include "runtime/core/environment.hpp"
#include "tests/spank/cluster_double.hpp"
#include "tests/spank/slurm_double.hpp"

namespace hyperacc::slurm_double {

inline constexpr const char* kOptionName = "SLURM_SPANK__SLURM_SPANK_OPTION_hyperacc_hyperacc";
inline constexpr const char* kTypedName = "SLURM_HYPERACC_TYPED";
inline constexpr const char* kNestedName = "SLURM_HYPERACC_NESTED";

// plugstack.conf with the plugin alone.
std::vector<Entry> plugstack(const std::vector<std::string>& arguments = {});
// The same with the test build, which accepts fault= and machine=.
std::vector<Entry> plugstack_with_faults(const std::vector<std::string>& arguments);

// A cluster with the same plugstack.conf on all machines.
Cluster cluster(const std::vector<std::string>& arguments = {});

// The lines that contain `part`.
std::vector<std::string> lines_with(const std::vector<std::string>& lines, const std::string& part);
inline std::size_t count_with(const std::vector<std::string>& lines, const std::string& part) {
  return lines_with(lines, part).size();
}

// "" when unset, "(empty)" when empty: short in assertions.
std::string value(const Environment& environment, const std::string& name);

// The names that begin with HA_, but for the record.
std::vector<std::string> switches(const Environment& environment);

// An installation that only root can change: PREFIX/lib/hyperacc with a Python folder and, if
// given, a node library. Needs root; `usable` says whether it is there.
class TrustedPrefix {
 public:
  explicit TrustedPrefix(const std::string& node_library = {});
  ~TrustedPrefix();
  TrustedPrefix(const TrustedPrefix&) = delete;
  TrustedPrefix& operator=(const TrustedPrefix&) = delete;

  bool usable() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  std::string argument() const { return "prefix=" + path_; }
  std::string libraries() const { return path_ + "/" + HYPERACC_LIBDIR + "/hyperacc"; }
  std::string python() const { return libraries() + "/python"; }

 private:
  std::string path_;
};

// The process's environment, replaced while this lives.
class Shell {
 public:
  explicit Shell(const Environment& environment);
  ~Shell();
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

 private:
  Environment before_;
};

}  // namespace hyperacc::slurm_double

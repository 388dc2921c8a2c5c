// The plugin listed twice in plugstack.conf acts once.
#pragma once

#include <array>

#include "spank/callback.hpp"

namespace hyperacc::spank {

// Two lines with one path share this library's memory, and Slurm calls every callback once a line:
// the first slurm_spank_init of a process owns it, and of the calls for one event the first counts.
// A copy at another path has its own memory: the one that was loaded first acts, the others stay
// silent.
class Duplicates {
 public:
  // slurm_spank_init was called; true for the line that owns the process.
  bool takes_init() noexcept;
  // True for the first of the calls that Slurm makes for one event.
  bool takes(Callback callback) noexcept;
  // Why this line does not act, for slurmd's log.
  const char* remark() const noexcept;

 private:
  bool is_later_copy() noexcept;

  enum class Copy : unsigned char { unknown, first, later };
  Copy copy_ = Copy::unknown;
  unsigned lines_ = 0;  // calls of slurm_spank_init; none in job_prolog and job_epilog
  std::array<unsigned, kCallbackCount> calls_{};
};

}  // namespace hyperacc::spank

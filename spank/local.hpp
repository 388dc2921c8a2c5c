// srun, sbatch and salloc: reads the option, refuses what is wrong before anything is submitted,
// and tells the node what was typed. Loads nothing and opens no file.
#pragma once

#include <vector>

#include "runtime/core/option.hpp"
#include "runtime/core/result.hpp"
#include "spank/configuration.hpp"
#include "spank/spank_api.hpp"

namespace hyperacc::spank {

class Command {
 public:
  // slurm_spank_init. May end the process: `sbatch --hyperacc=help`.
  Result<void> start(Context context);

  // Called first for every value. True: it was typed, on the command line or in an #SBATCH line.
  // False: it is the value of Slurm's variable, inherited from an outer job or set by hand.
  bool note_value(const char* text) noexcept;

  // -1 refuses a typed value: the command stops. May end the process: a typed `help`.
  Result<int> read_typed(Context context, const char* text, const Configuration& configuration);

  // slurm_spank_init_post_opt, once for every component of a heterogeneous job.
  Result<void> options_done(Context context);

 private:
  bool belongs_here(Context context, const Option& option) const;

  bool inherited_seen_ = false;
  bool typed_seen_ = false;
  unsigned components_ = 0;
  std::vector<Option> first_component_;  // what was typed before the first options_done
};

}  // namespace hyperacc::spank

// A SPANK plugin that does nothing: what Slurm itself spends on loading and calling one.
#include <slurm/spank.h>

SPANK_PLUGIN(empty, 1)

int slurm_spank_init(spank_t handle, int count, char** arguments) {
  (void)handle;
  (void)count;
  (void)arguments;
  return ESPANK_SUCCESS;
}

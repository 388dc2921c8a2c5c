// Which accelerators this very process may use: what it may open, and what the visibility variables
// leave of that.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/core/environment.hpp"
#include "runtime/machine/accelerator.hpp"

namespace hyperacc {

struct Visibility {
  // Indices into the accelerators. NVIDIA's and the others' each in the order in which the process
  // numbers them: the first NVIDIA entry is its cuda:0.
  std::vector<std::size_t> devices;
  // NVIDIA devices that the process sees and that files cannot tell apart: a MIG instance, or an
  // index where CUDA orders unlike GPUs by speed.
  std::size_t unidentified_nvidia = 0;
  // What narrowed the list, for people: "CUDA_VISIBLE_DEVICES=0,9: no device 9, the list ends
  // there".
  std::vector<std::string> notes;
};

// For each accelerator, whether this process may open all of its device files. The only function
// here that asks the machine.
std::vector<bool> openable(const RootDirectory& root, const std::vector<Accelerator>& accelerators);

// Each runtime numbers the devices that the process may open, from 0: where the cluster constrains
// devices every task is given CUDA_VISIBLE_DEVICES=0, and means another one by it. Then:
// - CUDA: CUDA_VISIBLE_DEVICES, indices or (a unique beginning of) UUIDs; set but empty hides all;
//   an entry that names no device ends the list; one entry twice hides all.
// - ROCm and DTK: ROCR_VISIBLE_DEVICES first; set but empty hides all. Of what it leaves
//   HIP_VISIBLE_DEVICES, or CUDA_VISIBLE_DEVICES where that is unset or empty; empty hides nothing.
// - DCU_VISIBLE_DEVICES is a container toolkit's: its effect is which device files there are, and
//   no runtime reads it. It is only noted.
Visibility visible_devices(const Environment& environment,
                           const std::vector<Accelerator>& accelerators,
                           const std::vector<bool>& openable);

}  // namespace hyperacc

// Binding a running process that the plugin did not bind for what it is now: in a batch step,
// without Slurm, or as one of torchrun's ranks inside one task.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/environment.hpp"
#include "runtime/core/plan.hpp"
#include "runtime/node/bind_task.hpp"

namespace hyperacc::node {

// What a process's own variables say about its share of the mask: pure.
struct Share {
  bool act = false;
  std::uint32_t rank = 0;  // of `ranks` processes that split the mask
  std::uint32_t ranks = 1;
  std::string reason;  // where it does not act, for people
};

// HA_CPUS unset: acts. HA_CPUS a list: the plugin bound this task, so only ranks that a launcher
// started inside it act, while their mask still is the task's. HA_CPUS=explicit: never. Several
// ranks whose mask is not their launcher's (`parent`, nothing: not known) were bound by it, rank by
// rank, and are left alone.
Share share_of(const Environment& environment, const Bitmap& mask,
               const std::optional<Bitmap>& parent);

// The devices of every rank, as one that holds `mine` can know them. Nothing where it cannot: of
// one device each rank may have been given another one, or all may share it.
std::optional<std::vector<DeviceList>> devices_of_ranks(const DeviceList& mine,
                                                        std::uint32_t ranks);

struct ProcessResult {
  bool done = false;
  std::string cpus;          // the new mask as a list, empty: unchanged
  std::string memory_nodes;  // as HA_MEMS; empty: unchanged
  // HA_CPUS for processes that this one starts: the mask that was split, so that they, whose mask
  // is another, do not split their share again.
  std::string ha_cpus;
  Message message{Severity::debug, ""};
};

// Binds the calling thread and what it starts later. Never leaves the mask found.
ProcessResult bind_process(const Environment& environment, std::optional<BindMode> mode,
                           std::optional<MemoryMode> memory);

}  // namespace hyperacc::node

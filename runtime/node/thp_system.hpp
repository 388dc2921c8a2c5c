// thp=system: the node's switch is "always" while one whole-node job runs, and then what it was.
//
// The restore record is written before the switch, so that whatever dies in between is undone by
// the epilog, by the next prolog or when slurmd starts:
//
//   died                               | record | switch | who undoes it
//   before the record                  | none   | old    | nothing to undo
//   between record and switch          | there  | old    | epilog, next prolog, slurmd start:
//   removes it after the switch                   | there  | ours   | the same: old value, then
//   removes it between the old value and removal  | there  | old    | the same: removes it the node
//   | gone   | boot's | another boot id: the record is dropped
//
// A switch that no longer has our value was changed by an admin and is left alone.
#pragma once

#include <cstdint>

#include "runtime/core/plan.hpp"
#include "runtime/machine/root.hpp"

namespace hyperacc::node {

enum class ThpResult : std::uint8_t {
  failed,      // nothing is held: the job acts as thp=task
  nothing,     // there was nothing to do
  done,        // held now, or restored
  downgraded,  // another live job holds it: acts as thp=task
  kept,        // an admin's value was left; the record is gone
};

struct ThpAnswer {
  ThpResult result = ThpResult::nothing;
  Message message;  // names the job, every switch written, its old and new value
};

ThpAnswer acquire_thp(const RootDirectory& root, std::uint32_t job);
ThpAnswer release_thp(const RootDirectory& root, std::uint32_t job);
// Undoes the record of a job that is gone; with `force` of any job.
ThpAnswer reap_thp(const RootDirectory& root, bool force);
// Without a lock, for any user.
bool holds_thp(const RootDirectory& root, std::uint32_t job);

}  // namespace hyperacc::node

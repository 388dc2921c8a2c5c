#include "runtime/node/thp_system.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/words.hpp"
#include "runtime/node/live_job.hpp"
#include "runtime/node/thp_knob.hpp"
#include "runtime/node/thp_store.hpp"

namespace hyperacc::node {
namespace {

constexpr std::chrono::seconds kLockLimit{5};
constexpr std::string_view kWanted = "always";

ThpAnswer answer(ThpResult result, Severity severity, std::string text) {
  return {result, {severity, std::move(text)}};
}

ThpAnswer failed(std::uint32_t job, const Error& error) {
  return answer(ThpResult::failed, Severity::error,
                fmt::format("thp=system, job {}: {}", job, error.text));
}

std::string boot_id(const RootDirectory& root) {
  return root.read_word("/proc/sys/kernel/random/boot_id");
}

std::string change_text(const ThpChange& change) {
  return fmt::format("{} {} -> {}", change.path, change.old, change.ours);
}

std::string undo_text(const ThpChange& change) {
  return fmt::format("{} {} -> {}", change.path, change.ours, change.old);
}

// The switches that are not yet as wanted. That of the huge page size only where it does not follow
// the general one.
std::vector<ThpChange> wanted_changes(const RootDirectory& root) {
  std::vector<ThpChange> changes;
  for (const std::string& path : {std::string(kThpEnabled), pmd_knob(root)}) {
    std::string now = read_knob(root, path);
    if (now.empty() || now == "inherit" || now == kWanted) continue;
    changes.push_back({path, std::move(now), std::string(kWanted)});
  }
  return changes;
}

// Puts the old values back, the last change first, and removes the record.
ThpAnswer undo(const RootDirectory& root, ThpStore& store, const ThpRecord& record) {
  std::vector<std::string> written;
  std::vector<std::string> kept;
  if (record.boot_id == boot_id(root)) {
    for (auto change = record.changes.rbegin(); change != record.changes.rend(); ++change) {
      const std::string now = read_knob(root, change->path);
      if (now == change->ours) {
        if (const Result<void> done = write_knob(root, change->path, change->old); !done) {
          return failed(record.job, done.error());
        }
        written.push_back(undo_text(*change));
      } else if (now != change->old) {
        kept.push_back(fmt::format("{} is {} now, not {}: left", change->path, now, change->ours));
      }
    }
  }
  if (const Result<void> removed = store.remove(); !removed) {
    return failed(record.job, removed.error());
  }
  std::vector<std::string> parts = written;
  parts.insert(parts.end(), kept.begin(), kept.end());
  if (parts.empty()) parts.emplace_back("nothing to restore, record removed");
  return answer(kept.empty() ? ThpResult::done : ThpResult::kept,
                kept.empty() ? Severity::info : Severity::warning,
                fmt::format("thp=system, job {}: {}", record.job, join(parts, ", ")));
}

// The record, with a damaged one put out of the way.
Result<std::optional<ThpRecord>> current_record(const RootDirectory& root, ThpStore& store) {
  Result<std::optional<ThpRecord>> record = read_thp_record(root);
  if (record) return record;
  const Result<void> aside = store.put_aside();
  return fail(record.error().text + (aside ? ", put aside as /run/hyperacc/thp/record.damaged"
                                           : ", and cannot be put aside"));
}

ThpAnswer apply(const RootDirectory& root, ThpStore& store, const ThpRecord& record) {
  if (const Result<void> written = store.write(record); !written) {
    return failed(record.job, written.error());
  }
  std::vector<std::string> texts;
  for (const ThpChange& change : record.changes) {
    if (const Result<void> done = write_knob(root, change.path, change.ours); !done) {
      (void)undo(root, store, record);
      return failed(record.job, done.error());
    }
    texts.push_back(change_text(change));
  }
  return answer(ThpResult::done, Severity::info,
                fmt::format("thp=system, job {}: {}", record.job, join(texts, ", ")));
}

}  // namespace

ThpAnswer acquire_thp(const RootDirectory& root, std::uint32_t job) {
  Result<ThpStore> store = ThpStore::lock(root, kLockLimit);
  if (!store) return failed(job, store.error());
  const Result<std::optional<ThpRecord>> found = current_record(root, *store);
  if (!found) return failed(job, found.error());
  if (const std::optional<ThpRecord>& earlier = *found) {
    // An earlier prolog of this very job, a job that is gone, or another boot: start afresh.
    const bool same_boot = earlier->boot_id == boot_id(root);
    if (same_boot && earlier->job != job && is_live_job(root, earlier->job)) {
      return answer(ThpResult::downgraded, Severity::warning,
                    fmt::format("thp=system, job {}: job {} holds this node's huge pages: acts as "
                                "thp=task",
                                job, earlier->job));
    }
    if (ThpAnswer undone = undo(root, *store, *earlier); undone.result == ThpResult::failed) {
      return undone;
    }
  }
  ThpRecord record{boot_id(root), job, wanted_changes(root)};
  if (record.changes.empty()) {
    const bool supported = !read_knob(root, kThpEnabled).empty();
    if (!supported) return failed(job, Error{"this kernel has no transparent huge pages"});
    return answer(
        ThpResult::nothing, Severity::debug,
        fmt::format("thp=system, job {}: the node's huge pages are \"{}\" already", job, kWanted));
  }
  return apply(root, *store, record);
}

ThpAnswer release_thp(const RootDirectory& root, std::uint32_t job) {
  // Most jobs never asked: no lock, no folder for them.
  if (!root.exists(kThpRecord)) return {};
  Result<ThpStore> store = ThpStore::lock(root, kLockLimit);
  if (!store) return failed(job, store.error());
  const Result<std::optional<ThpRecord>> found = current_record(root, *store);
  if (!found) return failed(job, found.error());
  if (!*found || (*found)->job != job) return {};
  return undo(root, *store, **found);
}

ThpAnswer reap_thp(const RootDirectory& root, bool force) {
  if (!root.exists(kThpRecord)) return {};
  Result<ThpStore> store = ThpStore::lock(root, kLockLimit);
  if (!store) return failed(0, store.error());
  const Result<std::optional<ThpRecord>> found = current_record(root, *store);
  if (!found) return failed(0, found.error());
  if (!*found) return {};
  const ThpRecord& record = **found;
  const bool same_boot = record.boot_id == boot_id(root);
  if (!force && same_boot && is_live_job(root, record.job)) {
    return answer(ThpResult::nothing, Severity::info,
                  fmt::format("thp=system: job {} still runs, its record stays", record.job));
  }
  return undo(root, *store, record);
}

bool holds_thp(const RootDirectory& root, std::uint32_t job) {
  const Result<std::optional<ThpRecord>> record = read_thp_record(root);
  return record && *record && (*record)->job == job && (*record)->boot_id == boot_id(root);
}

}  // namespace hyperacc::node

// Where the restore record lies: ROOT/run/hyperacc/thp, on a file system that ends with the boot.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "runtime/core/result.hpp"
#include "runtime/machine/root.hpp"
#include "runtime/node/thp_record.hpp"

namespace hyperacc::node {

inline constexpr std::string_view kThpRecord = "/run/hyperacc/thp/record";

// Any user may read the record, only root may take the lock: a lock that a user could take could
// keep jobs from starting.
class ThpStore {
 public:
  // Makes the folders and takes the lock; a holder that dies gives it back. Errors: not root's
  // folders, another process held the lock for `limit`.
  static Result<ThpStore> lock(const RootDirectory& root, std::chrono::milliseconds limit);

  ThpStore(ThpStore&& other) noexcept;
  ThpStore& operator=(ThpStore&& other) noexcept;
  ThpStore(const ThpStore&) = delete;
  ThpStore& operator=(const ThpStore&) = delete;
  ~ThpStore();

  // The new record is there whole or not at all, and on disk before this returns.
  Result<void> write(const ThpRecord& record);
  Result<void> remove();
  // A damaged record is put aside under another name for the admin to look at.
  Result<void> put_aside();

 private:
  ThpStore(int folder, int lock) : folder_(folder), lock_(lock) {}

  int folder_;
  int lock_;
};

// Nothing: there is none. Error: it is damaged.
Result<std::optional<ThpRecord>> read_thp_record(const RootDirectory& root);

}  // namespace hyperacc::node

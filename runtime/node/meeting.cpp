#include "runtime/node/meeting.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <utility>

namespace hyperacc::node {
namespace {

using Clock = std::chrono::steady_clock;

struct Slot {
  std::atomic<std::uint32_t> taken;
  std::uint32_t count;  // kUntold: more than fit
  std::uint16_t devices[Meeting::kMostDevices];
};

constexpr std::uint32_t kUntold = UINT32_MAX;

// Shared between processes, so not FUTEX_PRIVATE.
void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::chrono::nanoseconds limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  timespec timeout{};
  timeout.tv_sec = seconds.count();
  timeout.tv_nsec = (limit - seconds).count();
  syscall(SYS_futex, &word, FUTEX_WAIT, value, &timeout, nullptr, 0);
}

void wake_all(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

struct Meeting::Page {
  std::atomic<std::uint32_t> arrived;
  Slot slots[1];  // one a task
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

Meeting::Meeting(Page* page, std::size_t bytes, std::uint32_t tasks)
    : page_(page), bytes_(bytes), tasks_(tasks) {}

Meeting::Meeting(Meeting&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)), bytes_(other.bytes_), tasks_(other.tasks_) {}

Meeting& Meeting::operator=(Meeting&& other) noexcept {
  std::swap(page_, other.page_);
  std::swap(bytes_, other.bytes_);
  std::swap(tasks_, other.tasks_);
  return *this;
}

Meeting::~Meeting() {
  if (page_ != nullptr) munmap(page_, bytes_);
}

Result<Meeting> Meeting::create(std::uint32_t tasks) {
  if (tasks == 0) return fail("a step without a task on this node");
  const std::size_t bytes = sizeof(Page) + (tasks - 1) * sizeof(Slot);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return fail(std::string("no shared memory for the tasks: ") + std::strerror(errno));
  }
  // Zeroed by the kernel, which is the empty state of every member.
  return Meeting(static_cast<Page*>(memory), bytes, tasks);
}

std::optional<std::vector<DeviceList>> Meeting::meet(std::uint32_t local_id,
                                                     const DeviceList& devices,
                                                     std::chrono::milliseconds limit) {
  if (local_id >= tasks_) return std::nullopt;
  Slot& mine = page_->slots[local_id];
  if (mine.taken.exchange(1) == 0) {
    const bool fits = devices.size() <= kMostDevices &&
                      std::all_of(devices.begin(), devices.end(),
                                  [](std::size_t device) { return device <= UINT16_MAX; });
    mine.count = fits ? static_cast<std::uint32_t>(devices.size()) : kUntold;
    for (std::size_t i = 0; fits && i < devices.size(); ++i) {
      mine.devices[i] = static_cast<std::uint16_t>(devices[i]);
    }
    if (page_->arrived.fetch_add(1) + 1 >= tasks_) wake_all(page_->arrived);
  }

  const Clock::time_point deadline = Clock::now() + limit;
  std::uint32_t arrived = page_->arrived.load();
  while (arrived < tasks_) {
    const auto left = deadline - Clock::now();
    if (left <= Clock::duration::zero()) return std::nullopt;
    wait_while(page_->arrived, arrived, left);
    arrived = page_->arrived.load();
  }

  std::vector<DeviceList> all;
  for (std::uint32_t task = 0; task < tasks_; ++task) {
    const Slot& slot = page_->slots[task];
    if (slot.count > kMostDevices) return std::nullopt;
    all.emplace_back(slot.devices, slot.devices + slot.count);
  }
  return all;
}

}  // namespace hyperacc::node

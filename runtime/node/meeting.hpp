// Where the tasks of a step tell each other which devices they hold: each knows only its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/core/result.hpp"

namespace hyperacc::node {

// Positions in the step's list of accelerators, in the order in which the task numbers them.
using DeviceList = std::vector<std::size_t>;

// Anonymous shared memory, made before the tasks are forked: a file descriptor would not survive
// where Slurm runs user_init in a process of its own (contain_spank).
class Meeting {
 public:
  static constexpr std::size_t kMostDevices = 120;

  // Error: no memory, or no task.
  static Result<Meeting> create(std::uint32_t tasks);

  Meeting(Meeting&& other) noexcept;
  Meeting& operator=(Meeting&& other) noexcept;
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting();

  std::uint32_t tasks() const { return tasks_; }

  // Publishes this task's devices and waits for the others. Nothing after `limit` (a task died
  // before it came here), and where a task holds more devices than a slot can tell.
  std::optional<std::vector<DeviceList>> meet(std::uint32_t local_id, const DeviceList& devices,
                                              std::chrono::milliseconds limit);

 private:
  struct Page;
  Meeting(Page* page, std::size_t bytes, std::uint32_t tasks);

  Page* page_;
  std::size_t bytes_;
  std::uint32_t tasks_;
};

}  // namespace hyperacc::node

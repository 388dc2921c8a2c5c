#include "runtime/node/meeting.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace hyperacc::node;
using namespace std::chrono_literals;

namespace {

std::vector<pid_t> start_tasks(unsigned first, unsigned last,
                               const std::function<bool(unsigned)>& task) {
  std::vector<pid_t> children;
  for (unsigned id = first; id < last; ++id) {
    const pid_t child = fork();
    if (child == 0) _exit(task(id) ? 0 : 1);
    children.push_back(child);
  }
  return children;
}

bool all_succeed(const std::vector<pid_t>& children) {
  bool all = true;
  for (const pid_t child : children) {
    int status = 0;
    all =
        waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0 && all;
  }
  return all;
}

}  // namespace

TEST_CASE("every task learns the devices of all, in their order") {
  constexpr unsigned kTasks = 16;
  Meeting meeting = Meeting::create(kTasks).value();
  const auto before = std::chrono::steady_clock::now();
  CHECK(all_succeed(start_tasks(0, kTasks, [&](unsigned id) {
    // They come at different times.
    std::this_thread::sleep_for(std::chrono::milliseconds(id % 5));
    const auto all = meeting.meet(id, {id + 100, id}, 10s);
    if (!all || all->size() != kTasks) return false;
    for (unsigned other = 0; other < kTasks; ++other) {
      if ((*all)[other] != DeviceList{other + 100, other}) return false;
    }
    return true;
  })));
  // The last one wakes the others.
  CHECK(std::chrono::steady_clock::now() - before < 8s);
}

TEST_CASE("a task that never comes keeps the others only for the limit") {
  Meeting meeting = Meeting::create(3).value();
  const auto before = std::chrono::steady_clock::now();
  CHECK(all_succeed(start_tasks(0, 2, [&](unsigned id) { return !meeting.meet(id, {}, 200ms); })));
  const auto took = std::chrono::steady_clock::now() - before;
  CHECK(took >= 200ms);
  CHECK(took < 5s);
}

TEST_CASE("one task does not wait") {
  Meeting meeting = Meeting::create(1).value();
  CHECK(*meeting.meet(0, {7}, 0ms) == std::vector<DeviceList>{{7}});
}

TEST_CASE("a task that comes twice counts once") {
  Meeting meeting = Meeting::create(2).value();
  CHECK_FALSE(meeting.meet(0, {1}, 1ms));
  CHECK_FALSE(meeting.meet(0, {2}, 1ms));
  CHECK(*meeting.meet(1, {3}, 1ms) == std::vector<DeviceList>{{1}, {3}});
}

TEST_CASE("what does not fit is nothing") {
  CHECK_FALSE(Meeting::create(0));
  Meeting meeting = Meeting::create(1).value();
  CHECK_FALSE(meeting.meet(1, {}, 1ms));
  CHECK_FALSE(meeting.meet(0, DeviceList(Meeting::kMostDevices + 1), 1ms));
  Meeting full = Meeting::create(1).value();
  const DeviceList most(Meeting::kMostDevices, 9);
  CHECK(full.meet(0, most, 1ms)->front() == most);
}

#include "runtime/node/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace hyperacc::node {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void be_child(int output, const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    const std::string text = work();
    std::size_t written = 0;
    while (written < text.size()) {
      const ssize_t count = write(output, text.data() + written, text.size() - written);
      if (count < 0 && errno != EINTR) _exit(1);
      if (count > 0) written += static_cast<std::size_t>(count);
    }
    _exit(0);
  } catch (...) {
    _exit(1);
  }
}

// Until the other end is closed.
Result<std::string> read_until(int input, Clock::time_point deadline) {
  std::string text;
  char buffer[16384];
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return fail("it took too long and was stopped");
    pollfd event{input, POLLIN, 0};
    const int ready = poll(&event, 1, static_cast<int>(left));
    if (ready < 0 && errno != EINTR) return fail(std::strerror(errno));
    if (ready <= 0) continue;
    const ssize_t count = read(input, buffer, sizeof buffer);
    if (count < 0 && errno != EINTR) return fail(std::strerror(errno));
    if (count == 0) return text;
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  }
}

// False where the child was ended by a signal or an exception. Where this process ignores SIGCHLD
// the kernel has reaped it already, and its text must do. A child that hangs inside the kernel is
// not waited for.
bool ended_well(pid_t child) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    int status = 0;
    const pid_t reaped = waitpid(child, &status, WNOHANG);
    if (reaped > 0) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (reaped < 0 && errno != EINTR) return errno == ECHILD;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace

Result<std::string> answer_of_child(std::chrono::milliseconds limit,
                                    const std::function<std::string()>& work) {
  const Clock::time_point deadline = Clock::now() + limit;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail(std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    return fail(fmt::format("no helper process: {}", std::strerror(error)));
  }
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], work);
  }
  close(ends[1]);
  Result<std::string> text = read_until(ends[0], deadline);
  close(ends[0]);
  if (!text) kill(child, SIGKILL);
  const bool well = ended_well(child);
  if (text && !well) return fail("the helper process died");
  return text;
}

}  // namespace hyperacc::node

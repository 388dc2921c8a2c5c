// SIGKILL at every step of the prolog's, the epilog's and the reaper's part: whatever was reached,
// the node's switches come back and no record stays.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "runtime/node/thp_system.hpp"
#include "tests/runtime/node/thp_machine.hpp"

using namespace hyperacc::node;

namespace {

using Step = std::function<void(const ThpMachine&)>;

// Stops for the tracer before every call that can change a file. Between two of them nothing that
// survives the process changes, so these are all the places where it can die.
void stop_at_changes() {
  constexpr std::array<std::uint32_t, 9> kCalls = {SYS_openat,   SYS_mkdirat,  SYS_write,
                                                   SYS_fsync,    SYS_renameat, SYS_flock,
                                                   SYS_unlinkat, SYS_fchmod,   SYS_exit_group};
  std::vector<sock_filter> filter = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)}};
  for (std::size_t i = 0; i < kCalls.size(); ++i) {
    const auto to_trace = static_cast<std::uint8_t>(kCalls.size() - i);
    filter.push_back({BPF_JMP | BPF_JEQ | BPF_K, to_trace, 0, kCalls[i]});
  }
  filter.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  filter.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRACE});
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(2);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) _exit(2);
}

// Runs `step` in a child and kills it before its `call`th change. False where it ended before that.
bool kill_at(const ThpMachine& machine, const Step& step, int call) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    stop_at_changes();
    step(machine);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSTOPPED(status));
  REQUIRE(ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESECCOMP) == 0);
  for (int stop = 0; stop < call; ++stop) {
    REQUIRE(ptrace(PTRACE_CONT, child, nullptr, nullptr) == 0);
    REQUIRE(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status)) {
      CHECK(WEXITSTATUS(status) == 0);
      return false;
    }
    REQUIRE(status >> 8 == (SIGTRAP | (PTRACE_EVENT_SECCOMP << 8)));
  }
  REQUIRE(kill(child, SIGKILL) == 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  return true;
}

// Every place where `step` can die, each on a fresh machine that `before` prepared; `after` is what
// the next part of Slurm does.
int for_every_death(const Step& before, const Step& step, const Step& after) {
  int deaths = 0;
  for (bool killed = true; killed; ++deaths) {
    const ThpMachine machine("madvise", "never");
    before(machine);
    killed = kill_at(machine, step, deaths + 1);
    after(machine);
    INFO("death at change " << deaths + 1 << ": " << machine.read(std::string(kThpRecord)));
    CHECK(machine.enabled() == "madvise");
    CHECK(machine.pmd() == "never");
    CHECK_FALSE(machine.has_record());
  }
  return deaths - 1;
}

void nothing(const ThpMachine&) {}
void acquire(const ThpMachine& machine) {
  acquire_thp(machine.root(), 12);
}
void release(const ThpMachine& machine) {
  release_thp(machine.root(), 12);
}
void reap(const ThpMachine& machine) {
  reap_thp(machine.root(), false);
}
void next_job(const ThpMachine& machine) {
  CHECK(acquire_thp(machine.root(), 13).result == ThpResult::done);
  CHECK(machine.enabled() == "always");
  CHECK(machine.pmd() == "always");
  CHECK(release_thp(machine.root(), 13).result == ThpResult::done);
}

}  // namespace

TEST_CASE("the prolog dies anywhere, its job's epilog restores") {
  CHECK(for_every_death(nothing, acquire, release) > 10);
}

TEST_CASE("the prolog dies anywhere, slurmd's start restores") {
  CHECK(for_every_death(nothing, acquire, reap) > 10);
}

TEST_CASE("the prolog dies anywhere, the next job's prolog and epilog restore") {
  CHECK(for_every_death(nothing, acquire, next_job) > 10);
}

TEST_CASE("the epilog dies anywhere, slurmd's start restores") {
  CHECK(for_every_death(acquire, release, reap) > 10);
}

TEST_CASE("the epilog dies anywhere, the next job's prolog and epilog restore") {
  CHECK(for_every_death(acquire, release, next_job) > 10);
}

TEST_CASE("the reaper dies anywhere, the next one restores") {
  CHECK(for_every_death(acquire, reap, reap) > 10);
}

TEST_CASE("a prolog that takes over from a gone job dies anywhere, its epilog restores") {
  const Step take_over = [](const ThpMachine& machine) { acquire_thp(machine.root(), 13); };
  const Step end = [](const ThpMachine& machine) {
    release_thp(machine.root(), 13);
    // What the dead prolog left may still be job 12's.
    reap_thp(machine.root(), false);
  };
  CHECK(for_every_death(acquire, take_over, end) > 10);
}

TEST_CASE("a boot after a death anywhere leaves the new boot's values alone") {
  const Step boot = [](const ThpMachine& machine) {
    machine.reboot();
    machine.write(ThpMachine::kPmd, "never\n");
    reap(machine);
  };
  CHECK(for_every_death(nothing, acquire, boot) > 10);
}

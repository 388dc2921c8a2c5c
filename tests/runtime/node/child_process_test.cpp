#include "runtime/node/child_process.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <stdexcept>
#include <thread>

using namespace hyperacc::node;
using namespace std::chrono_literals;

TEST_CASE("the child's text comes back whole") {
  const std::string long_text(1'000'000, 'x');
  CHECK(*answer_of_child(10s, [&] { return long_text; }) == long_text);
  CHECK(answer_of_child(10s, [] { return std::string(); })->empty());
}

TEST_CASE("nothing that the child does happens here") {
  static int value = 1;
  const auto answer = answer_of_child(10s, [] {
    value = 2;
    setenv("HA_TEST_CHILD", "1", 1);
    return std::to_string(value);
  });
  CHECK(*answer == "2");
  CHECK(value == 1);
  CHECK(getenv("HA_TEST_CHILD") == nullptr);
}

TEST_CASE("a child that hangs is stopped at the limit") {
  // Guards the hang of hwloc's I/O discovery that mpibind met in slurmstepd (TOSS-6198).
  const auto before = std::chrono::steady_clock::now();
  const auto answer = answer_of_child(200ms, [] {
    std::this_thread::sleep_for(60s);
    return std::string("late");
  });
  REQUIRE_FALSE(answer);
  CHECK(answer.error().text.find("too long") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - before < 5s);
}

TEST_CASE("a child that dies or throws is an error, and no zombie stays") {
  CHECK_FALSE(answer_of_child(10s, []() -> std::string {
    raise(SIGKILL);
    return "";
  }));
  CHECK_FALSE(answer_of_child(10s, []() -> std::string { throw std::runtime_error("no"); }));
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("a process that ignores SIGCHLD gets the answer too") {
  const auto before = signal(SIGCHLD, SIG_IGN);
  const auto answer = answer_of_child(10s, [] { return std::string("here"); });
  signal(SIGCHLD, before);
  REQUIRE(answer);
  CHECK(*answer == "here");
}

#include "runtime/node/bind_task.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>

#include "runtime/node/affinity.hpp"
#include "tests/runtime/node/in_child.hpp"
#include "tests/runtime/node/refuse_system_call.hpp"

using namespace hyperacc::node;
using hyperacc::Severity;

namespace {

// This machine, bound for real: in a child of its own for each case.
struct Here {
  MachineView machine = view_machine("/").value();
  Bitmap mask = get_affinity().value();

  std::string mask_list() const { return fmt::format("0x{:x}", mask.to_words().at(0)); }
};

std::string state() {
  const auto policy = get_memory_policy();
  return get_affinity()->to_list() + " " + name(*policy) + ":" + policy->nodes.to_list();
}

std::string text_of(const TaskResult& result) {
  return fmt::format("{} {} [{}] [{}] {}", static_cast<int>(result.cpus),
                     static_cast<int>(result.memory), result.ha_cpus, result.ha_mems, state());
}

std::string run_one(const Here& here, const TaskRequest& request) {
  Meeting meeting = Meeting::create(1).value();
  return in_child([&] { return text_of(bind_task(here.machine, meeting, request)); });
}

}  // namespace

TEST_CASE("one task gets the step's CPUs and the memory near them, read back") {
  const Here here;
  const std::string all = here.mask.to_list();
  TaskRequest request;
  request.cpu_bind_list = here.mask_list();
  const std::string nodes =
      memory_of(here.machine.topology, here.mask, *allowed_memory_nodes()).to_list();
  CHECK(run_one(here, request) ==
        fmt::format("1 1 [{0}] [{1}] {0} preferred_many:{1}", all, nodes));
}

TEST_CASE("a task leaves its automatic mask, but not the step's CPUs") {
  // Guards binding that only narrows, a no-op where Slurm has bound every task to one CPU.
  if (!has_two_cpus()) return;
  const Here here;
  const unsigned first = here.mask.first();
  const unsigned last = here.mask.last();
  Meeting meeting = Meeting::create(1).value();
  TaskRequest request;
  request.mode = BindMode::exclusive;
  const auto bound_from = [&](const std::string& list) {
    request.cpu_bind_list = list;
    return in_child([&] {
      (void)set_affinity(Bitmap{first});
      return bind_task(here.machine, meeting, request).ha_cpus;
    });
  };
  CHECK(bound_from(here.mask_list()) == here.mask.to_list());
  CHECK(bound_from(fmt::format("0x{:x}", 1UL << last)) == std::to_string(last));
  // Without a usable list, or with CPUs that the kernel does not grant, the mask found is all.
  CHECK(bound_from("") == std::to_string(first));
  CHECK(bound_from(fmt::format("0x1{}", std::string(100, '0'))) == std::to_string(first));
}

TEST_CASE("two tasks split the CPUs and agree without talking about it") {
  if (!has_two_cpus()) return;
  const Here here;
  Meeting meeting = Meeting::create(2).value();
  TaskRequest request;
  request.mode = BindMode::exclusive;
  request.cpu_bind_list = here.mask_list();
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t other = fork();
  if (other == 0) {
    request.local_id = 1;
    const std::string cpus = bind_task(here.machine, meeting, request).ha_cpus + "\n";
    _exit(write(ends[1], cpus.data(), cpus.size()) > 0 ? 0 : 1);
  }
  const std::string mine =
      in_child([&] { return bind_task(here.machine, meeting, request).ha_cpus; });
  char buffer[256] = {};
  REQUIRE(read(ends[0], buffer, sizeof buffer - 1) > 0);
  waitpid(other, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  const Bitmap first = Bitmap::parse_list(mine).value();
  const Bitmap second = Bitmap::parse_list(buffer).value();
  CHECK_FALSE(first.intersects(second));
  CHECK((first | second) == here.mask);
  CHECK(first.first() < second.first());
}

TEST_CASE("a task whose neighbour never comes acts as in mode node, with one warning") {
  Here here;
  // One L3 a CPU, as if there were more to choose from.
  here.machine.topology.complexes = here.machine.topology.cores;
  Meeting meeting = Meeting::create(2).value();
  TaskRequest request;
  request.mode = BindMode::core_complex;
  request.cpu_bind_list = here.mask_list();
  const std::string seen = in_child([&] {
    const TaskResult result = bind_task(here.machine, meeting, request);
    return fmt::format("{} {} {}", result.ha_cpus, static_cast<int>(result.message.severity),
                       result.message.text);
  });
  CHECK(seen.find(here.mask.to_list() + " 2 not all tasks of the step came") == 0);
}

TEST_CASE("an explicit CPU binding is left alone, and memory follows it") {
  if (!has_two_cpus()) return;
  const Here here;
  const unsigned last = here.mask.last();
  Meeting meeting = Meeting::create(4).value();  // nobody waits for the others
  TaskRequest request;
  request.cpu_bind_type = "cores";
  request.cpu_bind_list = here.mask_list();
  const auto seen = [&] {
    return in_child([&] {
      (void)set_affinity(Bitmap{last});
      const TaskResult result = bind_task(here.machine, meeting, request);
      return fmt::format("{} severity {}", text_of(result),
                         static_cast<int>(result.message.severity));
    });
  };
  const std::string node =
      memory_of(here.machine.topology, Bitmap{last}, *allowed_memory_nodes()).to_list();
  CHECK(seen() ==
        fmt::format("2 1 [explicit] [{0}] {1} preferred_many:{0} severity 2", node, last));
  // Inside another step it only looks like the user's: not worth a warning.
  request.nested = true;
  request.memory = MemoryMode::none;
  CHECK(seen() == fmt::format("2 0 [explicit] [] {} default: severity 0", last));
  // --cpu-bind=none asks for nothing to be bound; memory only if that is asked for by name.
  request.cpu_bind_type = "quiet,none";
  request.memory.reset();
  CHECK(seen() == fmt::format("2 0 [explicit] [] {} default: severity 0", last));
  request.memory = MemoryMode::local;
  CHECK(seen() == fmt::format("2 1 [explicit] [local] {} local: severity 1", last));
}

TEST_CASE("an explicit memory binding is left alone, however it shows") {
  const Here here;
  const std::string all = here.mask.to_list();
  TaskRequest request;
  request.cpu_bind_list = here.mask_list();
  request.mem_bind_type = "none";
  CHECK(run_one(here, request) == fmt::format("1 2 [{0}] [explicit] {0} default:", all));
  request.mem_bind_type = "";
  Meeting meeting = Meeting::create(1).value();
  CHECK(in_child([&] {
          (void)set_memory_policy(MemoryMode::local, {});
          return text_of(bind_task(here.machine, meeting, request));
        }) == fmt::format("1 2 [{0}] [explicit] {0} local:", all));
}

TEST_CASE("what the kernel refuses leaves the task as it was found") {
  const Here here;
  const std::string all = here.mask.to_list();
  TaskRequest request;
  request.cpu_bind_list = here.mask_list();
  Meeting meeting = Meeting::create(1).value();
  const auto seen = [&](std::uint32_t call) {
    return in_child([&] {
      if (!refuse_system_call(call, EPERM)) return std::string("no filter");
      const TaskResult result = bind_task(here.machine, meeting, request);
      return fmt::format("{} severity {}", text_of(result),
                         static_cast<int>(result.message.severity));
    });
  };
  CHECK(seen(SYS_sched_setaffinity) == fmt::format("0 0 [] [] {} default: severity 2", all));
  // CPUs are kept where only the memory policy is refused.
  CHECK(seen(SYS_set_mempolicy) == fmt::format("1 0 [{0}] [] {0} default: severity 2", all));
}

TEST_CASE("hard binding is given up where the memory would not do") {
  // Guards vllm-project/vllm#51584: killed with free memory elsewhere, since MPOL_BIND never
  // spills.
  const Here here;
  TaskRequest request;
  request.cpu_bind_list = here.mask_list();
  request.memory = MemoryMode::bind;
  request.step_memory_mib = 1;
  CHECK(run_one(here, request).find(" bind:") != std::string::npos);
  request.step_memory_mib = std::uint64_t{1} << 40;
  CHECK(run_one(here, request).find(" preferred_many:") != std::string::npos);
}

TEST_CASE("messages add up, the severest counts") {
  hyperacc::Message message{Severity::debug, ""};
  add_message(message, Severity::error, "");
  CHECK(message.severity == Severity::debug);
  add_message(message, Severity::warning, "first");
  add_message(message, Severity::info, "second");
  CHECK(message == hyperacc::Message{Severity::warning, "first; second"});
}

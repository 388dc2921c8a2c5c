#include "runtime/node/hyperacc_node.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

#include "runtime/node/affinity.hpp"
#include "tests/runtime/node/in_child.hpp"
#include "tests/runtime/node/node_library.hpp"
#include "tests/runtime/node/thp_machine.hpp"

using namespace hyperacc::node;
using Json = nlohmann::json;

namespace {

HyperaccNodeTask task_of(const char* const* environment) {
  HyperaccNodeTask task{};
  task.environment = environment;
  return task;
}

}  // namespace

TEST_CASE("the table is complete and of this number") {
  CHECK(node_library().abi == HYPERACC_NODE_ABI);
  const void* const* pointers = reinterpret_cast<const void* const*>(&node_library());
  for (std::size_t i = 1; i < sizeof(HyperaccNode) / sizeof(void*); ++i) {
    CHECK(pointers[i] != nullptr);
  }
}

TEST_CASE("a step is prepared, its task bound, and the variables say so") {
  const std::string seen = in_child([] {
    const char* const environment[] = {"A=b", nullptr};
    HyperaccNodeReport report{};
    HyperaccNodeStep* step = node_library().prepare_step(nullptr, 1, &report);
    if (step == nullptr) return std::string(report.text);
    HyperaccNodeTask task = task_of(environment);
    task.mode = "exclusive";
    task.memory = "local";
    HyperaccNodePlaced placed{};
    node_library().place_task(step, &task, &placed, &report);
    node_library().release_step(step);
    const bool as_told = get_affinity()->to_list() == placed.ha_cpus;
    return std::to_string(placed.cpus_outcome) + std::to_string(placed.memory_outcome) + ' ' +
           placed.ha_mems + (as_told ? " as told " : " otherwise ") +
           std::to_string(report.severity);
  });
  CHECK(seen == "11 local as told 1");
}

TEST_CASE("a step that could not be prepared binds nothing and harms nothing") {
  HyperaccNodeReport report{};
  CHECK(node_library().prepare_step("/nonexistent", 1, &report) == nullptr);
  CHECK(report.severity == HYPERACC_NODE_WARNING);
  CHECK(std::string(report.text).find("/nonexistent") != std::string::npos);
  CHECK(node_library().prepare_step(nullptr, 0, nullptr) == nullptr);
  const HyperaccNodeTask task = task_of(nullptr);
  HyperaccNodePlaced placed;
  std::memset(&placed, 0x7f, sizeof placed);
  node_library().place_task(nullptr, &task, &placed, nullptr);
  CHECK(placed.cpus_outcome == HYPERACC_NODE_UNCHANGED);
  CHECK(std::string(placed.ha_cpus).empty());
  node_library().release_step(nullptr);
}

TEST_CASE("a word that is no mode is an error, not a guess") {
  const std::string seen = in_child([] {
    HyperaccNodeReport report{};
    HyperaccNodeStep* step = node_library().prepare_step(nullptr, 1, &report);
    HyperaccNodeTask task = task_of(nullptr);
    task.mode = "socket";
    HyperaccNodePlaced placed{};
    node_library().place_task(step, &task, &placed, &report);
    return std::to_string(report.severity) + std::to_string(placed.cpus_outcome) + report.text;
  });
  CHECK(seen == "30numabind: 'socket+' is no mode");
}

TEST_CASE("huge pages of a task") {
  const std::string seen = in_child([] {
    HyperaccNodeReport report{};
    std::string text = std::to_string(node_library().set_huge_pages(nullptr, "off", &report));
    text += std::to_string(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
    text += std::to_string(node_library().set_huge_pages(nullptr, nullptr, &report));
    text += std::to_string(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
    return text + std::to_string(node_library().set_huge_pages(nullptr, "on", &report));
  });
  CHECK(seen == "0100-1");
}

TEST_CASE("the restore record through the C functions") {
  const ThpMachine machine;
  const char* root = machine.path().c_str();
  HyperaccNodeReport report{};
  CHECK(node_library().acquire_thp(root, 12, &report) == HYPERACC_NODE_THP_DONE);
  CHECK(report.severity == HYPERACC_NODE_INFO);
  CHECK(node_library().holds_thp(root, 12) == 1);
  CHECK(node_library().holds_thp(root, 1) == 0);
  machine.start_step("12");
  CHECK(node_library().acquire_thp(root, 13, &report) == HYPERACC_NODE_THP_DOWNGRADED);
  CHECK(node_library().reap_thp(root, nullptr) == HYPERACC_NODE_THP_NOTHING);
  CHECK(node_library().restore_thp(root, 0, nullptr) == HYPERACC_NODE_THP_NOTHING);
  CHECK(machine.enabled() == "always");
  machine.write(std::string(kThpEnabled), "never\n");
  CHECK(node_library().restore_thp(root, 1, nullptr) == HYPERACC_NODE_THP_KEPT);
  CHECK(node_library().release_thp(root, 12, nullptr) == HYPERACC_NODE_THP_NOTHING);
  CHECK(node_library().acquire_thp("/nonexistent", 1, &report) == HYPERACC_NODE_THP_FAILED);
  CHECK(report.severity == HYPERACC_NODE_ERROR);
}

TEST_CASE("status of this machine and of a record") {
  const Json here = ask(node_library().status, nullptr);
  CHECK(here["mask"] == get_affinity()->to_list());
  CHECK(here["policy"] == "default");
  CHECK(here["thp"]["process"].is_string());

  const ThpMachine machine;
  const auto known = hyperacc::RootDirectory::open("machines/nvidia_8gpu");
  machine.write("/topology.xml", known->read_file("/topology.xml", 1 << 20).value());
  node_library().acquire_thp(machine.path().c_str(), 12, nullptr);
  const Json recorded = ask(node_library().status, {{"machine", machine.path()}});
  CHECK(recorded["cpus"] == "0-127");
  CHECK(recorded["mask"].is_null());
  CHECK(recorded["numa_nodes"][1]["cpus"] == "32-63,96-127");
  CHECK(recorded["thp"]["enabled"] == "always");
  CHECK(recorded["thp"]["pmd_bytes"] == 2097152);
  CHECK(recorded["thp"]["pmd_enabled"] == "inherit");
  CHECK(recorded["thp"]["record"]["job"] == 12);
  CHECK(recorded["thp"]["record"]["live"] == false);
  CHECK(recorded["thp"]["record"]["knobs"] ==
        Json::array({{{"path", "/sys/kernel/mm/transparent_hugepage/enabled"},
                      {"old", "madvise"},
                      {"ours", "always"},
                      {"now", "always"}}}));
}

TEST_CASE("a process is bound, and its huge pages set, on request") {
  const std::string seen = in_child([] {
    const Json bound = ask(node_library().bind_process, {{"environment", Json::object()}});
    const Json thp = ask(node_library().thp_process, {{"mode", "off"}});
    return bound["cpus"].get<std::string>() + (bound["done"] == true ? " done " : " not done ") +
           bound["severity"].get<std::string>() + (thp["done"] == true ? " off" : " ?") +
           std::to_string(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
  });
  CHECK(seen == get_affinity()->to_list() + " done info off1");
}

TEST_CASE("requests that cannot be answered say why") {
  const auto error = [](HyperaccNodeStatus* function, const Json& request) {
    const Json answer = ask(function, request);
    return answer.value("kind", "none") + ": " + answer.value("error", "");
  };
  const HyperaccNode& node = node_library();
  CHECK(error(node.status, {{"machine", "relative"}}).find("usage: ") == 0);
  CHECK(error(node.status, {{"machine", "/nonexistent"}}).find("failure: ") == 0);
  CHECK(error(node.thp_process, {{"mode", "on"}}).find("usage: ") == 0);
  CHECK(error(node.bind_process, {{"mode", "socket"}}).find("usage: ") == 0);
  CHECK(error(node.explain_placement, {{"task", 1}}) ==
        "usage: unknown member 'task' (did you mean 'tasks'?)");
  CHECK(error(node.explain_placement, {{"tasks", 2}, {"devices", {{0}}}}).find("usage: ") == 0);
  CHECK(error(node.explain_placement, {{"devices", "all"}}).find("usage: ") == 0);
  CHECK(error(node.explain_placement, {{"cpus", "900"}}).find("usage: this machine has none") == 0);
}

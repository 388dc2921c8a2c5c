#include "runtime/api/status_document.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using Catch::Matchers::Contains;
using hyperacc::api::Expected;
using hyperacc::api::Json;
using hyperacc::api::Request;
using hyperacc::api::status_document;
using hyperacc::test::recorded_machine;
using hyperacc::test::ScratchMachine;

namespace {

Json status_of(const std::string& machine, hyperacc::Environment environment = {}) {
  Request request;
  request.machine = machine;
  request.environment = std::move(environment);
  const Expected<Json> document = status_document(request);
  if (!document) FAIL(document.error().text);
  return *document;
}

}  // namespace

TEST_CASE("accelerators, NUMA nodes and huge pages of a recorded machine") {
  const Json document = status_of(recorded_machine("nvidia_8gpu").directory(),
                                  {{"CUDA_VISIBLE_DEVICES", "1"}, {"HA_PLATFORM", "cpu"}});
  CHECK(document.at("version") == HYPERACC_VERSION);
  const Json& platform = document.at("platform");
  CHECK(platform.at("name") == "nvidia");  // HA_PLATFORM is for jobs, this is the machine
  REQUIRE(platform.at("accelerators").size() == 8);
  const Json& first = platform.at("accelerators")[0];
  CHECK(first.at("vendor") == "nvidia");
  CHECK(first.at("name") == "NVIDIA A100-SXM4-80GB");
  CHECK(first.at("pci_address") == "0000:07:00.0");
  CHECK(first.at("numa_node") == 0);
  CHECK(first.at("gfx").is_null());
  CHECK_FALSE(first.at("evidence").empty());
  CHECK(first.at("visible") == false);
  CHECK(platform.at("accelerators")[1].at("visible") == true);

  REQUIRE(document.at("numa_nodes").size() == 2);
  CHECK(document.at("numa_nodes")[0].at("cpus") == "0-31,64-95");
  CHECK(document.at("numa_nodes")[1].at("id") == 1);
  CHECK(document.at("thp").at("supported") == true);
  CHECK(document.at("thp").at("enabled") == "madvise");
  CHECK(document.at("thp").at("huge_page_bytes") == 2097152);
}

TEST_CASE("CPU lists of one, of a pair and of gaps") {
  const ScratchMachine machine;
  machine.write("/sys/devices/system/node/online", "0");
  machine.write("/sys/devices/system/cpu/online", "0-9");
  machine.write("/sys/devices/system/node/node0/cpulist", "0,2-3,5-7,9");
  CHECK(status_of(machine.host_path("/")).at("numa_nodes")[0].at("cpus") == "0,2-3,5-7,9");
}

TEST_CASE("a bare machine") {
  const ScratchMachine machine;
  const Json document = status_of(machine.host_path("/"));
  CHECK(document.at("platform").at("name") == "none");
  CHECK(document.at("platform").at("accelerators").empty());
  CHECK(document.at("numa_nodes").empty());
  CHECK(document.at("thp") == Json({{"supported", false}}));
  CHECK(document.at("plugin").at("lines").empty());
  CHECK_FALSE(document.at("plugin").at("problems").empty());
}

TEST_CASE("the plugin's lines, each with its policy or its error") {
  const ScratchMachine machine;
  machine.write(
      "/etc/slurm/plugstack.conf",
      "optional /a/spank_hyperacc.so default=all,no-gc deny=rope,any-platform "
      "autoload=yes pythonpath=always prefix=/opt/h thp_system=exclusive:gpu,big log=debug\n"
      "required /b/spank_hyperacc.so defualt=all\n");
  const Json lines = status_of(machine.host_path("/")).at("plugin").at("lines");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("file") == "/etc/slurm/plugstack.conf");
  CHECK(lines[0].at("line") == 1);
  CHECK(lines[0].at("required") == false);
  CHECK(lines[0].at("path") == "/a/spank_hyperacc.so");
  CHECK(lines[0].at("arguments").size() == 7);
  CHECK(lines[0].at("error").is_null());
  CHECK(lines[0].at("policy") == Json::parse(R"({
    "default": "all,no-gc", "denied": ["rope"], "deny_any_platform": true, "autoload": true,
    "pythonpath": "always", "prefix": "/opt/h", "thp_system": true,
    "thp_system_partitions": ["gpu", "big"], "log": "debug"})"));
  CHECK(lines[1].at("required") == true);
  CHECK(lines[1].at("policy").is_null());
  CHECK_THAT(lines[1].at("error").get<std::string>(), Contains("defualt"));
}

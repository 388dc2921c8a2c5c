#include "runtime/api/explain_document.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using Catch::Matchers::Contains;
using hyperacc::Environment;
using hyperacc::Feature;
using hyperacc::Platform;
using hyperacc::api::Expected;
using hyperacc::api::explain_document;
using hyperacc::api::Failure;
using hyperacc::api::Json;
using hyperacc::api::Request;
using hyperacc::test::recorded_machine;
using hyperacc::test::ScratchMachine;

namespace {

Request on(Platform platform, Environment environment = {}) {
  Request request;
  request.environment = std::move(environment);
  request.platform = platform;
  return request;
}

Request planned(std::string option, std::vector<std::string> policy = {},
                Environment environment = {}) {
  Request request = on(Platform::dcu, std::move(environment));
  request.option = std::move(option);
  request.policy = std::move(policy);
  return request;
}

Json answer(const Request& request) {
  const Expected<Json> document = explain_document(request);
  if (!document) FAIL(document.error().text);
  return *document;
}

Failure refusal(const Request& request) {
  const Expected<Json> document = explain_document(request);
  REQUIRE_FALSE(document);
  return document.error();
}

Json feature(const Json& document, Feature which) {
  return document.at("features").at(hyperacc::index(which));
}

Request with_plugstack(const ScratchMachine& machine, const std::string& line) {
  machine.write("/etc/slurm/plugstack.conf", "# a comment\n" + line + "\n");
  Request request;
  request.machine = machine.host_path("/");
  request.option = "rope";
  request.platform = Platform::dcu;
  return request;
}

}  // namespace

TEST_CASE("nothing asked") {
  const Json document = answer(on(Platform::none));
  CHECK(document.at("asked") == false);
  CHECK(document.at("version") == HYPERACC_VERSION);
  CHECK(feature(document, Feature::rope) == Json::parse(R"({
    "name": "rope", "kind": "hook", "on": false, "source": "builtin",
    "source_text": "built-in default", "origin": "", "mode": null, "memory": null,
    "state": "off", "reason": null, "text": ""})"));
  CHECK(document.at("modifiers") == Json::parse(R"({
    "auto": {"value": false, "source": "builtin", "source_text": "built-in default"},
    "verify": {"value": 0, "source": "builtin", "source_text": "built-in default"},
    "report": {"value": false, "source": "builtin", "source_text": "built-in default"},
    "any_platform": {"value": false, "source": "builtin", "source_text": "built-in default"},
    "log_level": {"value": "INFO", "source": "builtin", "source_text": "built-in default"}})"));
  for (const char* member : {"option", "policy", "variables", "messages"}) {
    CHECK_FALSE(document.contains(member));
  }
}

TEST_CASE("the variables are read as a task reads them") {
  const Json document = answer(on(Platform::dcu, {{"HA_USE_ALL", "1"},
                                                  {"HA_USE_ROPE", "no"},
                                                  {"HA_NUMABIND_MODE", "exclusive"},
                                                  {"HA_NUMABIND_MEMORY", "bind"},
                                                  {"HA_VERIFY", "5"},
                                                  {"HA_USE_THP", "maybe"}}));
  CHECK(document.at("asked") == true);
  const Json rope = feature(document, Feature::rope);
  CHECK(rope.at("state") == "off");
  CHECK(rope.at("origin") == "HA_USE_ROPE=0");
  CHECK(rope.at("source") == "environment");
  const Json numabind = feature(document, Feature::numabind);
  CHECK(numabind.at("on") == true);
  CHECK(numabind.at("mode") == "exclusive");
  CHECK(numabind.at("memory") == "bind");
  CHECK(document.at("modifiers").at("verify").at("value") == 5);
  REQUIRE(document.at("warnings").size() == 1);
  CHECK_THAT(document.at("warnings")[0].get<std::string>(), Contains("HA_USE_THP=maybe"));
}

TEST_CASE("the reason says why a feature is skipped") {
  const Environment all = {
      {"HA_USE_ALL", "1"}, {"HA_DENY", "dropout"}, {"HA_SPANK_SET", "policy:HA_DENY=dropout"}};
  const Json none = answer(on(Platform::none, all));
  CHECK(feature(none, Feature::rope).at("reason") == "platform");
  CHECK(feature(none, Feature::rope).at("text") == "no accelerator found");
  const Json nvidia = answer(on(Platform::nvidia, all));
  CHECK(feature(nvidia, Feature::rope).at("reason") == "platform");
  CHECK(feature(nvidia, Feature::voxel).at("reason") == "not_built");
  CHECK(feature(nvidia, Feature::dropout).at("reason") == "denied");
}

TEST_CASE("the platform: the request before HA_PLATFORM before what is found") {
  Request request;
  request.machine = recorded_machine("dcu_node").directory();
  const Json found = answer(request).at("platform");
  CHECK(found.at("name") == "dcu");
  CHECK(found.at("from") == "detected");
  CHECK(found.at("accelerators").size() == 8);
  CHECK_FALSE(found.at("evidence").empty());

  request.environment = {{"HA_PLATFORM", "cpu"}};
  const Json said = answer(request).at("platform");
  CHECK(said.at("name") == "cpu");
  CHECK(said.at("from") == "HA_PLATFORM");
  CHECK(said.at("accelerators").empty());

  request.platform = Platform::nvidia;
  CHECK(answer(request).at("platform").at("name") == "nvidia");
  CHECK(answer(request).at("platform").at("from") == "request");
}

TEST_CASE("a mixed node is narrowed by what the environment leaves visible") {
  Request request;
  request.machine = recorded_machine("mixed").directory();
  CHECK(answer(request).at("platform").at("name") == "mixed");
  request.environment = {{"ROCR_VISIBLE_DEVICES", ""}};
  const Json platform = answer(request).at("platform");
  CHECK(platform.at("name") == "nvidia");
  CHECK(platform.at("accelerators")[0].at("visible") == true);
  CHECK(platform.at("accelerators")[1].at("visible") == false);
}

TEST_CASE("an option is planned, and its sources are named") {
  const Json document =
      answer(planned("hooks,no_ROPE,report", {"default=thp"}, {{"HA_USE_DROPOUT", "0"}}));
  CHECK(document.at("option") == "hooks,no-rope,report");
  CHECK(document.at("policy") == Json({{"from", "request"}, {"arguments", {"default=thp"}}}));
  CHECK(feature(document, Feature::rope).at("source") == "own_option");
  CHECK(feature(document, Feature::rope).at("origin") == "HA_USE_ROPE=0");
  CHECK(feature(document, Feature::syncbn).at("origin") == "HA_USE_ALL_HOOKS=1");
  CHECK(feature(document, Feature::dropout).at("source") == "environment");
  CHECK(feature(document, Feature::thp).at("source") == "cluster_default");
  CHECK(document.at("modifiers").at("report").at("source") == "own_option");
  const Json& variables = document.at("variables");
  CHECK(variables.at("HA_USE_ALL_HOOKS") == "1");
  CHECK(variables.at("HA_USE_ROPE") == "0");
  CHECK(variables.at("HA_USE_THP") == "1");
  CHECK(variables.at("HA_REPORT") == "1");
  CHECK_FALSE(variables.contains("HA_USE_DROPOUT"));
  CHECK_FALSE(variables.contains("SLURM_HYPERACC_TYPED"));  // ours, to play srun
}

TEST_CASE("what is planned is what its tasks read") {
  const Json plan = answer(planned("all,no-gc,numabind=exclusive+local,verify", {"deny=rope"},
                                   {{"HA_USE_DROPOUT", "0"}, {"OTHER", "x"}}));
  Environment environment = {{"HA_USE_DROPOUT", "0"}, {"OTHER", "x"}};
  for (const auto& [name, value] : plan.at("variables").items()) {
    environment.insert_or_assign(name, value.get<std::string>());
  }
  const Json task = answer(on(Platform::dcu, environment));
  for (std::size_t i = 0; i < hyperacc::kFeatureCount; ++i) {
    for (const char* member : {"on", "mode", "memory", "state", "reason"}) {
      CHECK(plan.at("features")[i].at(member) == task.at("features")[i].at(member));
    }
  }
  CHECK(feature(task, Feature::numabind).at("mode") == "exclusive");
  CHECK(feature(task, Feature::rope).at("reason") == "denied");
}

TEST_CASE("inside a job the option stands on top of the job's own") {
  const Environment job = {{"SLURM_SPANK__SLURM_SPANK_OPTION_hyperacc_hyperacc", "rope,dropout"}};
  const Json refined = answer(planned("no-rope", {}, job));
  CHECK(feature(refined, Feature::rope).at("on") == false);
  CHECK(feature(refined, Feature::dropout).at("source") == "outer_option");
  // The same text typed again is this command's own.
  const Json again = answer(planned("rope,dropout", {}, job));
  CHECK(feature(again, Feature::rope).at("source") == "own_option");
}

TEST_CASE("a policy alone plans a step without an option") {
  Request request = planned("", {"default=rope"});
  request.option.reset();
  const Json document = answer(request);
  CHECK(document.at("option").is_null());
  CHECK(feature(document, Feature::rope).at("source") == "cluster_default");
  CHECK(document.at("variables").at("HA_USE_ROPE") == "1");
}

TEST_CASE("a denied feature asked by name is a message") {
  const Json document = answer(planned("rope", {"deny=rope"}));
  REQUIRE(document.at("messages").size() == 1);
  CHECK(document.at("messages")[0].at("severity") == "warning");
  CHECK_THAT(document.at("messages")[0].at("text").get<std::string>(), Contains("rope"));
}

TEST_CASE("a wrong option or policy is the caller's") {
  CHECK_THAT(refusal(planned("ropee")).text, Contains("--hyperacc: ") && Contains("'rope'"));
  CHECK(refusal(planned("ropee")).kind == Failure::Kind::usage);
  CHECK_THAT(refusal(planned("rope,help")).text, Contains("help"));
  CHECK_THAT(refusal(planned("rope", {"dney=thp"})).text, Contains("policy: ") && Contains("dney"));
  CHECK(refusal(planned("rope", {"dney=thp"})).kind == Failure::Kind::usage);
}

TEST_CASE("without a policy in the request the machine's plugstack.conf counts") {
  const ScratchMachine machine;
  const Json document = answer(
      with_plugstack(machine, "optional /usr/lib64/slurm/spank_hyperacc.so deny=rope default=thp"));
  CHECK(feature(document, Feature::rope).at("reason") == "denied");
  CHECK(feature(document, Feature::thp).at("source") == "cluster_default");
  CHECK(document.at("policy") == Json({{"from", "/etc/slurm/plugstack.conf:2"},
                                       {"arguments", {"deny=rope", "default=thp"}}}));
}

TEST_CASE("a machine without the plugin has no policy") {
  const ScratchMachine machine;
  const Json document = answer(with_plugstack(machine, "optional other.so deny=rope"));
  CHECK(feature(document, Feature::rope).at("on") == true);
  CHECK(document.at("policy") == Json({{"from", nullptr}, {"arguments", Json::array()}}));
}

TEST_CASE("a wrong line in plugstack.conf is the machine's, as srun would refuse the option") {
  const ScratchMachine machine;
  const Failure failure =
      refusal(with_plugstack(machine, "optional /usr/lib64/slurm/spank_hyperacc.so dney=rope"));
  CHECK(failure.kind == Failure::Kind::failure);
  CHECK_THAT(failure.text, Contains("/etc/slurm/plugstack.conf:2: ") && Contains("dney"));
}

TEST_CASE("a machine that is not there") {
  Request request;
  request.machine = "/no/such/machine";
  CHECK(refusal(request).kind == Failure::Kind::failure);
  CHECK_THAT(refusal(request).text, Contains("/no/such/machine"));
}

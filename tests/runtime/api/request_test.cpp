#include "runtime/api/request.hpp"

#include <catch2/catch.hpp>

using hyperacc::Environment;
using hyperacc::Platform;
using hyperacc::api::Expected;
using hyperacc::api::Failure;
using hyperacc::api::parse_request;
using hyperacc::api::Request;

namespace {

const Environment kProcess = {{"HA_USE_ALL", "1"}};

std::string refusal(const char* text) {
  const Expected<Request> request = parse_request(text, kProcess);
  REQUIRE_FALSE(request);
  CHECK(request.error().kind == Failure::Kind::usage);
  return request.error().text;
}

}  // namespace

TEST_CASE("a missing request, an empty one and null members mean the same") {
  for (const char* text : {static_cast<const char*>(nullptr), "{}",
                           R"({"option": null, "policy": null, "environment": null,
                               "platform": null, "machine": null})"}) {
    const Expected<Request> request = parse_request(text, kProcess);
    REQUIRE(request);
    CHECK_FALSE(request->option);
    CHECK_FALSE(request->policy);
    CHECK_FALSE(request->platform);
    CHECK(request->environment == kProcess);
    CHECK(request->machine == "/");
  }
}

TEST_CASE("every member is read") {
  const Expected<Request> request = parse_request(
      R"({"option": "all", "policy": ["deny=thp", "log=debug"], "environment": {"A": "b"},
          "platform": "Nvidia", "machine": "/recorded"})",
      kProcess);
  REQUIRE(request);
  CHECK(request->option == "all");
  CHECK(request->policy == std::vector<std::string>{"deny=thp", "log=debug"});
  CHECK(request->environment == Environment{{"A", "b"}});
  CHECK(request->platform == Platform::nvidia);
  CHECK(request->machine == "/recorded");
}

TEST_CASE("an empty policy and an empty environment are not missing ones") {
  const Expected<Request> request = parse_request(R"({"policy": [], "environment": {}})", kProcess);
  REQUIRE(request);
  REQUIRE(request->policy);
  CHECK(request->policy->empty());
  CHECK(request->environment.empty());
}

TEST_CASE("a wrong request names the member and what it must be") {
  CHECK(refusal("") == "request: not a JSON object in UTF-8");
  CHECK(refusal("[]") == "request: not a JSON object in UTF-8");
  CHECK(refusal("{\"option\": \"\xff\"}") == "request: not a JSON object in UTF-8");
  CHECK(refusal(R"({"option": 1})") == "request: \"option\" must be a text");
  CHECK(refusal(R"({"policy": "deny=thp"})") == "request: \"policy\" must be an array of texts");
  CHECK(refusal(R"({"policy": [1]})") == "request: \"policy\" must be an array of texts");
  CHECK(refusal(R"({"environment": ["A=b"]})") ==
        "request: \"environment\" must be an object of texts");
  CHECK(refusal(R"({"environment": {"A": 1}})") ==
        "request: \"environment\" must be an object of texts");
  CHECK(refusal(R"({"platform": true})") == "request: \"platform\" must be a text");
  CHECK(refusal(R"({"platform": "nvida"})") ==
        "unknown platform 'nvida' (did you mean 'nvidia'?); known are none, nvidia, dcu, amd, "
        "mixed, cpu");
  CHECK(refusal(R"({"machine": "recorded"})") ==
        "machine 'recorded' must be an absolute path to a recorded machine");
  CHECK(refusal(R"({"optoin": "all"})") ==
        "request: unknown member \"optoin\" (did you mean 'option'?)");
}

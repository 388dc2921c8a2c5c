// The C functions, from outside.
#include "runtime/api/hyperacc.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

namespace {

using Json = nlohmann::json;

Json taken(char* document) {
  REQUIRE(document != nullptr);
  const std::unique_ptr<char, void (*)(char*)> owner(document, hyperacc_free);
  return Json::parse(document);
}

}  // namespace

TEST_CASE("the number of the header is that of the library") {
  CHECK(hyperacc_abi() == HYPERACC_ABI);
}

TEST_CASE("every answer is a document") {
  CHECK(taken(hyperacc_features()).at("features").size() == 13);
  CHECK(taken(hyperacc_explain(nullptr)).contains("features"));
  CHECK(taken(hyperacc_status(nullptr)).contains("numa_nodes"));
}

TEST_CASE("every error is a document") {
  for (const auto function : {hyperacc_explain, hyperacc_status}) {
    for (const char* request : {"", "[", "[]", "{\"option\": 1}", "{\"\\u0000\": 1}", "\xff"}) {
      const Json document = taken(function(request));
      CHECK(document.at("kind") == "usage");
      CHECK(document.at("error").get<std::string>().rfind("request: ", 0) == 0);
    }
    const Json document = taken(function(R"({"machine": "/no/such/machine"})"));
    CHECK(document.at("kind") == "failure");
  }
}

TEST_CASE("a deeply nested request does not end the process") {
  const std::string deep(100000, '[');
  CHECK(taken(hyperacc_explain(deep.c_str())).at("kind") == "usage");
}

#ifndef __SANITIZE_ADDRESS__  // it ends the process itself where memory is short
TEST_CASE("an exception inside becomes a document") {
  const std::string large = "{\"environment\": {\"A\": \"" + std::string(64 << 20, 'a') + "\"}}";
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_AS, &none);  // what is there stays, nothing comes
    char* document = hyperacc_explain(large.c_str());
    const bool is_error = std::strstr(document, "out of memory") != nullptr;
    hyperacc_free(document);
    _exit(is_error ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif

TEST_CASE("without an environment in the request the process's own counts") {
  setenv("HA_USE_ROPE", "1", 1);
  const Json own = taken(hyperacc_explain(R"({"platform": "none"})"));
  unsetenv("HA_USE_ROPE");
  CHECK(own.at("asked") == true);
  CHECK(taken(hyperacc_explain(R"({"environment": {}})")).at("asked") == false);
}

TEST_CASE("bytes that are no UTF-8 come back replaced") {
  setenv("HA_USE_ALL", "\xff\xfe", 1);
  const Json document = taken(hyperacc_explain(R"({"platform": "none"})"));
  unsetenv("HA_USE_ALL");
  CHECK(document.at("warnings").size() == 1);
}

TEST_CASE("a document is given back, and so is none") {
  hyperacc_free(nullptr);
  hyperacc_free(hyperacc_features());
}

TEST_CASE("several threads may ask at once") {
  std::vector<std::string> answers(4);
  std::vector<std::thread> threads;
  threads.reserve(answers.size());
  for (std::string& answer : answers) {
    threads.emplace_back([&answer] {
      for (int i = 0; i < 20; ++i) {
        char* document = hyperacc_explain(R"({"option": "all", "policy": [], "platform": "dcu"})");
        answer = document;
        hyperacc_free(document);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& answer : answers) {
    CHECK(answer == answers.front());
    CHECK(Json::parse(answer).contains("variables"));
  }
}

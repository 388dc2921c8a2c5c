#include "runtime/node/request_reader.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc::node;

namespace {

RequestReader reader(const char* text) {
  return {text, {"a", "machine", "mode", "memory"}};
}

}  // namespace

TEST_CASE("members that are missing or null are empty") {
  for (const char* text : {static_cast<const char*>(nullptr), "{}", R"({"a": null})"}) {
    RequestReader request = reader(text);
    CHECK_FALSE(request.text("a"));
    CHECK_FALSE(request.number("a", 0, 9));
    CHECK_FALSE(request.set("a"));
    CHECK_FALSE(request.environment("a"));
    CHECK(request.machine() == "/");
    CHECK_FALSE(request.mode());
    CHECK_FALSE(request.memory());
    CHECK_FALSE(request.error());
  }
}

TEST_CASE("members are read by their kind") {
  CHECK(reader(R"({"a": "x"})").text("a") == "x");
  CHECK(reader(R"({"a": 9})").number("a", 1, 9) == 9U);
  CHECK(reader(R"({"a": "0-3"})").set("a") == Bitmap{0, 1, 2, 3});
  CHECK(reader(R"({"a": {"X": "1"}})").environment("a")->at("X") == "1");
  CHECK(reader(R"({"machine": "/m"})").machine() == "/m");
  CHECK(reader(R"({"mode": "core-complex"})").mode() == BindMode::core_complex);
  CHECK(reader(R"({"memory": "auto"})").memory() == MemoryMode::automatic);
}

TEST_CASE("what is wrong is named, the first thing only") {
  const auto error = [](const char* text) {
    RequestReader request = reader(text);
    request.number("a", 1, 9);
    request.machine();
    request.mode();
    request.memory();
    return request.error().value_or("none");
  };
  CHECK(error("nonsense") == "the request is no JSON object");
  CHECK(error("[]") == "the request is no JSON object");
  CHECK(error(R"({"modes": 1})") == "unknown member 'modes' (did you mean 'mode'?)");
  CHECK(error(R"({"a": 0})") == "'a' must be a number from 1 to 9");
  CHECK(error(R"({"a": 10})") == "'a' must be a number from 1 to 9");
  CHECK(error(R"({"a": -1})") == "'a' must be a number from 1 to 9");
  CHECK(error(R"({"a": "1", "machine": "m"})") == "'a' must be a number from 1 to 9");
  CHECK(error(R"({"machine": "m"})") == "'machine' must be an absolute folder, not 'm'");
  CHECK(error(R"({"mode": "socket"})") ==
        "'mode' must be node, exclusive or core-complex, not 'socket'");
  CHECK(error(R"({"memory": 1})") == "'memory' must be a text");
  RequestReader sets = reader(R"({"a": "0-"})");
  sets.set("a");
  CHECK(sets.error() == "'a' must be a list such as 0-7,64-71, not '0-'");
  RequestReader environment = reader(R"({"a": {"X": 1}})");
  environment.environment("a");
  CHECK(environment.error() == "'a' must be an object of texts");
}

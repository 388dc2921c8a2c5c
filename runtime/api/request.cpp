#include "runtime/api/request.hpp"

#include <fmt/format.h>

#include "runtime/core/words.hpp"

namespace hyperacc::api {
namespace {

const std::vector<std::string>& members() {
  static const std::vector<std::string> names = {"option", "policy", "environment", "platform",
                                                 "machine"};
  return names;
}

tl::unexpected<Failure> wrong_type(std::string_view member, std::string_view expected) {
  return usage_error(fmt::format("request: \"{}\" must be {}", member, expected));
}

bool all_text(const Json& values) {
  for (const Json& value : values) {
    if (!value.is_string()) return false;
  }
  return true;
}

Expected<void> read_environment(const Json& value, Request& request) {
  if (!value.is_object() || !all_text(value)) {
    return wrong_type("environment", "an object of texts");
  }
  request.environment.clear();
  for (const auto& [name, text] : value.items()) {
    request.environment.emplace(name, text.get<std::string>());
  }
  return {};
}

Expected<void> read_platform(const Json& value, Request& request) {
  if (!value.is_string()) return wrong_type("platform", "a text");
  const std::string word = value.get<std::string>();
  request.platform = find_platform(word);
  if (request.platform) return {};
  const std::vector<std::string> words = {"none", "nvidia", "dcu", "amd", "mixed", "cpu"};
  return usage_error(fmt::format("unknown platform '{}'{}; known are {}", printable(word),
                                 suggestion(word, words), join(words, ", ")));
}

Expected<void> read_machine(const Json& value, Request& request) {
  if (!value.is_string()) return wrong_type("machine", "a text");
  request.machine = value.get<std::string>();
  if (request.machine.rfind('/', 0) == 0) return {};
  return usage_error(fmt::format("machine '{}' must be an absolute path to a recorded machine",
                                 printable(request.machine)));
}

Expected<void> read_member(const std::string& name, const Json& value, Request& request) {
  if (value.is_null()) return {};
  if (name == "environment") return read_environment(value, request);
  if (name == "platform") return read_platform(value, request);
  if (name == "machine") return read_machine(value, request);
  if (name == "option") {
    if (!value.is_string()) return wrong_type("option", "a text");
    request.option = value.get<std::string>();
    return {};
  }
  if (name == "policy") {
    if (!value.is_array() || !all_text(value)) return wrong_type("policy", "an array of texts");
    request.policy = value.get<std::vector<std::string>>();
    return {};
  }
  return usage_error(fmt::format("request: unknown member \"{}\"{}", printable(name),
                                 suggestion(name, members())));
}

}  // namespace

Expected<Request> parse_request(const char* text, const Environment& process) {
  Request request;
  request.environment = process;
  if (text == nullptr) return request;
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return usage_error("request: not a JSON object in UTF-8");
  for (const auto& [name, value] : json.items()) {
    if (const Expected<void> read = read_member(name, value, request); !read) {
      return tl::unexpected<Failure>(read.error());
    }
  }
  return request;
}

}  // namespace hyperacc::api

#include "runtime/node/request_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/core/words.hpp"

namespace hyperacc::node {

Json failure_document(FailureKind kind, const std::string& text) {
  return {{"error", text}, {"kind", kind == FailureKind::usage ? "usage" : "failure"}};
}

RequestReader::RequestReader(const char* text, const std::vector<std::string_view>& known)
    : document_(Json::object()) {
  if (text == nullptr) return;
  document_ = Json::parse(text, nullptr, false);
  if (!document_.is_object()) {
    document_ = Json::object();
    reject("the request is no JSON object");
  }
  for (const auto& [name, value] : document_.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    reject(fmt::format("unknown member '{}'{}", printable(name),
                       suggestion(name, {known.begin(), known.end()})));
  }
}

const Json& RequestReader::member(const char* name) const {
  static const Json kNull;
  const auto found = document_.find(name);
  return found == document_.end() ? kNull : *found;
}

void RequestReader::reject(std::string text) {
  if (!error_) error_ = std::move(text);
}

std::optional<std::string> RequestReader::text(const char* name) {
  const Json& value = member(name);
  if (value.is_null()) return std::nullopt;
  if (value.is_string()) return value.get<std::string>();
  reject(fmt::format("'{}' must be a text", name));
  return std::nullopt;
}

std::optional<std::uint32_t> RequestReader::number(const char* name, std::uint32_t smallest,
                                                   std::uint32_t largest) {
  const Json& value = member(name);
  if (value.is_null()) return std::nullopt;
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number >= smallest && number <= largest) return static_cast<std::uint32_t>(number);
  }
  reject(fmt::format("'{}' must be a number from {} to {}", name, smallest, largest));
  return std::nullopt;
}

std::optional<Bitmap> RequestReader::set(const char* name) {
  const std::optional<std::string> list = text(name);
  if (!list) return std::nullopt;
  if (Result<Bitmap> parsed = Bitmap::parse_list(*list); parsed && !parsed->empty()) return *parsed;
  reject(fmt::format("'{}' must be a list such as 0-7,64-71, not '{}'", name, printable(*list)));
  return std::nullopt;
}

std::optional<Environment> RequestReader::environment(const char* name) {
  const Json& value = member(name);
  if (value.is_null()) return std::nullopt;
  Environment environment;
  const bool usable = value.is_object() && std::all_of(value.begin(), value.end(),
                                                       [](const Json& v) { return v.is_string(); });
  if (!usable) {
    reject(fmt::format("'{}' must be an object of texts", name));
    return std::nullopt;
  }
  for (const auto& [key, text] : value.items()) environment.emplace(key, text.get<std::string>());
  return environment;
}

std::string RequestReader::machine() {
  std::string directory = text("machine").value_or("/");
  if (directory.empty() || directory.front() != '/') {
    reject(fmt::format("'machine' must be an absolute folder, not '{}'", printable(directory)));
  }
  return directory;
}

std::optional<BindMode> RequestReader::mode() {
  const std::optional<std::string> word = text("mode");
  if (!word) return std::nullopt;
  const std::optional<BindMode> mode = find_bind_mode(*word);
  if (!mode) {
    reject(
        fmt::format("'mode' must be node, exclusive or core-complex, not '{}'", printable(*word)));
  }
  return mode;
}

std::optional<MemoryMode> RequestReader::memory() {
  const std::optional<std::string> word = text("memory");
  if (!word) return std::nullopt;
  const std::optional<MemoryMode> mode = find_memory_mode(*word);
  if (!mode) {
    reject(fmt::format("'memory' must be auto, bind, local or none, not '{}'", printable(*word)));
  }
  return mode;
}

}  // namespace hyperacc::node

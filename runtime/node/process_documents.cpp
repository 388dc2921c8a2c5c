#include <unistd.h>

#include <array>
#include <string_view>

#include "runtime/node/bind_process.hpp"
#include "runtime/node/documents.hpp"
#include "runtime/node/huge_pages.hpp"

namespace hyperacc::node {
namespace {

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string_view severity_name(Severity severity) {
  static constexpr std::array<std::string_view, 4> kNames = {"debug", "info", "warning", "error"};
  return kNames[static_cast<std::size_t>(severity)];
}

}  // namespace

Json bind_process_document(const char* request_text) {
  RequestReader reader(request_text, {"mode", "memory", "environment"});
  const std::optional<BindMode> mode = reader.mode();
  const std::optional<MemoryMode> memory = reader.memory();
  const std::optional<Environment> environment = reader.environment("environment");
  if (reader.error()) return failure_document(FailureKind::usage, *reader.error());
  const ProcessResult result =
      bind_process(environment ? *environment : environment_from(environ), mode, memory);
  return {{"done", result.done},
          {"cpus", text_or_null(result.cpus)},
          {"memory_nodes", text_or_null(result.memory_nodes)},
          {"ha_cpus", text_or_null(result.ha_cpus)},
          {"severity", severity_name(result.message.severity)},
          {"text", result.message.text}};
}

Json thp_process_document(const char* request_text) {
  RequestReader reader(request_text, {"mode"});
  const std::string word = reader.text("mode").value_or("task");
  const std::optional<HugePagesMode> mode = find_huge_pages_mode(word);
  if (!mode) reader.reject("'mode' must be task, system or off");
  if (reader.error()) return failure_document(FailureKind::usage, *reader.error());
  const Result<RootDirectory> root = RootDirectory::open("/");
  if (!root) return failure_document(FailureKind::failure, root.error().text);
  const Result<Message> message = set_huge_pages(*root, *mode);
  if (!message) {
    return {{"done", false}, {"severity", "warning"}, {"text", message.error().text}};
  }
  return {{"done", true}, {"severity", severity_name(message->severity)}, {"text", message->text}};
}

}  // namespace hyperacc::node

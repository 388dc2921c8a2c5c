#include "spank/node_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "spank/installation.hpp"
#include "spank/trusted_path.hpp"

namespace hyperacc::spank {

Result<const HyperaccNode*> load_node_library(const Policy& policy) {
  const Result<std::string> directory = library_directory(policy);
  if (!directory) return tl::unexpected(directory.error());
  const Result<std::string> path = trusted_path(*directory + "/libhyperacc_node.so");
  if (!path) return tl::unexpected(path.error());
  void* library = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(dlerror());
  using Entry = const HyperaccNode* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, HYPERACC_NODE_ENTRY));
  const HyperaccNode* node = entry == nullptr ? nullptr : entry();
  if (node != nullptr && node->abi == HYPERACC_NODE_ABI) return node;
  dlclose(library);
  return fail(fmt::format("{} is of another version of HyperAcc than {}", *path, own_path()));
}

const char* machine_of(const Policy& policy) {
  return policy.machine ? policy.machine->c_str() : nullptr;
}

std::optional<Message> message_of(const HyperaccNodeReport& report) {
  if (report.text[0] == '\0') return std::nullopt;
  switch (report.severity) {
    case HYPERACC_NODE_DEBUG:
      return Message{Severity::debug, report.text};
    case HYPERACC_NODE_INFO:
      return Message{Severity::info, report.text};
    case HYPERACC_NODE_WARNING:
      return Message{Severity::warning, report.text};
    default:
      return Message{Severity::error, report.text};
  }
}

}  // namespace hyperacc::spank

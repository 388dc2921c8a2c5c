#include "runtime/node/thp_record.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

namespace hyperacc::node {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFolder = "/sys/kernel/mm/transparent_hugepage/";

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// Root writes where the record says, so the record may not say more than this.
bool is_knob(std::string_view path) {
  return path.substr(0, kFolder.size()) == kFolder && path.find("..") == std::string_view::npos;
}

}  // namespace

std::string to_text(const ThpRecord& record) {
  Json changes = Json::array();
  for (const ThpChange& each : record.changes) {
    changes.push_back({{"path", each.path}, {"old", each.old}, {"ours", each.ours}});
  }
  const Json document = {
      {"boot_id", record.boot_id}, {"job", record.job}, {"changes", std::move(changes)}};
  return document.dump() + "\n";
}

Result<ThpRecord> parse_thp_record(const std::string& text) {
  const Json document = Json::parse(text, nullptr, false);
  const auto damaged = fail("the restore record of thp=system is damaged");
  if (!document.is_object()) return damaged;
  const auto job = document.find("job");
  const auto changes = document.find("changes");
  if (job == document.end() || !job->is_number_unsigned()) return damaged;
  if (changes == document.end() || !changes->is_array()) return damaged;
  ThpRecord record{text_of(document, "boot_id"), job->get<std::uint32_t>(), {}};
  for (const Json& each : *changes) {
    if (!each.is_object()) return damaged;
    ThpChange change{text_of(each, "path"), text_of(each, "old"), text_of(each, "ours")};
    if (!is_knob(change.path) || change.old.empty() || change.ours.empty()) return damaged;
    record.changes.push_back(std::move(change));
  }
  return record;
}

}  // namespace hyperacc::node

#include <utility>

#include "runtime/node/affinity.hpp"
#include "runtime/node/documents.hpp"
#include "runtime/node/huge_pages.hpp"
#include "runtime/node/live_job.hpp"
#include "runtime/node/memory_policy.hpp"
#include "runtime/node/read_topology.hpp"
#include "runtime/node/thp_knob.hpp"
#include "runtime/node/thp_store.hpp"

namespace hyperacc::node {
namespace {

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json record_json(const RootDirectory& root) {
  const Result<std::optional<ThpRecord>> record = read_thp_record(root);
  if (!record) return {{"error", record.error().text}};
  if (!*record) return nullptr;
  Json knobs = Json::array();
  for (const ThpChange& change : (*record)->changes) {
    knobs.push_back({{"path", change.path},
                     {"old", change.old},
                     {"ours", change.ours},
                     {"now", text_or_null(read_knob(root, change.path))}});
  }
  return {{"job", (*record)->job},
          {"live", is_live_job(root, (*record)->job)},
          {"knobs", std::move(knobs)}};
}

Json thp_json(const RootDirectory& root) {
  const std::uint64_t bytes = pmd_bytes(root);
  Json process = nullptr;
  if (const Result<ProcessHugePages> state = process_huge_pages(); state && root.is_live()) {
    process = name(*state);
  }
  return {{"enabled", text_or_null(read_knob(root, kThpEnabled))},
          {"pmd_bytes", bytes == 0 ? Json(nullptr) : Json(bytes)},
          {"pmd_enabled", text_or_null(read_knob(root, pmd_knob(root)))},
          {"process", std::move(process)},
          {"record", record_json(root)}};
}

}  // namespace

Json status_document(const char* request_text) {
  RequestReader reader(request_text, {"machine"});
  const std::string directory = reader.machine();
  if (reader.error()) return failure_document(FailureKind::usage, *reader.error());
  const Result<RootDirectory> root = RootDirectory::open(directory);
  if (!root) return failure_document(FailureKind::failure, root.error().text);
  const Result<Topology> topology = read_topology(*root);
  if (!topology) return failure_document(FailureKind::failure, topology.error().text);

  Json nodes = Json::array();
  for (const NumaNode& node : topology->nodes) {
    nodes.push_back(
        {{"id", node.id}, {"cpus", node.cpus.to_list()}, {"memory_bytes", node.memory}});
  }
  Json document = {{"cpus", topology->cpus.to_list()},
                   {"numa_nodes", std::move(nodes)},
                   {"mask", nullptr},
                   {"policy", nullptr},
                   {"policy_nodes", nullptr},
                   {"thp", thp_json(*root)}};
  if (!root->is_live()) return document;
  if (const Result<Bitmap> mask = get_affinity()) document["mask"] = mask->to_list();
  if (const Result<MemoryPolicy> policy = get_memory_policy()) {
    document["policy"] = name(*policy);
    document["policy_nodes"] = text_or_null(policy->nodes.to_list());
  }
  return document;
}

}  // namespace hyperacc::node

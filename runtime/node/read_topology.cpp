#include "runtime/node/read_topology.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <hwloc/distances.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/machine/numa_nodes.hpp"
#include "runtime/machine/pci_device.hpp"
#include "runtime/node/child_process.hpp"

namespace hyperacc::node {
namespace {

constexpr std::chrono::seconds kLimit{5};
constexpr std::size_t kLargestXml = std::size_t{32} * 1024 * 1024;
constexpr std::string_view kXml = "/topology.xml";

struct Destroy {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<hwloc_topology, Destroy>;

Result<Handle> new_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return fail("hwloc cannot start");
  Handle topology(raw);
  // Devices as PCI objects only: what is behind them (network names, GPU libraries) is not asked.
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_OS_DEVICE, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1ICACHE}) {
    hwloc_topology_set_type_filter(raw, type, HWLOC_TYPE_FILTER_KEEP_NONE);
  }
  for (const char* name : {"cuda", "nvml", "rsmi", "levelzero", "opencl", "gl"}) {
    hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, name);
  }
  unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
#if HWLOC_API_VERSION >= 0x00020800
  flags |= HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS;
#endif
  if (hwloc_topology_set_flags(raw, flags) != 0) return fail("hwloc refuses its flags");
  return topology;
}

std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> found;
  for (hwloc_obj_t each = hwloc_get_next_obj_by_type(topology, type, nullptr); each != nullptr;
       each = hwloc_get_next_obj_by_type(topology, type, each)) {
    found.push_back(each);
  }
  return found;
}

std::vector<Bitmap> cpusets(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<Bitmap> sets;
  for (const hwloc_obj_t each : objects(topology, type)) {
    sets.push_back(Bitmap::from_hwloc(each->cpuset));
  }
  return sets;
}

// hwloc gives a memory-only node the CPUs it is nearest to, so several nodes may claim a CPU. The
// kernel's own list says whose it is; a recorded machine without one leaves the node that firmware
// numbered first.
void settle_ownership(const RootDirectory& root, std::vector<NumaNode>& nodes) {
  const std::vector<hyperacc::NumaNode> told = hyperacc::numa_nodes(root);
  Bitmap owned;
  for (NumaNode& node : nodes) {
    const auto found = std::find_if(told.begin(), told.end(), [&](const hyperacc::NumaNode& each) {
      return each.id == node.id;
    });
    if (found != told.end()) {
      node.cpus &= Bitmap::of(found->cpus);
    } else {
      node.cpus -= owned;
    }
    owned |= node.cpus;
  }
}

std::vector<NumaNode> nodes_of(const RootDirectory& root, hwloc_topology_t topology) {
  std::vector<NumaNode> nodes;
  for (const hwloc_obj_t each : objects(topology, HWLOC_OBJ_NUMANODE)) {
    nodes.push_back(
        {each->os_index, Bitmap::from_hwloc(each->cpuset), each->attr->numanode.local_memory});
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const NumaNode& a, const NumaNode& b) { return a.id < b.id; });
  settle_ownership(root, nodes);
  return nodes;
}

std::vector<std::vector<std::uint32_t>> node_distances(hwloc_topology_t topology,
                                                       const std::vector<NumaNode>& nodes) {
  std::vector<std::vector<std::uint32_t>> result = plain_distances(nodes.size());
  unsigned count = 1;
  hwloc_distances_s* matrix = nullptr;
  const unsigned long kind = HWLOC_DISTANCES_KIND_FROM_OS | HWLOC_DISTANCES_KIND_MEANS_LATENCY;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &matrix, kind, 0) != 0 ||
      count == 0) {
    return result;
  }
  const auto position = [&nodes](hwloc_obj_t object) {
    return static_cast<std::size_t>(
        std::find_if(nodes.begin(), nodes.end(),
                     [&](const NumaNode& node) { return node.id == object->os_index; }) -
        nodes.begin());
  };
  for (unsigned i = 0; i < matrix->nbobjs; ++i) {
    for (unsigned j = 0; j < matrix->nbobjs; ++j) {
      result.at(position(matrix->objs[i])).at(position(matrix->objs[j])) =
          static_cast<std::uint32_t>(matrix->values[i * matrix->nbobjs + j]);
    }
  }
  hwloc_distances_release(topology, matrix);
  return result;
}

// Displays, 3D controllers, processors and processing accelerators.
bool may_compute(unsigned pci_class) {
  const unsigned base = pci_class >> 8;
  return base == 0x03 || base == 0x0b || base == 0x12;
}

std::map<std::string, Bitmap, std::less<>> near_pci(hwloc_topology_t topology,
                                                    const Bitmap& all_cpus) {
  std::map<std::string, Bitmap, std::less<>> near;
  for (const hwloc_obj_t each : objects(topology, HWLOC_OBJ_PCI_DEVICE)) {
    const auto& device = each->attr->pcidev;
    const hwloc_obj_t place = hwloc_get_non_io_ancestor_obj(topology, each);
    if (!may_compute(device.class_id) || place == nullptr) continue;
    Bitmap cpus = Bitmap::from_hwloc(place->cpuset);
    if (cpus.empty() || cpus.includes(all_cpus)) continue;
    near.emplace(pci_address(device.domain, device.bus, device.dev, device.func), std::move(cpus));
  }
  return near;
}

Result<Topology> convert(const RootDirectory& root, hwloc_topology_t source) {
  Topology topology;
  topology.cpus = Bitmap::from_hwloc(hwloc_topology_get_topology_cpuset(source));
  topology.nodes = nodes_of(root, source);
  topology.distances = node_distances(source, topology.nodes);
  topology.cores = cpusets(source, HWLOC_OBJ_CORE);
  // Some virtual machines tell of no cores.
  if (topology.cores.empty()) topology.cores = cpusets(source, HWLOC_OBJ_PU);
  topology.complexes = cpusets(source, HWLOC_OBJ_L3CACHE);
  topology.near_pci = near_pci(source, topology.cpus);
  if (topology.cpus.empty() || topology.nodes.empty()) {
    return fail("hwloc finds no CPU or no NUMA node");
  }
  return topology;
}

}  // namespace

Result<Topology> load_with_hwloc(const RootDirectory& root) {
  Result<Handle> topology = new_topology();
  if (!topology) return tl::unexpected<Error>(topology.error());
  std::string xml;
  if (!root.is_live()) {
    Result<std::string> text = root.read_file(kXml, kLargestXml);
    if (!text) return tl::unexpected<Error>(text.error());
    xml = *std::move(text);
    // hwloc wants the terminating zero counted.
    if (hwloc_topology_set_xmlbuffer(topology->get(), xml.c_str(),
                                     static_cast<int>(xml.size() + 1)) != 0) {
      return fail(fmt::format("{}{} is not hwloc's XML", root.directory(), kXml));
    }
  }
  if (hwloc_topology_load(topology->get()) != 0) {
    return fail(fmt::format("hwloc cannot read the machine: {}", std::strerror(errno)));
  }
  return convert(root, topology->get());
}

Result<Topology> read_topology(const RootDirectory& root) {
  // One letter tells a topology from an error.
  const Result<std::string> answer = answer_of_child(kLimit, [&root] {
    clearenv();
    // No folder: no plugin is loaded.
    setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 1);
    const Result<Topology> topology = load_with_hwloc(root);
    return topology ? "t" + topology_to_text(*topology) : "e" + topology.error().text;
  });
  if (!answer) return fail("reading the topology: " + answer.error().text);
  if (answer->empty())
    return fail("reading the topology: the helper process ended without an answer");
  if (answer->front() == 'e') return fail("reading the topology: " + answer->substr(1));
  return topology_from_text(answer->substr(1));
}

}  // namespace hyperacc::node

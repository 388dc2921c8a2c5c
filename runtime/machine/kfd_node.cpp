#include "runtime/machine/kfd_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "runtime/core/words.hpp"
#include "runtime/machine/number.hpp"
#include "runtime/machine/pci_device.hpp"

namespace hyperacc {
namespace {

constexpr std::string_view kNodes = "/sys/class/kfd/kfd/topology/nodes";

using Properties = std::map<std::string, std::uint64_t, std::less<>>;

// "simd_count 440" a line, in decimal.
Properties parse_properties(std::string_view text) {
  Properties properties;
  for (const std::string& line : split(text, '\n')) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const auto value = parse_number<std::uint64_t>(trim(std::string_view(line).substr(blank)));
    if (value) properties.emplace(line.substr(0, blank), *value);
  }
  return properties;
}

std::uint64_t value_of(const Properties& properties, std::string_view name) {
  const auto found = properties.find(name);
  return found == properties.end() ? 0 : found->second;
}

// With a device in several partitions (CPX, TPX) the kernel writes the partition's number into the
// function bits, which then name no PCI function.
std::string existing_address(const RootDirectory& root, const std::string& address) {
  const std::string function_0 = address.substr(0, address.size() - 1) + '0';
  return !has_pci_device(root, address) && has_pci_device(root, function_0) ? function_0 : address;
}

}  // namespace

std::string gfx_name(std::uint32_t target_version) {
  const std::uint32_t major = target_version / 10000;
  const std::uint32_t minor = target_version / 100 % 100;
  const std::uint32_t stepping = target_version % 100;
  if (major == 0 || minor > 15 || stepping > 15) return "";
  return fmt::format("gfx{}{:x}{:x}", major, minor, stepping);
}

std::optional<KfdNode> parse_kfd_properties(std::string_view properties_text) {
  const Properties properties = parse_properties(properties_text);
  KfdNode node;
  node.vendor = static_cast<std::uint32_t>(value_of(properties, "vendor_id"));
  if (value_of(properties, "simd_count") == 0) return std::nullopt;
  if (node.vendor != kVendorAmd && node.vendor != kVendorHygon) return std::nullopt;

  node.gfx = gfx_name(static_cast<std::uint32_t>(value_of(properties, "gfx_target_version")));
  const auto location = static_cast<std::uint32_t>(value_of(properties, "location_id"));
  node.address = pci_address(static_cast<std::uint32_t>(value_of(properties, "domain")),
                             location >> 8 & 0xff, location >> 3 & 0x1f, location & 0x7);
  node.render_minor = static_cast<std::uint32_t>(value_of(properties, "drm_render_minor"));
  node.unique_id = value_of(properties, "unique_id");
  return node;
}

std::vector<KfdNode> kfd_gpu_nodes(const RootDirectory& root) {
  std::vector<std::uint32_t> numbers;  // in numeric order: 10 comes after 2
  for (const std::string& name : root.names(kNodes)) {
    if (const auto number = parse_number<std::uint32_t>(name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());

  std::vector<KfdNode> nodes;
  for (const std::uint32_t number : numbers) {
    const std::string path = fmt::format("{}/{}", kNodes, number);
    const Result<std::string> properties = root.read_file(path + "/properties");
    if (!properties) continue;
    std::optional<KfdNode> node = parse_kfd_properties(*properties);
    if (!node) continue;
    node->path = path;
    node->address = existing_address(root, node->address);
    nodes.push_back(std::move(*node));
  }
  return nodes;
}

}  // namespace hyperacc

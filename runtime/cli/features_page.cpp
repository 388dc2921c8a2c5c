#include <fmt/format.h>

#include "runtime/cli/pages.hpp"
#include "runtime/cli/table.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc::cli {
namespace {

std::string description(const Json& feature) {
  const auto modes = feature.at("modes").get<std::vector<std::string>>();
  const auto summary = feature.at("summary").get<std::string>();
  if (modes.empty()) return summary;
  return fmt::format("{}; modes: {}", summary, join(modes, ", "));
}

}  // namespace

std::string features_page(const Json& document) {
  std::vector<std::vector<std::string>> rows = {
      {"FEATURE", "VARIABLE", "KIND", "PLATFORMS", "WHAT"}};
  for (const Json& feature : document.at("features")) {
    rows.push_back({feature.at("word"), feature.at("variable"), feature.at("kind"),
                    join(feature.at("platforms").get<std::vector<std::string>>(), ", "),
                    description(feature)});
  }
  return table(rows) + "\n" +
         paragraph("",
                   "Switch features on with --hyperacc=FEATURE,… on sbatch, srun and salloc, or "
                   "with VARIABLE=1 in the job. A hook replaces an operator inside the job; a "
                   "system feature acts on the process or the node.",
                   0);
}

}  // namespace hyperacc::cli

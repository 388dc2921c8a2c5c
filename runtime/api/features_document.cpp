#include "runtime/api/features_document.hpp"

#include "runtime/core/features.hpp"
#include "runtime/core/option.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc::api {
namespace {

Json platforms(const FeatureInfo& row) {
  if (row.kind == FeatureKind::system) return Json::array({"any"});
  Json names = Json::array();
  if (row.nvidia) names.push_back("nvidia");
  if (row.dcu) names.push_back("dcu");
  return names;
}

Json feature(const FeatureInfo& row) {
  return {{"name", row.name},
          {"word", normalize_word(row.name)},
          {"variable", row.variable},
          {"kind", row.kind == FeatureKind::hook ? "hook" : "system"},
          {"platforms", platforms(row)},
          {"mode_variable", row.mode_variable.empty() ? Json(nullptr) : Json(row.mode_variable)},
          {"modes", row.modes},
          {"summary", row.summary}};
}

}  // namespace

Json features_document() {
  Json features = Json::array();
  for (const FeatureInfo& row : feature_table()) features.push_back(feature(row));
  return {{"version", HYPERACC_VERSION},
          {"features", std::move(features)},
          {"option_words", option_words()}};
}

}  // namespace hyperacc::api

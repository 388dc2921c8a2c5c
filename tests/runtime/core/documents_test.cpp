// The one list of features and everything that repeats it for people: pages, folders and builds.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "runtime/core/features.hpp"
#include "runtime/core/option.hpp"
#include "runtime/core/policy.hpp"
#include "runtime/core/words.hpp"

using namespace hyperacc;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

// Tests run in tests/.
const fs::path kRoot = fs::current_path().parent_path();

// '\-' is how a man page writes '-'.
std::string read(const fs::path& path) {
  std::ifstream file(kRoot / path);
  REQUIRE(file);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t at = text.find("\\-"); at != std::string::npos; at = text.find("\\-", at)) {
    text.erase(at, 1);
  }
  return text;
}

std::set<std::string> names_in(const fs::path& folder, const std::string& suffix) {
  std::set<std::string> names;
  if (!fs::exists(kRoot / folder)) return names;
  for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= suffix.size() || name[0] == '_' || name[0] == '.') continue;
    if (name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) {
      names.insert(name.substr(0, name.size() - suffix.size()));
    }
  }
  return names;
}

std::set<std::string> operators() {
  const std::string text = read("cmake/Operators.cmake");
  const std::string start = "set(HYPERACC_OPERATORS";
  const std::size_t begin = text.find(start) + start.size();
  std::set<std::string> names;
  for (const std::string& word : split(text.substr(begin, text.find(')', begin) - begin), '\n')) {
    for (const std::string& name : split(trim(word), ' ')) {
      if (!name.empty()) names.insert(name);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("pages name every feature, and the README its platforms") {
  const std::string readme = read("README.md");
  for (const FeatureInfo& row : feature_table()) {
    const bool hook = row.kind == FeatureKind::hook;
    const std::string platforms = !hook ? "any"
                                        : std::string(row.nvidia ? "nvidia" : "") +
                                              (row.nvidia && row.dcu ? ", " : "") +
                                              (row.dcu ? "dcu" : "");
    CHECK_THAT(readme,
               Contains("| `" + normalize_word(row.name) + "` | " + (hook ? "hook" : "system") +
                        " | " + platforms + " | " + std::string(row.summary) + " |"));
    CHECK_THAT(read("doc/man/spank_hyperacc.8"), Contains(std::string(row.name)));
    CHECK_THAT(read("doc/man/hyperacc.1"), Contains(std::string(row.name)));
  }
}

TEST_CASE("the plugin's page and the shipped configuration name every key and word") {
  const std::string page = read("doc/man/spank_hyperacc.8");
  for (const std::string& word : option_words()) {
    // Features are in the test above.
    if (!find_feature(word) && word.rfind("no-", 0) != 0) CHECK_THAT(page, Contains(word));
  }
  for (const std::string& line : split(policy_help(), '\n')) {
    const std::string key(trim(line.substr(0, line.find('=') + 1)));
    if (key.empty()) continue;
    CHECK_THAT(page, Contains(".It Cm " + key.substr(0, key.size() - 1) + " Ns = "));
    CHECK_THAT(read("etc/plugstack.conf.d/hyperacc.conf"), Contains(key));
  }
}

TEST_CASE("the build list and the folders are the table's names") {
  for (const std::string& name : operators()) {
    INFO(name);
    const std::optional<Feature> feature = find_feature(name);
    REQUIRE(feature);
    CHECK(info(*feature).name == name);
    CHECK(info(*feature).kind == FeatureKind::hook);
  }
  const std::set<std::string> hooks = names_in("torch_ext/python/hyperacc/hooks", ".py");
  CHECK(hooks == operators());
}

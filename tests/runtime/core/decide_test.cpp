#include "runtime/core/decide.hpp"

#include <catch2/catch.hpp>

#include "runtime/core/variables.hpp"

using namespace hyperacc;

namespace {

Installation everything() {
  Installation installation;
  installation.built.fill(true);
  installation.cuda_library = installation.hip_library = installation.cpu_library = true;
  return installation;
}

std::string outcome(const Environment& environment, Platform platform, Feature feature,
                    const Installation& installation = everything()) {
  const Settings settings = read_variables(environment).settings;
  const Decision decision = decide(settings, platform, installation)[index(feature)];
  std::string text(name(decision.state));
  if (decision.reason) text += " " + std::string(name(*decision.reason));
  return text;
}

const Environment kAll = {{"HA_USE_ALL", "1"}};
const Environment kAnywhere = {{"HA_USE_ALL", "1"}, {"HA_ANY_PLATFORM", "1"}};

}  // namespace

TEST_CASE("a hook goes on where its platform fits") {
  CHECK(outcome(kAll, Platform::nvidia, Feature::voxel) == "on");
  CHECK(outcome(kAll, Platform::nvidia, Feature::rope) == "skipped platform");
  CHECK(outcome(kAll, Platform::dcu, Feature::rope) == "on");
  CHECK(outcome(kAll, Platform::dcu, Feature::voxel) == "skipped platform");
  CHECK(outcome(kAll, Platform::none, Feature::syncbn) == "skipped platform");
  CHECK(outcome(kAll, Platform::mixed, Feature::syncbn) == "skipped platform");
  CHECK(outcome(kAll, Platform::amd, Feature::syncbn) == "skipped platform");
  CHECK(outcome(kAll, Platform::cpu, Feature::rope) == "on");
  CHECK(outcome({}, Platform::nvidia, Feature::voxel) == "off");
}

TEST_CASE("any-platform lifts the column, but needs an accelerator") {
  CHECK(outcome(kAnywhere, Platform::nvidia, Feature::rope) == "on");
  CHECK(outcome(kAnywhere, Platform::amd, Feature::rope) == "on");
  CHECK(outcome(kAnywhere, Platform::none, Feature::rope) == "skipped platform");
  CHECK(outcome(kAnywhere, Platform::mixed, Feature::rope) == "skipped platform");
}

TEST_CASE("system features need no accelerator") {
  CHECK(outcome(kAll, Platform::none, Feature::gc) == "on");
  CHECK(outcome(kAll, Platform::none, Feature::thp) == "on");
}

TEST_CASE("what is not installed is skipped with that reason") {
  Installation installation = everything();
  installation.cuda_library = false;
  CHECK(outcome(kAll, Platform::nvidia, Feature::voxel, installation) == "skipped not_built");
  CHECK(outcome(kAnywhere, Platform::dcu, Feature::voxel, installation) == "on");
  installation.built[index(Feature::gc)] = false;
  CHECK(outcome(kAll, Platform::nvidia, Feature::gc, installation) == "skipped not_built");
}

TEST_CASE("a denied feature is skipped, whatever else fits") {
  const Environment denied = {
      {"HA_USE_ALL", "1"}, {"HA_DENY", "voxel"}, {"HA_SPANK_SET", "policy:HA_DENY=voxel"}};
  CHECK(outcome(denied, Platform::nvidia, Feature::voxel) == "skipped denied");
  CHECK(outcome(denied, Platform::nvidia, Feature::syncbn) == "on");
}

#include "runtime/core/variables.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc;
using Catch::Matchers::Contains;

namespace {

std::string on_of(const Environment& environment) {
  const Settings settings = read_variables(environment).settings;
  std::string names;
  for (const FeatureInfo& row : feature_table()) {
    if (settings[row.feature].on) names += std::string(row.name) + " ";
  }
  return names;
}

const std::string kHooks =
    "voxel deform_agg rasterizer syncbn dropout focal_loss deform_attn rmsnorm rope fast_gelu ";

}  // namespace

TEST_CASE("nothing set: nothing happens") {
  const Reading reading = read_variables({{"PATH", "/bin"}, {"HA_LOG_LEVEL", "DEBUG"}});
  CHECK_FALSE(reading.settings.asked);
  CHECK_FALSE(reading.settings.any_on());
  CHECK(reading.warnings.empty());
}

TEST_CASE("a feature beats ALL_HOOKS beats ALL") {
  CHECK(on_of({{"HA_USE_ALL", "1"}}) == kHooks + "gc numabind thp ");
  CHECK(on_of({{"HA_USE_ALL_HOOKS", "1"}}) == kHooks + "gc ");
  CHECK(on_of({{"HA_USE_ALL", "1"}, {"HA_USE_ALL_HOOKS", "0"}}) == "gc numabind thp ");
  CHECK(on_of({{"HA_USE_ALL", "0"}, {"HA_USE_ALL_HOOKS", "1"}}) == kHooks);
  CHECK(on_of({{"HA_USE_ALL", "0"}, {"HA_USE_ROPE", "1"}}) == "rope ");
  CHECK(on_of({{"HA_USE_ALL_HOOKS", "1"}, {"HA_USE_ROPE", "0"}, {"HA_USE_GC", "0"}}) ==
        "voxel deform_agg rasterizer syncbn dropout focal_loss deform_attn rmsnorm fast_gelu ");
}

TEST_CASE("gc goes with the hooks by default, and by name always") {
  CHECK(on_of({{"HA_USE_ROPE", "1"}}) == "rope gc ");
  CHECK(on_of({{"HA_USE_NUMABIND", "1"}, {"HA_USE_THP", "1"}}) == "numabind thp ");
  CHECK(on_of({{"HA_USE_GC", "1"}}) == "gc ");
  CHECK(on_of({{"HA_USE_ROPE", "1"}, {"HA_USE_GC", "no"}}) == "rope ");
  // The default mode variable acts only with the switch.
  CHECK(read_variables({{"HA_GC_MODE", "disable"}}).settings[Feature::gc].mode == std::nullopt);
  CHECK(read_variables({{"HA_USE_ROPE", "1"}, {"HA_GC_MODE", "disable"}})
            .settings[Feature::gc]
            .mode == "disable");
}

TEST_CASE("values in any spelling; anything else is one warning and unset") {
  for (const char* on : {"1", "true", "ON", "Yes"}) CHECK(on_of({{"HA_USE_GC", on}}) == "gc ");
  for (const char* off : {"0", "False", "off", "NO"}) {
    CHECK(on_of({{"HA_USE_ALL", "1"}, {"HA_USE_ALL_HOOKS", off}}) == "gc numabind thp ");
  }
  for (const char* bad : {"", "2", "enable", "\x1b"}) {
    const Reading reading = read_variables({{"HA_USE_ROPE", bad}, {"HA_USE_ALL", "0"}});
    CHECK_FALSE(reading.settings[Feature::rope].on);
    REQUIRE(reading.warnings.size() == 1);
    CHECK_THAT(reading.warnings[0], Contains("HA_USE_ROPE="));
  }
}

TEST_CASE("an unknown HA_USE_ name is one warning with the nearest name") {
  const Reading reading = read_variables({{"HA_USE_ROEP", "1"}, {"HA_USE_COMPILE", "1"}});
  REQUIRE(reading.warnings.size() == 2);
  CHECK_THAT(reading.warnings[0], Contains("HA_USE_COMPILE"));
  CHECK_THAT(reading.warnings[1], Contains("HA_USE_ROEP (did you mean 'HA_USE_ROPE'?)"));
}

TEST_CASE("modes and modifiers") {
  const Settings settings = read_variables({{"HA_USE_NUMABIND", "1"},
                                            {"HA_NUMABIND_MODE", "Core_Complex"},
                                            {"HA_NUMABIND_MEMORY", "BIND"},
                                            {"HA_USE_THP", "0"},
                                            {"HA_THP_MODE", "off"},
                                            {"HA_VERIFY", "5"},
                                            {"HA_REPORT", "yes"},
                                            {"HA_AUTO", "1"},
                                            {"HA_ANY_PLATFORM", "on"},
                                            {"HA_LOG_LEVEL", "warning"},
                                            {"HA_PLATFORM", "DCU"}})
                                .settings;
  CHECK(settings[Feature::numabind].mode == "core-complex");
  CHECK(settings[Feature::numabind].memory == "bind");
  // no-thp, HA_USE_THP=0: untouched, the mode is ignored.
  CHECK(settings[Feature::thp].mode == std::nullopt);
  CHECK(settings.verify.value == 5);
  CHECK(settings.report.value);
  CHECK(settings.auto_load.value);
  CHECK(settings.any_platform.value);
  CHECK(settings.log_level.value == LogLevel::warning);
  CHECK(settings.platform == Platform::dcu);
}

TEST_CASE("an unknown mode, count, level or platform is one warning and unset") {
  const Reading reading = read_variables({{"HA_USE_THP", "1"},
                                          {"HA_THP_MODE", "node"},
                                          {"HA_VERIFY", "many"},
                                          {"HA_LOG_LEVEL", "TRACE"},
                                          {"HA_PLATFORM", "mixed"}});
  CHECK(reading.warnings.size() == 4);
  CHECK(reading.settings[Feature::thp].on);
  CHECK(reading.settings[Feature::thp].mode == std::nullopt);
  CHECK(reading.settings.verify.value == 0);
  CHECK(reading.settings.platform == std::nullopt);
  CHECK(read_variables({{"HA_VERIFY", "on"}}).settings.verify.value == 3);
}

TEST_CASE("an unchanged default counts only where nothing else speaks") {
  const Environment defaults = {{"HA_USE_ALL", "1"},
                                {"HA_THP_MODE", "off"},
                                {"HA_SPANK_SET", "default:HA_USE_ALL=1;default:HA_THP_MODE=off"}};
  CHECK(on_of(defaults) == kHooks + "gc numabind thp ");
  CHECK(read_variables(defaults).settings[Feature::thp].mode == "off");
  CHECK(read_variables(defaults).settings[Feature::rope].source == Source::cluster_default);

  Environment script = defaults;
  script["HA_USE_ALL_HOOKS"] = "0";
  CHECK(on_of(script) == "gc numabind thp ");
  script["HA_USE_ALL"] = "0";  // changed: the user's now, it cancels the default
  CHECK(on_of(script) == "");

  // By name in the default, by master in the script: the script wins all the same.
  CHECK(on_of({{"HA_USE_ROPE", "1"},
               {"HA_USE_ALL", "0"},
               {"HA_SPANK_SET", "default:HA_USE_ROPE=1"}}) == "");
  // Had the option named it, the name would win.
  CHECK(on_of({{"HA_USE_ROPE", "1"},
               {"HA_USE_ALL", "0"},
               {"HA_SPANK_SET", "option:HA_USE_ROPE=1"}}) == "rope ");
}

TEST_CASE("the default's mode goes with the default's switch") {
  const Environment environment = {
      {"HA_USE_THP", "on"}, {"HA_THP_MODE", "off"}, {"HA_SPANK_SET", "default:HA_THP_MODE=off"}};
  CHECK(read_variables(environment).settings[Feature::thp].mode == std::nullopt);
}

TEST_CASE("another spelling of the plugin's value is the user's") {
  const std::string record = "default:HA_USE_ROPE=1";
  CHECK(read_variables({{"HA_USE_ROPE", "1"}, {"HA_SPANK_SET", record}})
            .settings[Feature::rope]
            .source == Source::cluster_default);
  CHECK(read_variables({{"HA_USE_ROPE", "on"}, {"HA_SPANK_SET", record}})
            .settings[Feature::rope]
            .source == Source::environment);
}

TEST_CASE("denied features stay off, and only asked ones are said to be denied") {
  const Settings settings =
      read_variables(
          {{"HA_USE_ALL_HOOKS", "1"},
           {"HA_USE_ROPE", "0"},
           {"HA_DENY", "rope,thp,gc,any-platform"},
           {"HA_ANY_PLATFORM", "1"},
           {"HA_SPANK_SET", "policy:HA_USE_ROPE=0;policy:HA_DENY=rope,thp,gc,any-platform"}})
          .settings;
  CHECK(settings[Feature::rope].denied);
  CHECK(settings[Feature::gc].denied);
  CHECK_FALSE(settings[Feature::gc].on);
  CHECK_FALSE(settings[Feature::thp].denied);
  CHECK_FALSE(settings.any_platform.value);
  // The user's own no is no denial.
  const std::string record = "policy:HA_DENY=rope";
  CHECK_FALSE(read_variables({{"HA_USE_ROPE", "0"}, {"HA_DENY", "rope"}, {"HA_SPANK_SET", record}})
                  .settings[Feature::rope]
                  .denied);
  // A denied hook does not bring gc.
  CHECK(on_of({{"HA_USE_ROPE", "1"}, {"HA_DENY", "rope"}, {"HA_SPANK_SET", record}}) == "");
  // An HA_DENY that the plugin did not write is not the cluster's word.
  CHECK(on_of({{"HA_USE_ROPE", "1"}, {"HA_DENY", "rope"}}) == "rope gc ");
}

TEST_CASE("a damaged record makes every variable the user's, with one warning") {
  const Reading reading = read_variables({{"HA_USE_ROPE", "1"}, {"HA_SPANK_SET", "default:x"}});
  CHECK(reading.settings[Feature::rope].source == Source::environment);
  REQUIRE(reading.warnings.size() == 1);
  CHECK_THAT(reading.warnings[0], Contains("HA_SPANK_SET"));
}

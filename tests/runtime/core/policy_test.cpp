#include "runtime/core/policy.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc;
using Catch::Matchers::Contains;

namespace {

std::string error_of(const std::vector<std::string>& arguments) {
  const Result<Policy> policy = parse_policy(arguments);
  return policy ? "no error" : policy.error().text;
}

}  // namespace

TEST_CASE("no arguments: nothing denied, nothing on") {
  const Policy policy = parse_policy({}).value();
  CHECK(policy.cluster_default.items.empty());
  for (const FeatureInfo& row : feature_table()) CHECK_FALSE(policy.denies(row.feature));
  CHECK_FALSE(policy.autoload);
  CHECK_FALSE(policy.thp_system);
  CHECK(policy.pythonpath == PythonPath::asked);
  CHECK(policy.log == PolicyLog::info);
}

TEST_CASE("every key") {
  const Policy policy =
      parse_policy({"default=hooks,thp", "allow=hooks,thp,gc", "deny=rope,any-platform",
                    "autoload=yes", "pythonpath=never", "prefix=/opt/hyperacc",
                    "thp_system=exclusive:big,huge", "log=debug"})
          .value();
  CHECK(to_text(policy.cluster_default) == "hooks,thp");
  CHECK(policy.denies(Feature::rope));
  CHECK(policy.denies(Feature::numabind));
  CHECK_FALSE(policy.denies(Feature::gc));
  CHECK_FALSE(policy.denies(Feature::syncbn));
  CHECK(policy.deny_any_platform);
  CHECK(policy.autoload);
  CHECK(policy.pythonpath == PythonPath::never);
  CHECK(policy.prefix == "/opt/hyperacc");
  CHECK(policy.thp_system);
  CHECK(policy.thp_system_partitions == std::vector<std::string>{"big", "huge"});
  CHECK(policy.log == PolicyLog::debug);
  CHECK(parse_policy({"thp_system=exclusive"}).value().thp_system);
  CHECK_FALSE(parse_policy({"thp_system=no"}).value().thp_system);
}

TEST_CASE("deny wins over allow") {
  const Policy policy = parse_policy({"allow=rope", "deny=rope"}).value();
  for (const FeatureInfo& row : feature_table()) CHECK(policy.denies(row.feature));
}

TEST_CASE("typos name the key or the nearest one") {
  CHECK_THAT(error_of({"defualt=all"}), Contains("'defualt'") && Contains("'default'"));
  CHECK_THAT(error_of({"\\"}), Contains("unknown key '\\'") && Contains("spank_hyperacc(8)"));
  CHECK_THAT(error_of({"default"}), Contains("'default' needs a value"));
  CHECK_THAT(error_of({"deny="}), Contains("'deny' needs a value"));
  CHECK_THAT(error_of({"deny=rop"}), Contains("'rop'") && Contains("'rope'"));
  CHECK_THAT(error_of({"log=debug", "log=info"}), Contains("'log' is given twice"));
  CHECK_THAT(error_of({"log=loud"}), Contains("error, info, debug"));
  CHECK_THAT(error_of({"autoload=maybe"}), Contains("yes or no"));
  CHECK_THAT(error_of({"prefix=opt"}), Contains("absolute"));
  CHECK_THAT(error_of({"prefix=/a:/b"}), Contains("':'"));
  CHECK_THAT(error_of({"thp_system=yes"}), Contains("exclusive"));
  CHECK_THAT(error_of({"thp_system=exclusive:"}), Contains("empty"));
  CHECK_THAT(error_of({"pythonpath=sometimes"}), Contains("asked, always, never"));
  CHECK_THAT(error_of({"allow=any-platform"}), Contains("deny=any-platform"));
  // Keys of test builds are unknown to the shipped plugin.
  CHECK_THAT(error_of({"machine=/m"}), Contains("unknown key 'machine'"));
  CHECK(parse_policy({"machine=/m", "fault=x"}, PolicyKeys::test).value().machine == "/m");
}

TEST_CASE("a default that nobody could cancel, or that is denied, is an error") {
  CHECK_THAT(error_of({"default=none"}), Contains("'none'"));
  CHECK_THAT(error_of({"default=help"}), Contains("'help'"));
  CHECK_THAT(error_of({"default=thp=system"}), Contains("thp=system"));
  CHECK_THAT(error_of({"default=rope", "deny=rope"}), Contains("'rope', which this line denies"));
  CHECK_THAT(error_of({"deny=hooks", "default=rope"}), Contains("denies"));
  CHECK_THAT(error_of({"default=any-platform,all", "deny=any-platform"}), Contains("denies"));
  CHECK(parse_policy({"default=all", "deny=rope"}));
  CHECK(parse_policy({"default=no-rope,all", "deny=rope"}));
}

TEST_CASE("the help names every key") {
  for (const char* key : {"default=", "allow=", "deny=", "autoload=", "pythonpath=", "prefix=",
                          "thp_system=", "log="}) {
    CHECK_THAT(policy_help(), Contains(key));
  }
  CHECK_THAT(policy_help(), !Contains("  fault="));
}

#include "runtime/core/plan.hpp"

#include <catch2/catch.hpp>

#include "runtime/core/variables.hpp"

using namespace hyperacc;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kPython = "/opt/hyperacc/lib/hyperacc/python";
const std::string kVariable(kOptionVariable);

struct Step {
  StepPlan plan;
  Environment environment;  // what the tasks get

  std::string operator[](const std::string& name) const {
    return lookup(environment, name).value_or("(unset)");
  }
  std::string messages() const {
    std::string text;
    for (const Message& message : plan.messages) text += message.text + "\n";
    return text;
  }
};

Step run(StepKind kind, std::optional<std::string> option, Environment environment,
         const std::vector<std::string>& policy = {}, std::string python = "") {
  StepRequest request{kind, std::move(option), std::move(environment), parse_policy(policy).value(),
                      std::move(python)};
  Step step{plan_step(request), {}};
  step.environment = request.environment;
  apply_patch(step.plan.patch, step.environment);
  return step;
}

// sbatch --hyperacc=OPTION as its batch step sees it: Slurm's variable is there as well.
Step batch(const std::string& option, Environment environment = {},
           const std::vector<std::string>& policy = {}) {
  environment[kVariable] = option;
  return run(StepKind::batch, option, std::move(environment), policy);
}

// srun without an option of its own: the callback comes with what the environment holds.
Step inner(const Environment& environment, const std::vector<std::string>& policy = {}) {
  return run(StepKind::normal, lookup(environment, kOptionVariable), environment, policy);
}

// srun with an option typed on it.
Step typed(const std::string& option, Environment environment,
           const std::vector<std::string>& policy = {}) {
  if (lookup(environment, kOptionVariable)) environment[std::string(kTypedMark)] = "1";
  return run(StepKind::normal, option, std::move(environment), policy);
}

}  // namespace

TEST_CASE("nothing asked: the environment is untouched") {
  const Environment environment = {{"PATH", "/bin"}, {"PYTHONPATH", "/a"}};
  const Step step = run(StepKind::normal, std::nullopt, environment, {}, kPython);
  CHECK(step.plan.patch.empty());
  CHECK_FALSE(step.plan.user_asked);
  CHECK(step.plan.messages.empty());
}

TEST_CASE("the extern step gets nothing, even with a default") {
  CHECK(run(StepKind::extern_step, "all", {{"A", "1"}}, {"default=all"}).plan.patch.empty());
}

TEST_CASE("the words as typed are written, and recorded") {
  const Step step = run(StepKind::normal, "syncbn,rope", {}, {}, kPython);
  CHECK(step.environment ==
        Environment{{"HA_USE_SYNCBN", "1"},
                    {"HA_USE_ROPE", "1"},
                    {"PYTHONPATH", kPython},
                    {kVariable, "syncbn,rope"},
                    {"HA_SPANK_SET", std::string("option:HA_USE_ROPE=1;option:HA_USE_SYNCBN=1;"
                                                 "option:PYTHONPATH=") +
                                         kPython}});
  CHECK(step.plan.settings[Feature::gc].on);
  CHECK(batch("all")["HA_USE_ALL"] == "1");
  CHECK(batch("all")["HA_USE_ROPE"] == "(unset)");
}

TEST_CASE("a batch step without a callback reads Slurm's variable") {
  const Step step = run(StepKind::batch, std::nullopt, {{kVariable, "rope"}});
  CHECK(step["HA_USE_ROPE"] == "1");
}

TEST_CASE("srun inside sbatch inherits, overrides and cancels") {
  const Environment job = batch("all").environment;
  const Step inherited = inner(job);
  CHECK(inherited["HA_USE_ALL"] == "1");
  CHECK(inherited.plan.settings[Feature::rope].source == Source::outer_option);

  const Step overridden = typed("rope", job);
  CHECK(overridden["HA_USE_ALL"] == "(unset)");
  CHECK(overridden["HA_USE_ROPE"] == "1");
  CHECK(overridden[kVariable] == "rope");
  CHECK(overridden[std::string(kTypedMark)] == "(unset)");

  const Step cancelled = typed("none", job);
  CHECK_FALSE(cancelled.plan.settings.any_on());
  CHECK(cancelled["HA_USE_ROPE"] == "0");
}

TEST_CASE("the same text typed again is the step's own") {
  // A user's export stands between own and outer option, so the two differ.
  Environment job = batch("rope").environment;
  job["HA_USE_ROPE"] = "0";
  CHECK_FALSE(inner(job).plan.settings[Feature::rope].on);
  const Step again = typed("rope", job);
  CHECK(again.plan.settings[Feature::rope].on);
  CHECK(again["HA_USE_ROPE"] == "1");
}

TEST_CASE("modifiers and no-FEATURE stand on top of the outer option") {
  const Environment job = batch("hooks,rope,verify").environment;
  const Step step = typed("no-rope,verify=9,report", job);
  CHECK(step[kVariable] == "hooks,no-rope,verify=9,report");
  CHECK(step["HA_USE_ALL_HOOKS"] == "1");
  CHECK(step["HA_USE_ROPE"] == "0");
  CHECK(step["HA_VERIFY"] == "9");
  CHECK(step["HA_REPORT"] == "1");
  CHECK(step.plan.settings[Feature::syncbn].on);
  // And a step nested in that one inherits the combination.
  CHECK(inner(step.environment)["HA_USE_ROPE"] == "0");
  CHECK(inner(step.environment)[kVariable] == step[kVariable]);
}

TEST_CASE("what the user exports beats the outer option, the own option beats the export") {
  Environment script = batch("rope,syncbn").environment;
  script["HA_USE_ROPE"] = "off";
  const Step step = inner(script);
  CHECK_FALSE(step.plan.settings[Feature::rope].on);
  CHECK(step["HA_USE_ROPE"] == "off");
  CHECK(step.plan.settings[Feature::syncbn].on);
  CHECK(typed("rope", script)["HA_USE_ROPE"] == "1");
}

TEST_CASE("an export of the very text that stands there stays ours") {
  Environment script = batch("rope").environment;
  script["HA_USE_ROPE"] = "1";
  CHECK_FALSE(typed("syncbn", script).plan.settings[Feature::rope].on);
  script["HA_USE_ROPE"] = "on";
  CHECK(typed("syncbn", script).plan.settings[Feature::rope].on);
}

TEST_CASE("a stale variable of the outer job does not outlive its option") {
  // goodfire-ai/spd#955: state of an outer job, inherited through sbatch, ruled the inner one.
  const Environment job = batch("rope,thp=off").environment;
  Environment submitted = job;
  submitted.erase(kVariable);  // the plugin unsets it in sbatch
  const Step nested = run(StepKind::batch, std::nullopt, submitted);
  CHECK(nested.environment == Environment{});
}

TEST_CASE("what had been replaced comes back where the outer option no longer counts") {
  const Environment login = {{"HA_USE_ROPE", "1"}, {"HA_THP_MODE", "task"}};
  const Environment job = batch("no-rope,thp=off", login).environment;
  CHECK(job.at("HA_USE_ROPE") == "0");
  CHECK(job.at("HA_THP_MODE") == "off");
  // The outer option still counts: the user's old 1 must not beat it.
  const Step inherited = inner(job);
  CHECK(inherited["HA_USE_ROPE"] == "0");
  CHECK(inherited["HA_THP_MODE"] == "off");
  // A step of its own starts from what the user had, two levels deep as well.
  const Step own = typed("syncbn", inherited.environment);
  CHECK(own["HA_USE_ROPE"] == "1");
  CHECK(own["HA_THP_MODE"] == "task");
}

TEST_CASE("what a nested step does not write again stays owed") {
  const Environment login = {{"HA_USE_ROPE", "1"}};
  Environment job = batch("no-rope,syncbn", login).environment;
  // On this node the word is unknown and falls out of the outer option.
  const std::string newer = "warp-drive,syncbn";
  job[kVariable] = newer;
  const Step inherited = inner(job);
  CHECK(inherited["HA_USE_ROPE"] == "(unset)");
  CHECK_THAT(inherited.messages(), Contains("'warp-drive'"));
  CHECK(inherited[kVariable] == "syncbn");
  CHECK(typed("none,syncbn", inherited.environment)["HA_USE_ROPE"] == "0");
  CHECK(typed("thp", inherited.environment)["HA_USE_ROPE"] == "1");
}

TEST_CASE("the cluster default counts only where the user says nothing") {
  const Step step = run(StepKind::normal, "no-rope", {}, {"default=rope,syncbn,thp=off"});
  CHECK(step["HA_USE_ROPE"] == "0");
  CHECK(step["HA_USE_SYNCBN"] == "1");
  CHECK(step["HA_THP_MODE"] == "off");
  CHECK(step.plan.settings[Feature::syncbn].source == Source::cluster_default);
  CHECK(run(StepKind::normal, "all", {}, {"default=thp=off"})["HA_THP_MODE"] == "(unset)");
  CHECK(run(StepKind::normal, "hooks", {}, {"default=thp=off"})["HA_THP_MODE"] == "off");
  CHECK(run(StepKind::normal, std::nullopt, {{"HA_USE_ALL", "0"}}, {"default=all"}).environment ==
        Environment{{"HA_USE_ALL", "0"}});
  const Step quiet = run(StepKind::normal, std::nullopt, {}, {"default=all"});
  CHECK(quiet["HA_USE_ALL"] == "1");
  CHECK_FALSE(quiet.plan.user_asked);
}

TEST_CASE("a script cancels the default for itself and for an inner srun alike") {
  const std::vector<std::string> policy = {"default=rope,thp"};
  Environment script = run(StepKind::batch, std::nullopt, {}, policy).environment;
  CHECK(read_variables(script).settings[Feature::rope].on);
  script["HA_USE_ALL"] = "0";
  CHECK_FALSE(read_variables(script).settings.any_on());
  CHECK_FALSE(inner(script, policy).plan.settings.any_on());
}

TEST_CASE("allow and deny are applied last, by an explicit 0 and HA_DENY") {
  const std::vector<std::string> policy = {"deny=rope,thp"};
  const Step named = run(StepKind::normal, "rope,syncbn", {}, policy);
  CHECK(named["HA_USE_ROPE"] == "0");
  CHECK(named["HA_USE_SYNCBN"] == "1");
  CHECK(named["HA_DENY"] == "rope,thp");
  CHECK(named.messages() == "rope is denied by this cluster's policy: the job runs without it\n");
  CHECK(named.plan.settings[Feature::rope].denied);

  const Step through_all = run(StepKind::normal, "all", {}, policy);
  CHECK(through_all.messages().empty());
  CHECK(through_all["HA_USE_ALL"] == "1");
  CHECK(through_all["HA_USE_ROPE"] == "0");
  CHECK(through_all["HA_USE_THP"] == "0");
  CHECK(through_all["GLIBC_TUNABLES"] == "(unset)");

  const Step exported = run(StepKind::normal, std::nullopt, {{"HA_USE_ROPE", "yes"}}, policy);
  CHECK(exported["HA_USE_ROPE"] == "0");
  CHECK_THAT(exported.messages(), Contains("rope is denied"));
  // The user's own no stays the user's.
  CHECK(run(StepKind::normal, "all,no-rope", {}, policy)["HA_SPANK_SET"].find(
            "policy:HA_USE_ROPE") == std::string::npos);
  CHECK(run(StepKind::normal, std::nullopt, {{"PATH", "/bin"}}, policy).plan.patch.empty());
}

TEST_CASE("gc's own default is denied too") {
  const Step step = run(StepKind::normal, "rope", {}, {"deny=gc"});
  CHECK(step["HA_USE_GC"] == "0");
  CHECK(step.messages().empty());
  CHECK_FALSE(run(StepKind::normal, "rope", {}, {"deny=rope"}).plan.settings[Feature::gc].on);
}

TEST_CASE("any-platform can be denied") {
  const Step step = run(StepKind::normal, "all,any-platform", {}, {"deny=any-platform"});
  CHECK(step["HA_ANY_PLATFORM"] == "0");
  CHECK(step["HA_DENY"] == "any-platform");
  CHECK_THAT(step.messages(), Contains("any-platform is denied"));
  CHECK_FALSE(read_variables(step.environment).settings.any_platform.value);
}

TEST_CASE("autoload sets HA_AUTO in every step with a feature on") {
  const std::vector<std::string> policy = {"autoload=yes"};
  CHECK(run(StepKind::normal, "rope", {}, policy)["HA_AUTO"] == "1");
  CHECK(run(StepKind::normal, "none", {}, policy)["HA_AUTO"] == "(unset)");
  CHECK(run(StepKind::normal, std::nullopt, {}, policy).plan.patch.empty());
  CHECK(run(StepKind::normal, "rope", {{"HA_AUTO", "0"}}, policy)["HA_AUTO"] == "0");
}

TEST_CASE("PYTHONPATH gets the runtime's folder last, once, without an empty component") {
  const auto path = [](std::optional<std::string> option, Environment environment,
                       const std::vector<std::string>& policy) {
    return run(StepKind::normal, std::move(option), std::move(environment), policy,
               kPython)["PYTHONPATH"];
  };
  const std::string python(kPython);
  CHECK(path("none", {}, {}) == python);
  CHECK(path("rope", {{"PYTHONPATH", "/a:/b"}}, {}) == "/a:/b:" + python);
  CHECK(path("rope", {{"PYTHONPATH", ""}}, {}) == python);
  CHECK(path("rope", {{"PYTHONPATH", python + ":/a"}}, {}) == python + ":/a");
  CHECK(path(std::nullopt, {}, {}) == "(unset)");
  CHECK(path("help", {{kVariable, "help"}}, {}) == "(unset)");
  CHECK(path(std::nullopt, {{"HA_USE_ROPE", "1"}}, {}) == python);
  CHECK(path(std::nullopt, {}, {"default=rope"}) == python);
  CHECK(path(std::nullopt, {}, {"pythonpath=always"}) == python);
  CHECK(path("all", {}, {"pythonpath=never"}) == "(unset)");
}

TEST_CASE("thp puts its part before exec, and keeps what the user has") {
  const Step step = run(StepKind::normal, "thp", {{"GLIBC_TUNABLES", "glibc.malloc.check=3"}});
  CHECK(step["GLIBC_TUNABLES"] == "glibc.malloc.check=3:glibc.malloc.hugetlb=1");
  CHECK(step["THP_MEM_ALLOC_ENABLE"] == "1");
  const Step own =
      run(StepKind::normal, "thp",
          {{"GLIBC_TUNABLES", "glibc.malloc.hugetlb=2"}, {"THP_MEM_ALLOC_ENABLE", "0"}});
  CHECK(own["GLIBC_TUNABLES"] == "glibc.malloc.hugetlb=2");
  CHECK(own["THP_MEM_ALLOC_ENABLE"] == "0");
  CHECK(run(StepKind::normal, "thp=off", {})["GLIBC_TUNABLES"] == "(unset)");
  CHECK(run(StepKind::normal, "no-thp", {})["GLIBC_TUNABLES"] == "(unset)");
}

TEST_CASE("thp=system without the admin's word acts as task, and says so") {
  CHECK_THAT(run(StepKind::normal, "thp=system", {}).messages(), Contains("acts as thp=task"));
  CHECK(run(StepKind::normal, "thp=system", {}, {"thp_system=exclusive"}).messages().empty());
}

TEST_CASE("on a node a bad value costs words, never the job") {
  const Step step = run(StepKind::normal, "rope,warp-drive,help", {});
  CHECK(step["HA_USE_ROPE"] == "1");
  CHECK(step[kVariable] == "rope");
  CHECK_THAT(step.messages(), Contains("--hyperacc: ignored: unknown word 'warp-drive'"));
  const Step garbage = run(StepKind::normal, "garbage", {});
  CHECK(garbage.environment == Environment{});
  CHECK(garbage.plan.user_asked);
}

TEST_CASE("a bad variable of the user's is said once and replaced by the job's option") {
  const Step step = run(StepKind::normal, "rope", {{"HA_USE_ROPE", "banana"}});
  CHECK(step["HA_USE_ROPE"] == "1");
  CHECK_THAT(step.messages(), Contains("HA_USE_ROPE=banana"));
  CHECK(step.plan.user_asked);
}

TEST_CASE("a damaged record is one warning and nothing is taken back") {
  const Step step = inner({{"HA_SPANK_SET", "default:PATH=/bin"}, {"PATH", "/bin"}});
  CHECK(step["PATH"] == "/bin");
  CHECK(step["HA_SPANK_SET"] == "(unset)");
  CHECK_THAT(step.messages(), Contains("HA_SPANK_SET is damaged"));
}

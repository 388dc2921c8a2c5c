// Properties over random combinations of the four sources: the step's option, the user's exports,
// the outer job's option and the cluster default, under a random policy.
#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <catch2/catch.hpp>

#include "runtime/core/plan.hpp"
#include "runtime/core/record.hpp"
#include "runtime/core/variables.hpp"
#include "runtime/core/words.hpp"

using namespace hyperacc;

namespace {

const std::string kVariable(kOptionVariable);
const std::string kMark(kTypedMark);

std::vector<std::string> item_texts() {
  std::vector<std::string> items = option_words();
  items.erase(std::remove(items.begin(), items.end(), "help"), items.end());
  for (const char* more : {"thp=task", "thp=off", "numabind=node", "numabind=exclusive+bind",
                           "gc=disable", "fast-gelu=sigmoid", "verify=7", "all", "hooks"}) {
    items.emplace_back(more);
  }
  return items;
}

// A valid option text, canonical.
rc::Gen<std::string> option_text() {
  const auto items = rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(item_texts())));
  return rc::gen::map(rc::gen::scale(0.06, items), [](const std::vector<std::string>& words) {
    return to_text(parse_option_leniently(join(words, ",")).option);
  });
}

rc::Gen<std::optional<std::string>> maybe_option() {
  return rc::gen::oneOf(rc::gen::just(std::optional<std::string>()),
                        rc::gen::map(option_text(), [](std::string text) {
                          return std::optional<std::string>(std::move(text));
                        }));
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names = {"HA_USE_ALL",  "HA_USE_ALL_HOOKS", "HA_NUMABIND_MEMORY",
                                    "HA_AUTO",     "HA_VERIFY",        "HA_REPORT",
                                    "HA_THP_MODE", "HA_GC_MODE",       "HA_NUMABIND_MODE",
                                    "PYTHONPATH",  "GLIBC_TUNABLES",   "THP_MEM_ALLOC_ENABLE",
                                    "HA_DENY",     "HA_USE_WARP",      "HA_ANY_PLATFORM"};
  for (const FeatureInfo& row : feature_table()) names.emplace_back(row.variable);
  return names;
}

rc::Gen<Environment> exports() {
  const auto value = rc::gen::element<std::string>("1", "0", "on", "OFF", "banana", "", "task",
                                                   "off", "node", "bind", "5", "/a:/b");
  return rc::gen::scale(
      0.08, rc::gen::container<Environment>(rc::gen::elementOf(variable_names()), value));
}

rc::Gen<Policy> policies() {
  const auto flags =
      rc::gen::container<std::vector<bool>>(kFeatureCount, rc::gen::arbitrary<bool>());
  return rc::gen::map(
      rc::gen::tuple(maybe_option(), flags, rc::gen::inRange(0, 8)),
      [](const std::tuple<std::optional<std::string>, std::vector<bool>, int>& drawn) {
        const auto& [text, denied, bits] = drawn;
        Policy policy;
        for (std::size_t i = 0; i < kFeatureCount; ++i) policy.denied[i] = denied[i] && bits > 3;
        policy.deny_any_platform = bits == 7;
        policy.autoload = bits % 2 == 1;
        // Only what the parser of the configuration would let pass.
        for (const OptionItem& item : parse_option_leniently(text.value_or("")).option.items) {
          const bool is_denied =
              item.kind == OptionItem::Kind::feature && policy.denies(item.feature);
          const bool is_any =
              item.kind == OptionItem::Kind::modifier && item.modifier == Modifier::any_platform;
          if (item.kind != OptionItem::Kind::none && !is_denied && !(is_any && bits == 7)) {
            policy.cluster_default.items.push_back(item);
          }
        }
        return policy;
      });
}

struct Step {
  StepPlan plan;
  Environment environment;
};

Step run(StepKind kind, const std::optional<std::string>& option, const Environment& environment,
         const Policy& policy) {
  Step step{plan_step({kind, option, environment, policy, "/p"}), environment};
  apply_patch(step.plan.patch, step.environment);
  return step;
}

Step batch(const std::optional<std::string>& option, Environment environment,
           const Policy& policy) {
  if (option) environment[kVariable] = *option;
  return run(StepKind::batch, option, environment, policy);
}

Step inner(const std::optional<std::string>& typed, Environment environment, const Policy& policy) {
  if (typed && environment.count(kVariable) != 0) environment[kMark] = "1";
  return run(StepKind::normal, typed ? typed : lookup(environment, kVariable), environment, policy);
}

// For a counterexample: rapidcheck cannot print these types itself.
std::string describe(const Policy& policy, const std::optional<std::string>& option,
                     const Step& step) {
  std::string text = "option " + option.value_or("-");
  text += ", default " + to_text(policy.cluster_default) + ", denied";
  for (const FeatureInfo& row : feature_table()) {
    if (policy.denies(row.feature)) text += " " + std::string(row.name);
  }
  for (const auto& [name, value] : step.environment) text += "\n  " + name + "=" + value;
  return text + "\n";
}

// The rule of the design, written down a second time and naively: per feature, look through the
// names by precedence and through the user's sources from the highest; then the default.
bool expected_on(Feature feature, const std::vector<Environment>& users,
                 const Environment& fallback, const Policy& policy) {
  if (policy.denies(feature)) return false;
  const FeatureInfo& row = info(feature);
  std::vector<std::string> names = {std::string(row.variable)};
  if (row.kind == FeatureKind::hook) names.emplace_back("HA_USE_ALL_HOOKS");
  names.emplace_back("HA_USE_ALL");
  for (const std::vector<Environment>& sources : {users, std::vector<Environment>{fallback}}) {
    for (const std::string& name : names) {
      for (const Environment& source : sources) {
        const auto found = source.find(name);
        if (found == source.end()) continue;
        if (const std::optional<bool> on = parse_switch(found->second)) return *on;
      }
    }
  }
  if (feature != Feature::gc) return false;
  for (const FeatureInfo& hook : feature_table()) {
    if (hook.kind == FeatureKind::hook && expected_on(hook.feature, users, fallback, policy)) {
      return true;
    }
  }
  return false;
}

Environment variables_of(const Option& option) {
  Environment environment;
  for (const Assignment& a : assignments(option)) environment[a.name] = a.value;
  return environment;
}

void check_expected(const Settings& settings, const std::vector<Environment>& users,
                    const Policy& policy) {
  const Environment fallback = variables_of(policy.cluster_default);
  for (const FeatureInfo& row : feature_table()) {
    RC_LOG() << row.name << "\n";
    RC_ASSERT(settings[row.feature].on == expected_on(row.feature, users, fallback, policy));
  }
}

}  // namespace

TEST_CASE("a batch step") {
  rc::prop("resolves by the rule, and its task resolves the same", [] {
    const auto option = *maybe_option();
    const Environment login = *exports();
    const Policy policy = *policies();
    const Step step = batch(option, login, policy);
    RC_LOG() << describe(policy, option, step);
    const Option own = option ? parse_option(*option).value() : Option{};
    check_expected(step.plan.settings, {variables_of(own), login}, policy);
    RC_ASSERT(same_values(read_variables(step.environment).settings, step.plan.settings));
  });

  rc::prop("taken back leaves the environment as found", [] {
    const Environment login = *exports();
    Step step = batch(*maybe_option(), login, *policies());
    for (int depth = *rc::gen::inRange(0, 3); depth > 0; --depth) {
      step = inner(*maybe_option(), step.environment, *policies());
    }
    Environment submitted = step.environment;
    submitted.erase(kVariable);  // as sbatch does inside a job
    Environment left = run(StepKind::batch, std::nullopt, submitted, Policy{}).environment;
    Environment untouched = run(StepKind::batch, std::nullopt, login, Policy{}).environment;
    RC_ASSERT(left == untouched);
  });
}

TEST_CASE("a step inside a job") {
  rc::prop("resolves by the rule, and its task resolves the same", [] {
    const auto outer_text = *option_text();
    const auto own_text = *maybe_option();
    const Environment login = *exports();
    const Environment script = *exports();
    const Policy policy = *policies();

    Environment environment = batch(outer_text, login, policy).environment;
    const Environment before = environment;
    for (const auto& [name, value] : script) environment[name] = value;
    const Step step = inner(own_text, environment, policy);
    RC_LOG() << "outer " << outer_text << " " << describe(policy, own_text, step);
    RC_ASSERT(same_values(read_variables(step.environment).settings, step.plan.settings));

    // The user's: what is not, or no longer, the plugin's text.
    const Option outer = parse_option(outer_text).value();
    const Option own = own_text ? parse_option(*own_text).value() : Option{};
    const bool outer_counts = !own_text || own.is_refinement();
    Environment user = environment;
    const Record record = parse_record(lookup(before, kRecord).value_or("")).value();
    for (const RecordEntry& entry : record) {
      if (is_list_variable(entry.name) || lookup(environment, entry.name) != entry.value) continue;
      user.erase(entry.name);
      if (!outer_counts && entry.replaced) user[entry.name] = *entry.replaced;
    }
    std::vector<Environment> users = {variables_of(own), user};
    if (outer_counts) {
      Option rest;
      for (const OptionItem& item : refine(outer, own).items) {
        const auto& items = own.items;
        if (std::find(items.begin(), items.end(), item) == items.end()) rest.items.push_back(item);
      }
      users.push_back(variables_of(rest));
    }
    check_expected(step.plan.settings, users, policy);
  });

  rc::prop("without a word of its own resolves as the job does", [] {
    const Policy policy = *policies();
    const Step job = batch(*option_text(), *exports(), policy);
    const Step step = inner(std::nullopt, job.environment, policy);
    RC_LOG() << describe(policy, std::nullopt, job) << describe(policy, std::nullopt, step);
    for (const FeatureInfo& row : feature_table()) {
      RC_ASSERT(step.plan.settings[row.feature].on == job.plan.settings[row.feature].on);
      RC_ASSERT(step.plan.settings[row.feature].mode == job.plan.settings[row.feature].mode);
    }
    RC_ASSERT(step.environment == job.environment);
  });
}

TEST_CASE("texts") {
  rc::prop("an option survives its text", [] {
    const std::string text = *option_text();
    RC_ASSERT(to_text(parse_option(text).value()) == text);
  });
  rc::prop("a record survives its text", [] {
    Record record;
    for (const std::string& name : *rc::gen::unique<std::vector<std::string>>(
             rc::gen::element<std::string>("HA_USE_ROPE", "HA_DENY", "PYTHONPATH", "HA_VERIFY"))) {
      const auto text = rc::gen::map(rc::gen::string<std::string>(), [](std::string drawn) {
        drawn.erase(std::remove(drawn.begin(), drawn.end(), '\0'), drawn.end());
        return drawn;
      });
      RecordEntry entry{
          *rc::gen::element(Source::option, Source::cluster_default, Source::policy), name,
          *rc::gen::maybe(text) ? std::optional<std::string>(*text) : std::nullopt, std::nullopt};
      if (*rc::gen::arbitrary<bool>()) entry.replaced = *text;
      record.push_back(entry);
    }
    RC_ASSERT(parse_record(to_text(record)).value() == record);
  });
}

#include "runtime/core/option.hpp"

#include <catch2/catch.hpp>

#include "runtime/core/words.hpp"

using namespace hyperacc;
using Catch::Matchers::Contains;

namespace {

std::string canonical(std::string_view text) {
  const Result<Option> option = parse_option(text);
  return option ? to_text(*option) : "error: " + option.error().text;
}

std::string error_of(std::string_view text) {
  const Result<Option> option = parse_option(text);
  return option ? "no error" : option.error().text;
}

std::string assigned(std::string_view text) {
  std::vector<std::string> lines;
  for (const Assignment& assignment : assignments(parse_option(text).value())) {
    lines.push_back(assignment.name + "=" + assignment.value);
  }
  return join(lines, " ");
}

}  // namespace

TEST_CASE("case, dashes, blanks and repetition do not matter") {
  CHECK(canonical("All") == "all");
  CHECK(canonical("ROPE, Deform_Attn ,rope") == "rope,deform-attn");
  CHECK(canonical("NO_ROPE,hooks") == "no-rope,hooks");
  CHECK(canonical("numabind=Core_Complex+Bind") == "numabind=core-complex+bind");
  CHECK(canonical("verify=007") == "verify=7");
  CHECK(canonical("gc=reduce-frequency") == "gc=reduce_frequency");
  CHECK(canonical("none,rope") == "none,rope");
  CHECK(canonical("thp,thp=task") == "thp,thp=task");
}

TEST_CASE("an error names the word and its nearest match") {
  CHECK_THAT(error_of("rop"), Contains("unknown word 'rop'") && Contains("did you mean 'rope'?"));
  CHECK_THAT(error_of("rope,synbcn"), Contains("'synbcn'") && Contains("'syncbn'"));
  CHECK_THAT(error_of("no-rop"), Contains("'no-rop'") && Contains("'no-rope'"));
  CHECK_THAT(error_of("no-all"), Contains("unknown word 'no-all'"));
  CHECK_THAT(error_of("no-auto"), Contains("unknown word 'no-auto'"));
  CHECK_THAT(error_of("thp=sytem"), Contains("'sytem' of thp") && Contains("'system'"));
  CHECK_THAT(error_of("numabind=node+bnid"), Contains("'bnid'") && Contains("'bind'"));
  CHECK_THAT(error_of("numabind=+bind"), Contains("unknown mode ''"));
  CHECK_THAT(error_of("thp=task+bind"), Contains("'task+bind'"));
  CHECK_THAT(error_of("rope=fast"), Contains("'rope' has no modes"));
  CHECK_THAT(error_of("all=1"), Contains("'all' takes no value"));
  CHECK_THAT(error_of("no-thp=task"), Contains("'no-thp' takes no mode"));
  CHECK_THAT(error_of("report=yes"), Contains("'report' takes no value"));
  CHECK_THAT(error_of("verify=0"), Contains("'verify=0'"));
  CHECK_THAT(error_of("verify=-1"), Contains("'verify=-1'"));
  CHECK_THAT(error_of("verify=99999999999999999999"), Contains("1 to 1000000"));
  CHECK_THAT(error_of("\x1b[2Jrope"), Contains("'?[2Jrope'"));
}

TEST_CASE("an empty item or value is an error") {
  for (const char* text : {"", " ", ",", "rope,", ",rope", "rope,,syncbn"}) {
    CHECK_THAT(error_of(text), Contains("empty"));
  }
}

TEST_CASE("contradictions are errors that name both words") {
  CHECK_THAT(error_of("rope,no-rope"), Contains("'rope' and 'no-rope' contradict"));
  CHECK_THAT(error_of("no-thp,thp=off"), Contains("'no-thp' and 'thp=off'"));
  CHECK_THAT(error_of("none,all"), Contains("'none' and 'all'"));
  CHECK_THAT(error_of("all,none"), Contains("contradict"));
  CHECK_THAT(error_of("thp=task,thp=off"), Contains("two modes"));
  CHECK_THAT(error_of("numabind=node,numabind=node+bind"), Contains("two memory policies"));
  CHECK_THAT(error_of("verify,verify=5"), Contains("two counts"));
  CHECK(canonical("verify,verify=3") == "verify,verify=3");
}

TEST_CASE("words stand for variables as typed") {
  CHECK(assigned("all") == "HA_USE_ALL=1");
  CHECK(assigned("hooks,no-rope") == "HA_USE_ALL_HOOKS=1 HA_USE_ROPE=0");
  CHECK(assigned("syncbn,rope") == "HA_USE_SYNCBN=1 HA_USE_ROPE=1");
  CHECK(assigned("numabind=node+bind") ==
        "HA_USE_NUMABIND=1 HA_NUMABIND_MODE=node HA_NUMABIND_MEMORY=bind");
  CHECK(assigned("thp=off,verify,report,auto,any-platform,verbose") ==
        "HA_USE_THP=1 HA_THP_MODE=off HA_VERIFY=3 HA_REPORT=1 HA_AUTO=1 HA_ANY_PLATFORM=1 "
        "HA_LOG_LEVEL=DEBUG");
  CHECK(assigned("verify=9") == "HA_VERIFY=9");
}

TEST_CASE("none says off for every feature by name, words beside it replace that") {
  CHECK(assigned("none") ==
        "HA_USE_VOXEL=0 HA_USE_DEFORM_AGG=0 HA_USE_RASTERIZER=0 HA_USE_SYNCBN=0 HA_USE_DROPOUT=0 "
        "HA_USE_FOCAL_LOSS=0 HA_USE_DEFORM_ATTN=0 HA_USE_RMSNORM=0 HA_USE_ROPE=0 "
        "HA_USE_FAST_GELU=0 HA_USE_GC=0 HA_USE_NUMABIND=0 HA_USE_THP=0");
  CHECK_THAT(assigned("none,rope"), Contains("HA_USE_ROPE=1") && Contains("HA_USE_GC=0"));
  CHECK_THAT(assigned("rope,none"), Contains("HA_USE_ROPE=1") && !Contains("HA_USE_ROPE=0"));
  CHECK_THAT(assigned("none,hooks"), Contains("HA_USE_VOXEL=1") && Contains("HA_USE_GC=0") &&
                                         !Contains("HA_USE_ALL_HOOKS"));
}

TEST_CASE("a value that was not typed here is read leniently") {
  const LenientOption read = parse_option_leniently("rope,warp-drive,help,no-rope,thp=off,,gc=x");
  CHECK(to_text(read.option) == "rope,thp=off");
  REQUIRE(read.warnings.size() == 5);
  CHECK_THAT(read.warnings[0], Contains("'warp-drive'"));
  CHECK_THAT(read.warnings[1], Contains("'help'"));
  CHECK_THAT(read.warnings[2], Contains("'no-rope'"));
  CHECK_THAT(read.warnings[3], Contains("empty"));
  CHECK_THAT(read.warnings[4], Contains("'x' of gc"));
}

TEST_CASE("a refinement stands on top of an outer option") {
  const auto refined = [](std::string_view outer, std::string_view own) {
    return to_text(refine(parse_option(outer).value(), parse_option(own).value()));
  };
  CHECK(parse_option("no-rope,verify").value().is_refinement());
  CHECK_FALSE(parse_option("no-rope,syncbn").value().is_refinement());
  CHECK_FALSE(parse_option("none").value().is_refinement());
  CHECK(refined("all", "no-rope") == "all,no-rope");
  CHECK(refined("rope,syncbn,verify", "no-rope,verify=5") == "syncbn,no-rope,verify=5");
  CHECK(refined("thp=off,all", "no-thp") == "all,no-thp");
  CHECK(refined("all,report", "report") == "all,report");
}

TEST_CASE("help shows every word") {
  const std::string page = option_help();
  for (const std::string& word : option_words()) {
    if (word.rfind("no-", 0) == 0) continue;
    CHECK_THAT(page, Contains(word));
  }
  for (const std::string& line : split(page, '\n')) CHECK(line.size() <= 100);
}

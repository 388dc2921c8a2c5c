#include "runtime/core/record.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc;

namespace {

bool always(const RecordEntry& /*entry*/) {
  return true;
}
bool never(const RecordEntry& /*entry*/) {
  return false;
}

}  // namespace

TEST_CASE("a record survives its text") {
  const Record record = {
      {Source::option, "HA_USE_ROPE", "1", std::nullopt},
      {Source::cluster_default, "HA_USE_ALL", "1", "we;ird:~%=\n\x01"},
      {Source::policy, "HA_DENY", "rope,thp", ""},
      {Source::option, "HA_USE_THP", std::nullopt, "1"},
      {Source::option, "PYTHONPATH", "/opt/hyper acc/python", std::nullopt},
  };
  const std::string text = to_text(record);
  CHECK(text.find("option:HA_USE_ROPE=1;default:HA_USE_ALL=1~we%3Bird") == 0);
  const Result<Record> read = parse_record(text);
  REQUIRE(read);
  CHECK(*read == record);
  CHECK(parse_record("").value().empty());
}

TEST_CASE("a damaged record is refused whole") {
  for (const char* text : {"x", "option:HA_USE_ROPE", "user:HA_USE_ROPE=1", "option:HA_USE_ROPE=%4",
                           "option:HA_USE_ROPE=%zz", "option:HA_USE_ROPE=%00", ";",
                           "option:HA_USE_ROPE!1", "option:HA_USE_ROPE=1;option:HA_USE_ROPE=0",
                           // Names that the plugin never sets: nobody may unset PATH through us.
                           "option:PATH=/bin", "option:=1", "option:HA_USE_WARP=1"}) {
    INFO(text);
    CHECK_FALSE(parse_record(text));
  }
  std::vector<std::string> warnings;
  CHECK(record_of({{"HA_SPANK_SET", "garbage"}}, warnings).empty());
  CHECK(warnings.size() == 1);
}

TEST_CASE("only what is unchanged is taken back") {
  const Record record = parse_record(
                            "option:HA_USE_ROPE=1~0;option:HA_USE_THP=1;default:HA_USE_GC=0~on;"
                            "option:PYTHONPATH=/p;option:HA_AUTO!~1")
                            .value();
  const Environment found = {{"HA_USE_ROPE", "1"},    {"HA_USE_THP", "yes"}, {"HA_USE_GC", "0"},
                             {"PYTHONPATH", "/a:/p"}, {"OTHER", "x"},        {"HA_SPANK_SET", "…"}};
  SECTION("restoring") {
    Environment environment = found;
    CHECK(take_back(environment, record, always).empty());
    CHECK(environment == Environment{{"HA_USE_ROPE", "0"},
                                     {"HA_USE_THP", "yes"},
                                     {"HA_USE_GC", "on"},
                                     {"HA_AUTO", "1"},
                                     {"PYTHONPATH", "/a"},
                                     {"OTHER", "x"}});
  }
  SECTION("not yet") {
    Environment environment = found;
    const Record owed = take_back(environment, record, never);
    CHECK(environment == Environment{{"HA_USE_THP", "yes"}, {"PYTHONPATH", "/a"}, {"OTHER", "x"}});
    REQUIRE(owed.size() == 3);
    CHECK(owed[0].replaced == "0");
    CHECK(owed[2].name == "HA_AUTO");
  }
}

TEST_CASE("of a list only our own item goes") {
  Environment environment = {{"PYTHONPATH", "/p"},
                             {"GLIBC_TUNABLES", "a.b=2:glibc.malloc.hugetlb=1"}};
  const Record record =
      parse_record("option:PYTHONPATH=/p~;option:GLIBC_TUNABLES=glibc.malloc.hugetlb%3D1").value();
  take_back(environment, record, always);
  CHECK(environment == Environment{{"PYTHONPATH", ""}, {"GLIBC_TUNABLES", "a.b=2"}});
}

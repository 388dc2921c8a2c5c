#include "runtime/node/thp_record.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc::node;

namespace {

const ThpRecord kRecord = {
    "boot-1",
    4294967294U,
    {{"/sys/kernel/mm/transparent_hugepage/enabled", "madvise", "always"},
     {"/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled", "never", "always"}}};

}  // namespace

TEST_CASE("a record is read as it was written") {
  CHECK(parse_thp_record(to_text(kRecord)) == kRecord);
}

TEST_CASE("every shortened record is refused") {
  const std::string text = to_text(kRecord);
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    CHECK_FALSE(parse_thp_record(text.substr(0, length)));
  }
}

TEST_CASE("a record that would make root write elsewhere is refused") {
  for (const char* path : {"/etc/passwd", "/sys/kernel/mm/transparent_hugepage/../../../../etc/x",
                           "/sys/kernel/mm/transparent_hugepage", ""}) {
    INFO(path);
    ThpRecord record = kRecord;
    record.changes[1].path = path;
    CHECK_FALSE(parse_thp_record(to_text(record)));
  }
}

TEST_CASE("members of the wrong kind are refused") {
  for (const char* text :
       {R"([])", R"({"job": "1", "changes": []})", R"({"job": 1})", R"({"job": 1, "changes": {}})",
        R"({"job": 1, "changes": [1]})", R"({"job": -1, "changes": []})"}) {
    INFO(text);
    CHECK_FALSE(parse_thp_record(text));
  }
}

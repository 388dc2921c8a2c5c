#include "runtime/node/bitmap.hpp"

#include <catch2/catch.hpp>

using hyperacc::node::Bitmap;

TEST_CASE("a list is read and written as the kernel writes it") {
  CHECK(Bitmap::parse_list("0-7,64-71\n")->to_list() == "0-7,64-71");
  CHECK(Bitmap::parse_list("3")->members() == std::vector<unsigned>{3});
  CHECK(Bitmap::parse_list("")->empty());
  // Beyond glibc's cpu_set_t.
  CHECK(Bitmap::parse_list("1023-1025")->to_list() == "1023-1025");
}

TEST_CASE("what is no list is refused, with its text") {
  for (const char* text : {"x", "3-", "-3", "5-4", "0-65536", "1,,2", "0x3", "4294967296"}) {
    INFO(text);
    const auto list = Bitmap::parse_list(text);
    REQUIRE_FALSE(list);
    CHECK(list.error().text.find(text) != std::string::npos);
  }
}

TEST_CASE("a mask is read as Slurm writes it") {
  CHECK(Bitmap::parse_mask("0xff00")->to_list() == "8-15");
  CHECK(Bitmap::parse_mask("0x00000000000000010000000000000000")->to_list() == "64");
  CHECK(Bitmap::parse_mask("fe000000000000")->to_list() == "49-55");
  CHECK(Bitmap::parse_mask("0x0")->empty());
  for (const char* text : {"", "0x", "0xg", "0x1,0x2", "-1", "0x1 "}) {
    INFO(text);
    CHECK_FALSE(Bitmap::parse_mask(text));
  }
}

TEST_CASE("sets") {
  const Bitmap a{1, 2, 3, 200};
  const Bitmap b{3, 4};
  CHECK((a & b) == Bitmap{3});
  CHECK((a | b) == Bitmap{1, 2, 3, 4, 200});
  CHECK((a - b) == Bitmap{1, 2, 200});
  CHECK(a.intersects(b));
  CHECK_FALSE(a.includes(b));
  CHECK(a.includes(Bitmap{}));
  CHECK(a.count() == 4);
  CHECK(a.first() == 1);
  CHECK(a.last() == 200);
  Bitmap c = a;
  c.remove(200);
  c.add(7);
  CHECK(c.to_list() == "1-3,7");
  CHECK(a.contains(200));
}

TEST_CASE("words are those of a cpu_set_t") {
  const Bitmap set{0, 63, 64, 130};
  const std::vector<unsigned long> words = set.to_words();
  REQUIRE(words.size() == 3);
  CHECK(words[0] == 0x8000000000000001UL);
  CHECK(words[1] == 1UL);
  CHECK(words[2] == 4UL);
  CHECK(Bitmap::from_words(words) == set);
  CHECK(Bitmap{}.to_words().empty());
  CHECK(Bitmap::from_words({}).empty());
}

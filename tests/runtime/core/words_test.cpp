#include "runtime/core/words.hpp"

#include <catch2/catch.hpp>

using namespace hyperacc;

TEST_CASE("two spellings of a word are one") {
  CHECK(normalize_word("  Deform_Attn\t") == "deform-attn");
  CHECK(normalize_word("") == "");
}

TEST_CASE("split and join are inverse") {
  CHECK(split("a,,b,", ',') == std::vector<std::string>{"a", "", "b", ""});
  CHECK(split("", ',') == std::vector<std::string>{""});
  CHECK(join({"a", "", "b", ""}, ",") == "a,,b,");
  CHECK(join({}, ",").empty());
}

TEST_CASE("the nearest word is one that people may have meant") {
  const std::vector<std::string> words = {"all", "none", "rope", "rmsnorm", "syncbn"};
  CHECK(nearest_word("rop", words) == "rope");
  CHECK(nearest_word("ropes", words) == "rope");
  CHECK(nearest_word("synbcn", words) == "syncbn");  // swapped neighbours count once
  CHECK(nearest_word("RMS_norm", words) == "rmsnorm");
  CHECK(nearest_word("xyz", words).empty());
  CHECK(nearest_word("tensorboard", words).empty());
  CHECK(nearest_word("", words).empty());
  CHECK(nearest_word(std::string(5000, 'r'), words).empty());
  CHECK(suggestion("rop", words) == " (did you mean 'rope'?)");
  CHECK(suggestion("xyz", words).empty());
}

TEST_CASE("untrusted text is shown harmless and short") {
  CHECK(printable("a\x1b[31mb\n\xc3\xa9") == "a?[31mb???");
  CHECK(printable(std::string(100, 'x'), 5) == "xxxxx...");
}

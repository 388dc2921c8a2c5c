#include "runtime/cli/table.hpp"

#include <catch2/catch.hpp>

using hyperacc::cli::kPageWidth;
using hyperacc::cli::paragraph;
using hyperacc::cli::table;
using hyperacc::cli::wrap;

TEST_CASE("wrap breaks at blanks and never inside a word") {
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("one two three", 6) == std::vector<std::string>{"one", "two", "three"});
  CHECK(wrap("a longest-of-words b", 5) == std::vector<std::string>{"a", "longest-of-words", "b"});
  CHECK(wrap("  one   two ", 20) == std::vector<std::string>{"one two"});
  CHECK(wrap("", 20) == std::vector<std::string>{""});
}

TEST_CASE("paragraph puts the text beside its label") {
  CHECK(paragraph("Platform", "none", 11) == "Platform   none\n");
  CHECK(paragraph("Platform", "", 11) == "Platform\n");
  const std::string page = paragraph("L", std::string(60, 'a') + " " + std::string(60, 'b'), 4);
  CHECK(page == "L   " + std::string(60, 'a') + "\n    " + std::string(60, 'b') + "\n");
}

TEST_CASE("paragraph keeps a narrow column where the label takes the page") {
  const std::string label(kPageWidth, 'x');
  CHECK(paragraph(label, "twelve bytes and more", label.size()) ==
        label + "twelve bytes and\n" + std::string(kPageWidth, ' ') + "more\n");
}

TEST_CASE("table aligns its columns and wraps the last one") {
  CHECK(table({{"FEATURE", "STATE", "WHY"}, {"rope", "on", "HA_USE_ROPE=1"}, {"gc", "off", ""}}) ==
        "FEATURE  STATE  WHY\n"
        "rope     on     HA_USE_ROPE=1\n"
        "gc       off\n");
  std::string reason;
  for (int i = 0; i < 40; ++i) reason += "because ";
  const std::string page = table({{"A", "WHY"}, {"x", reason}});
  for (std::size_t start = 0; start < page.size(); start = page.find('\n', start) + 1) {
    CHECK(page.find('\n', start) - start <= kPageWidth);
  }
  CHECK(page.substr(page.find('\n') + 1, 10) == "x  because");
  CHECK(page.find("\n   because") != std::string::npos);
}

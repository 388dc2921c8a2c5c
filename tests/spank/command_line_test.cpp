#include "spank/command_line.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/spank/fixture.hpp"

using namespace hyperacc;
using namespace hyperacc::slurm_double;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::string find(const std::vector<std::string_view>& arguments) {
  return spank::find_option(arguments).value_or("(nothing)");
}

// fake_sbatch.cpp, started as `sbatch WORDS`.
Child sbatch(std::vector<std::string> words, const char* in_script = nullptr,
             const Environment& environment = {}) {
  return in_child([&] {
    setenv("PLUGIN", PLUGIN, 1);
    if (in_script != nullptr) setenv("SCRIPT_VALUE", in_script, 1);
    for (const auto& [name, text] : environment) setenv(name.c_str(), text.c_str(), 1);
    words.insert(words.begin(), "sbatch");
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(FAKE_SBATCH, pointers.data());
    _exit(98);
  });
}

}  // namespace

TEST_CASE("the option is found among sbatch's own arguments only", "[spank]") {
  CHECK(find({"sbatch", "--hyperacc=help"}) == "help");
  CHECK(find({"sbatch", "--hyperacc", "help"}) == "help");
  CHECK(find({"sbatch", "-n", "4", "-H", "--hyperacc=rope", "--hyperacc=help"}) == "help");
  CHECK(find({"sbatch", "-N2", "--time=5", "--hyperacc=help", "job.sh"}) == "help");
  CHECK(find({"sbatch", "--hyperacc="}) == "");
  // What may be the script ends the search: the rest may be the script's.
  CHECK(find({"sbatch", "job.sh", "--hyperacc=help"}) == "(nothing)");
  CHECK(find({"sbatch", "-H", "job.sh", "--hyperacc=help"}) == "(nothing)");
  CHECK(find({"sbatch", "--requeue", "job.sh", "--hyperacc=help"}) == "(nothing)");
  CHECK(find({"sbatch", "--", "--hyperacc=help"}) == "(nothing)");
  CHECK(find({"sbatch", "-", "--hyperacc=help"}) == "(nothing)");
  CHECK(find({"sbatch", "--hyperacc"}) == "(nothing)");
  CHECK(find({"sbatch", "-n"}) == "(nothing)");
  CHECK(find({"sbatch", "--hyperaccident=help"}) == "(nothing)");
  CHECK(find({"sbatch"}) == "(nothing)");
  CHECK(find({}) == "(nothing)");
}

TEST_CASE("sbatch prints the help page and submits nothing", "[spank]") {
  SECTION("without a script, before it waits for one") {
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"--hyperacc=help"}, {"-n", "4", "--hyperacc", "help"}, {"--hyperacc=rope,help"}}) {
      const Child child = sbatch(words);
      CHECK(child.code == 0);
      CHECK_THAT(child.output, StartsWith("--hyperacc=ITEM"));
    }
    CHECK(sbatch({"--hyperacc=rope"}).code == 3);
    CHECK(sbatch({}).code == 3);
  }
  SECTION("with a script") {
    const Child child = sbatch({"--hold", "--hyperacc=help", "job.sh"});
    CHECK(child.code == 0);
    CHECK_THAT(child.output, StartsWith("--hyperacc=ITEM"));
    // A word whose role only sbatch knows comes first.
    CHECK_THAT(sbatch({"--ntasks", "4", "--hyperacc=help", "job.sh"}).output,
               StartsWith("--hyperacc=ITEM"));
  }
  SECTION("not for an argument of the script") {
    const Child child = sbatch({"job.sh", "--hyperacc=help"});
    CHECK(child.code == 0);
    CHECK(child.output == "submitted\n");
  }
}

TEST_CASE("help in a script is an error: it would submit nothing", "[spank]") {
  const Child child = sbatch({"job.sh"}, "help");
  CHECK(child.code == 255);
  CHECK_THAT(child.output, Contains("--hyperacc=help: 'help' in a script would submit nothing: "
                                    "type sbatch --hyperacc=help"));
  // Also where the command line holds the same text for the script itself.
  CHECK(sbatch({"job.sh", "--hyperacc=help"}, "help").code == 255);
  CHECK(sbatch({"--hyperacc=rope", "job.sh"}, "rope").output == "submitted\n");
}

TEST_CASE("a value typed on the command line is never an inherited one", "[spank]") {
  // The user's own default outside of a job, and the same bad text typed.
  const Environment own = {{kOptionName, "bogus"}};
  CHECK(sbatch({"--hyperacc=bogus", "job.sh"}, nullptr, own).code == 255);
}

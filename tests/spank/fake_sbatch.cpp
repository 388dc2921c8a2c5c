// sbatch as far as the plugin can tell: `fake_sbatch PLUGIN SCRIPT_VALUE -- …` is started under the
// name sbatch, so that the plugin finds sbatch's own arguments in argv. Reads the script, whose
// #SBATCH line holds SCRIPT_VALUE in the environment, before any option is processed.
#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/spank/slurm_double.hpp"

using hyperacc::slurm_double::Process;

int main(int argc, char** argv) {
  const char* plugin = std::getenv("PLUGIN");
  if (plugin == nullptr) return 2;
  Process process(S_CTX_ALLOCATOR, {{plugin, {}}});
  process.call("init");

  const option options[] = {{"hyperacc", required_argument, nullptr, 'y'},
                            {"hold", no_argument, nullptr, 'H'},
                            {"ntasks", required_argument, nullptr, 'n'},
                            {nullptr, 0, nullptr, 0}};
  const auto next = [&] { return getopt_long(argc, argv, "+Hn:", options, nullptr); };
  while (next() != -1) {
  }
  if (optind == argc) {
    std::puts("waiting for a script on stdin");
    return 3;
  }
  int code = 0;
  if (const char* in_script = std::getenv("SCRIPT_VALUE")) code = process.give(in_script, false);
  optind = 0;
  for (int word; code == 0 && (word = next()) != -1;) {
    if (word == 'y') code = process.give(optarg, false);
  }
  for (const auto& line : process.lines) std::printf("%s\n", line.text.c_str());
  if (code != 0) return 255;
  process.call("init_post_opt");
  std::puts("submitted");
  return 0;
}

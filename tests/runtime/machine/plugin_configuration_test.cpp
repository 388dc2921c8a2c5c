#include "runtime/machine/plugin_configuration.hpp"

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;
using Strings = std::vector<std::string>;

namespace {

constexpr const char* kPlugin = "/usr/lib64/slurm/spank_hyperacc.so";

// A node with the plugin's file and `plugstack` as its /etc/slurm/plugstack.conf.
struct Node : ScratchMachine {
  explicit Node(std::string_view plugstack) {
    write(kPlugin);
    write("/etc/slurm/slurm.conf", "ClusterName=c\n");
    write("/etc/slurm/plugstack.conf", plugstack);
  }
  PluginConfiguration read(const Environment& environment = {}) const {
    return read_plugin_configuration(root(), environment);
  }
};

std::string plugin_line(std::string_view rest = "") {
  return std::string("optional ") + kPlugin + std::string(rest);
}

Strings problems_of(std::string_view plugstack) {
  return Node(plugstack).read().problems;
}

}  // namespace

TEST_CASE("the usual line") {
  const PluginConfiguration found =
      Node("# SPANK\n\n" + plugin_line(" default=all \t deny=thp\n")).read();
  CHECK(found.slurm_conf == "/etc/slurm/slurm.conf");
  CHECK(found.plugstack == "/etc/slurm/plugstack.conf");
  REQUIRE(found.lines.size() == 1);
  CHECK(found.lines[0].file == "/etc/slurm/plugstack.conf");
  CHECK(found.lines[0].line == 3);
  CHECK_FALSE(found.lines[0].required);
  CHECK(found.lines[0].path == kPlugin);
  CHECK(found.lines[0].arguments == Strings{"default=all", "deny=thp"});
  CHECK(found.problems.empty());
}

TEST_CASE("words are split as Slurm splits them") {
  const auto arguments = [](std::string_view rest) {
    return Node(plugin_line(rest)).read().lines.at(0).arguments;
  };
  CHECK(arguments("").empty());
  CHECK(arguments(" \"default=a b\"") == Strings{"\"default=a", "b\""});
  CHECK(arguments(" default=all#comment deny=thp") == Strings{"default=all"});
  CHECK(arguments(" default='all'") == Strings{"default='all'"});
}

TEST_CASE("other plugins' lines are not ours, whatever they contain") {
  const PluginConfiguration found = Node(
                                        "required /usr/lib64/slurm/other.so x=spank_hyperacc.so\n"
                                        "optional /usr/lib64/slurm/spank_hyperacc.so.old\n" +
                                        plugin_line())
                                        .read();
  REQUIRE(found.lines.size() == 1);
  CHECK(found.lines[0].line == 3);
  CHECK(found.problems.empty());
}

TEST_CASE("PlugStackConfig and SLURM_CONF say where to look") {
  const Node node("");
  node.write("/opt/slurm/etc/slurm.conf", "PlugStackConfig=/opt/slurm/stack\n");
  node.write("/opt/slurm/stack", plugin_line());
  const PluginConfiguration found = node.read({{"SLURM_CONF", "/opt/slurm/etc/slurm.conf"}});
  CHECK(found.slurm_conf == "/opt/slurm/etc/slurm.conf");
  CHECK(found.plugstack == "/opt/slurm/stack");
  REQUIRE(found.lines.size() == 1);
  CHECK(found.lines[0].file == "/opt/slurm/stack");
}

TEST_CASE("paths that depend on the working directory are a problem") {
  const Node node("");
  CHECK(node.read({{"SLURM_CONF", "slurm.conf"}}).problems ==
        Strings{"SLURM_CONF=slurm.conf is not an absolute path"});
  node.write("/etc/slurm/slurm.conf", "PlugStackConfig=plugstack.conf\n");
  CHECK(
      node.read().problems ==
      Strings{"/etc/slurm/slurm.conf: PlugStackConfig=plugstack.conf is not absolute: each command "
              "looks in its own working directory"});
}

TEST_CASE("include follows patterns beside the including file") {
  const Node node("include plugstack.conf.d/*.conf ignored words\n");
  node.write("/etc/slurm/plugstack.conf.d/20-x.conf", "optional /x.so\n");
  node.write("/etc/slurm/plugstack.conf.d/10-hyperacc.conf", plugin_line(" autoload=yes\n"));
  node.write("/etc/slurm/plugstack.conf.d/.hidden.conf", plugin_line());
  node.write("/etc/slurm/plugstack.conf.d/30-old.conf.rpmsave", plugin_line());
  const PluginConfiguration found = node.read();
  REQUIRE(found.lines.size() == 1);
  CHECK(found.lines[0].file == "/etc/slurm/plugstack.conf.d/10-hyperacc.conf");
  CHECK(found.lines[0].line == 1);
  CHECK(found.problems.empty());
}

// Guards against aws-samples/sample-physical-ai-scaffolding-kit#5: an include that matches nothing
// is silent, and the plugin is silently absent.
TEST_CASE("an include without a match is told where the plugin is missing, and only there") {
  CHECK(problems_of("include plugstack.conf.d/*\n") ==
        Strings{
            "/etc/slurm/plugstack.conf has no line for spank_hyperacc.so",
            "/etc/slurm/plugstack.conf:1: include /etc/slurm/plugstack.conf.d/* matches no file"});
  CHECK(problems_of("include plugstack.conf.d/*\n" + plugin_line()).empty());
}

TEST_CASE("no file, no line") {
  const ScratchMachine machine;
  CHECK(read_plugin_configuration(machine.root(), {}).problems ==
        Strings{"/etc/slurm/plugstack.conf does not exist: Slurm loads no plugin"});
  CHECK(problems_of("") == Strings{"/etc/slurm/plugstack.conf has no line for spank_hyperacc.so"});
}

// Guards against awslabs/awsome-distributed-ai#1207: listed twice, every command warns.
TEST_CASE("a second line is a problem that names the first") {
  const PluginConfiguration found = Node(plugin_line() + "\n" + plugin_line(" deny=thp")).read();
  REQUIRE(found.lines.size() == 2);
  CHECK(found.lines[1].arguments == Strings{"deny=thp"});
  CHECK(found.problems ==
        Strings{"/etc/slurm/plugstack.conf:2: spank_hyperacc.so is listed twice (first in "
                "/etc/slurm/plugstack.conf:1): remove one line"});
}

TEST_CASE("required is a problem") {
  const PluginConfiguration found = Node(std::string("required ") + kPlugin).read();
  REQUIRE(found.lines.size() == 1);
  CHECK(found.lines[0].required);
  CHECK(
      found.problems ==
      Strings{"/etc/slurm/plugstack.conf:1: use 'optional': with 'required' a plugin that does not "
              "load stops every srun, sbatch and salloc"});
}

TEST_CASE("a missing plugin file and a relative path") {
  CHECK(problems_of("optional /opt/spank_hyperacc.so") ==
        Strings{"/etc/slurm/plugstack.conf:1: /opt/spank_hyperacc.so does not exist"});
  CHECK(problems_of("optional spank_hyperacc.so") ==
        Strings{"/etc/slurm/plugstack.conf:1: write the absolute path: Slurm looks for "
                "'spank_hyperacc.so' in its PluginDir only"});
}

// Guards against a documented continuation (iqm-finland/QDMI-on-IQM): Slurm has none.
TEST_CASE("a continued line loses its second half") {
  const PluginConfiguration found = Node(plugin_line(" \\\n  default=all\n")).read();
  CHECK(found.lines.at(0).arguments == Strings{"\\"});
  CHECK(found.problems ==
        Strings{"/etc/slurm/plugstack.conf:1: a backslash does not continue the line: write all "
                "arguments on one line",
                "/etc/slurm/plugstack.conf:2: Slurm skips this line: 'default=all' is neither "
                "optional, required nor include (a line cannot be continued)"});
}

TEST_CASE("lines that Slurm skips") {
  const PluginConfiguration found =
      Node(std::string("Optional ") + kPlugin + "\noptional\n").read();
  CHECK(found.lines.empty());
  CHECK(
      found.problems ==
      Strings{"/etc/slurm/plugstack.conf:1: Slurm skips this line: 'Optional' is neither optional, "
              "required nor include (a line cannot be continued)",
              "/etc/slurm/plugstack.conf:2: Slurm skips this line: no file after 'optional'",
              "/etc/slurm/plugstack.conf has no line for spank_hyperacc.so"});
}

TEST_CASE("a file saved with CR LF") {
  const std::string told =
      "/etc/slurm/plugstack.conf:1: the line ends in CR LF, and Slurm takes the "
      "CR for a letter: save the file with LF only";
  const PluginConfiguration with_argument = Node(plugin_line(" default=all\r\n")).read();
  CHECK(with_argument.lines.at(0).arguments == Strings{"default=all\r"});
  CHECK(with_argument.problems == Strings{told});
  CHECK(problems_of(plugin_line("\r\n")) == Strings{told});
}

TEST_CASE("a line longer than Slurm's buffer is cut there") {
  const std::string line = plugin_line(" " + std::string(4095 - plugin_line(" ").size(), 'a'));
  REQUIRE(line.size() == 4095);
  CHECK(Node(line + "\n").read().lines.at(0).arguments.at(0).size() ==
        4095 - plugin_line(" ").size());
  const PluginConfiguration cut = Node(line + "default=all\n" + "optional /x.so").read();
  CHECK(cut.lines.at(0).arguments.at(0).size() == 4095 - plugin_line(" ").size());
  CHECK(cut.problems ==
        Strings{"/etc/slurm/plugstack.conf:2: Slurm skips this line: 'default=all' is "
                "neither optional, required nor include (a line cannot be "
                "continued)"});
}

TEST_CASE("files that include each other come to an end") {
  const Node node("include plugstack.conf\n" + plugin_line());
  const PluginConfiguration found = node.read();
  CHECK(found.lines.size() == 17);
  CHECK(found.problems.at(0) ==
        "/etc/slurm/plugstack.conf:1: include plugstack.conf goes round in a circle");
}

TEST_CASE("a plugstack.conf that is no file") {
  const Node node("");
  node.remove("/etc/slurm/plugstack.conf");
  node.write("/etc/slurm/plugstack.conf/x");
  CHECK(node.read().problems.at(0) == "/etc/slurm/plugstack.conf: not a regular file");
}

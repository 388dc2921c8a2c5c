#include "runtime/machine/installation.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "runtime/core/features.hpp"
#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;

namespace {

// An installed tree: PREFIX is the scratch folder.
struct Tree : ScratchMachine {
  explicit Tree(const std::string& library = "/lib64") : library_(library) {
    write(library + "/hyperacc/libhyperacc.so");
    write(library + "/slurm/spank_hyperacc.so");
    write("/bin/hyperacc");
  }
  void add(const std::string& path) const { write(library_ + "/hyperacc/" + path); }
  std::string prefix() const { return host_path(""); }
  InstalledTree expected() const {
    const std::string directory = host_path(library_ + "/hyperacc");
    return {prefix(), directory, directory + "/python"};
  }

 private:
  std::string library_;
};

Installation with_rope(const Tree& tree, Platform platform) {
  return read_installation(*installed_tree(tree.prefix()), platform, {"rope"});
}

bool built(const Installation& installation, Feature feature) {
  return installation.built[index(feature)];
}

}  // namespace

TEST_CASE("the tree is found from PREFIX and from each of its files, wherever it lies") {
  for (const char* library : {"/lib", "/lib64", "/lib/x86_64-linux-gnu"}) {
    CAPTURE(library);
    const Tree tree(library);
    const auto found_from = [&tree](const std::string& path) {
      return installed_tree_around(tree.host_path(path)).value();
    };
    CHECK(installed_tree(tree.prefix()).value() == tree.expected());
    CHECK(found_from("/bin/hyperacc") == tree.expected());
    CHECK(found_from(std::string(library) + "/hyperacc/libhyperacc.so") == tree.expected());
    CHECK(found_from(std::string(library) + "/slurm/spank_hyperacc.so") == tree.expected());
  }
}

TEST_CASE("a link into the tree leads to it") {
  const Tree tree;
  const ScratchMachine elsewhere;
  elsewhere.link("/usr/bin/hyperacc", tree.host_path("/bin/hyperacc"));
  CHECK(installed_tree_around(elsewhere.host_path("/usr/bin/hyperacc")).value() == tree.expected());
}

TEST_CASE("what is no tree is an error that says what is missing") {
  const ScratchMachine empty;
  empty.write("/bin/hyperacc");
  empty.write("/lib/slurm/spank_hyperacc.so");
  empty.write("/build/runtime/api/libhyperacc.so");
  CHECK(installed_tree(empty.host_path("")).error().text ==
        empty.host_path("") + ": no HyperAcc there (no lib*/hyperacc/libhyperacc.so)");
  CHECK_FALSE(installed_tree("/no/such/prefix"));
  CHECK_FALSE(installed_tree_around(empty.host_path("/bin/hyperacc")));
  CHECK_FALSE(installed_tree_around(empty.host_path("/build/runtime/api/libhyperacc.so")));
  CHECK(installed_tree_around(empty.host_path("/lib/slurm/spank_hyperacc.so")).error().text ==
        empty.host_path("/lib/slurm/spank_hyperacc.so") + " is in no installed HyperAcc (no " +
            empty.host_path("/lib/hyperacc") + "/libhyperacc.so)");
  CHECK(installed_tree_around("/no/such/file").error().text ==
        "/no/such/file: No such file or directory");
}

TEST_CASE("a program knows its own file, whatever it was called") {
  CHECK(own_file() == std::filesystem::read_symlink("/proc/self/exe").string());
}

TEST_CASE("a hook is built with its operator, its kernels and its module, not with less") {
  const Tree tree;
  CHECK_FALSE(built(with_rope(tree, Platform::dcu), Feature::rope));
  tree.add("libhyperacc_hip.so");
  CHECK_FALSE(built(with_rope(tree, Platform::dcu), Feature::rope));
  tree.add("python/hyperacc/hooks/rope.py");
  tree.add("python/hyperacc/hooks/rmsnorm.py");
  const Installation dcu = with_rope(tree, Platform::dcu);
  CHECK(built(dcu, Feature::rope));
  CHECK_FALSE(built(dcu, Feature::rmsnorm));  // a module without an operator
  CHECK(dcu.hip_library);
  CHECK_FALSE(dcu.cuda_library);
  CHECK_FALSE(dcu.cpu_library);
}

TEST_CASE("each platform has its own kernels") {
  const Tree tree;
  tree.add("python/hyperacc/hooks/rope.py");
  tree.add("libhyperacc_hip.so");
  CHECK(built(with_rope(tree, Platform::dcu), Feature::rope));
  CHECK(built(with_rope(tree, Platform::amd), Feature::rope));
  for (const Platform other : {Platform::nvidia, Platform::cpu, Platform::none, Platform::mixed}) {
    CHECK_FALSE(built(with_rope(tree, other), Feature::rope));
  }
  tree.add("libhyperacc_cuda.so");
  CHECK(built(with_rope(tree, Platform::nvidia), Feature::rope));
  CHECK_FALSE(built(with_rope(tree, Platform::cpu), Feature::rope));
  tree.add("libhyperacc_cpu.so");
  CHECK(built(with_rope(tree, Platform::cpu), Feature::rope));
  CHECK_FALSE(built(with_rope(tree, Platform::mixed), Feature::rope));
}

TEST_CASE("system features need no operator") {
  const Tree tree;
  Installation installation = with_rope(tree, Platform::none);
  for (const Feature feature : {Feature::gc, Feature::numabind, Feature::thp}) {
    CHECK_FALSE(built(installation, feature));
  }
  tree.add("python/hyperacc/system/gc.py");
  installation = with_rope(tree, Platform::none);
  CHECK(built(installation, Feature::gc));
  CHECK_FALSE(built(installation, Feature::numabind));
  tree.add("libhyperacc_node.so");
  installation = with_rope(tree, Platform::none);
  CHECK(built(installation, Feature::numabind));
  CHECK(built(installation, Feature::thp));
}

TEST_CASE("the operators of this build are hooks of the feature table") {
  for (const std::string_view name : built_operators()) {
    CAPTURE(name);
    const auto feature = find_feature(name);
    REQUIRE(feature);
    CHECK(info(*feature).name == name);
    CHECK(info(*feature).kind == FeatureKind::hook);
  }
}

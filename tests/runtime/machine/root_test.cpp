#include "runtime/machine/root.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/runtime/machine/scratch_machine.hpp"

using namespace hyperacc;
using test::ScratchMachine;

TEST_CASE("a root directory that is not there is an error that names it") {
  const auto root = RootDirectory::open("/no/such/place");
  REQUIRE_FALSE(root);
  CHECK(root.error().text == "/no/such/place: No such file or directory");
}

TEST_CASE("only / is the live machine, under any spelling") {
  CHECK(RootDirectory::open("/")->is_live());
  CHECK(RootDirectory::open("/usr/..")->is_live());
  CHECK_FALSE(RootDirectory::open("/usr")->is_live());
}

TEST_CASE("files of the live machine are read, those without a size too") {
  const auto root = RootDirectory::open("/");
  const auto status = root->read_file("/proc/self/status");
  REQUIRE(status);
  CHECK(status->find("Pid:\t" + std::to_string(getpid()) + "\n") != std::string::npos);
  CHECK(root->is_device("/dev/null"));
  CHECK_FALSE(root->is_device("/proc/self/status"));
  CHECK(root->may_open("/dev/null"));
  CHECK(root->exists("/"));
  CHECK_FALSE(root->names("/proc").empty());
}

TEST_CASE("a file is read whole, up to the limit and not beyond") {
  const ScratchMachine machine;
  machine.write("/five", "12345");
  machine.write("/page", std::string(4096, 'x'));
  const RootDirectory root = machine.root();
  CHECK(root.read_file("/five", 5).value() == "12345");
  CHECK(root.read_file("/page", 4096).value() == std::string(4096, 'x'));
  const auto refused = root.read_file("/five", 4);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text == "/five: larger than 4 bytes");
}

TEST_CASE("read_file refuses what is no regular file, and waits for no pipe") {
  const ScratchMachine machine;
  machine.write("/folder/file");
  REQUIRE(mkfifo(machine.host_path("/pipe").c_str(), 0600) == 0);
  const RootDirectory root = machine.root();
  CHECK(root.read_file("/folder").error().text == "/folder: not a regular file");
  CHECK(root.read_file("/pipe").error().text == "/pipe: not a regular file");
  CHECK(root.read_file("/none").error().text == "/none: No such file or directory");
}

TEST_CASE("read_word strips blanks and gives nothing where there is nothing") {
  const ScratchMachine machine;
  machine.write("/word", " madvise\n");
  CHECK(machine.root().read_word("/word") == "madvise");
  CHECK(machine.root().read_word("/none").empty());
}

TEST_CASE("list is sorted by bytes and holds neither . nor ..") {
  const ScratchMachine machine;
  for (const char* name : {"/d/b", "/d/10", "/d/2", "/d/.hidden", "/d/a"}) machine.write(name);
  const RootDirectory root = machine.root();
  CHECK(root.list("/d").value() == std::vector<std::string>{".hidden", "10", "2", "a", "b"});
  CHECK(root.list("/d/a").error().text == "/d/a: Not a directory");
  CHECK(root.names("/none").empty());
}

TEST_CASE("in a recorded machine links are followed as if the folder were /") {
  const ScratchMachine machine;
  machine.write("/opt/dtk-26.04/.info/rocm_version", "26.04");
  machine.link("/opt/dtk", "/opt/dtk-26.04");
  machine.write("/sys/devices/pci0000:16/0000:17:00.0/vendor", "0x10de");
  machine.link("/sys/bus/pci/devices/0000:17:00.0", "../../../devices/pci0000:16/0000:17:00.0");
  machine.link("/dangling", "/nowhere");
  const RootDirectory root = machine.root();
  CHECK(root.read_word("/opt/dtk/.info/rocm_version") == "26.04");
  CHECK(root.read_word("/sys/bus/pci/devices/0000:17:00.0/vendor") == "0x10de");
  CHECK(root.read_word("/sys/bus/pci/devices/../devices/./0000:17:00.0//vendor") == "0x10de");
  CHECK(root.read_link("/opt/dtk").value() == "/opt/dtk-26.04");
  CHECK(root.read_link("/opt").error().text == "/opt: not a symbolic link");
  CHECK(root.exists("/opt/dtk"));
  CHECK_FALSE(root.exists("/dangling"));
}

TEST_CASE("no path and no link leads out of a recorded machine") {
  const ScratchMachine outside;
  outside.write("/secret", "outside");
  const ScratchMachine machine;
  machine.link("/absolute", outside.host_path("/secret"));
  machine.link("/relative", "../../../../../../.." + outside.host_path("/secret"));
  machine.link("/folder", outside.host_path(""));
  const RootDirectory root = machine.root();
  const std::string climbing = "/../../../../.." + outside.host_path("/secret");
  for (const std::string& path : {std::string("/absolute"), std::string("/relative"),
                                  std::string("/folder/secret"), climbing}) {
    CAPTURE(path);
    CHECK_FALSE(root.read_file(path));
    CHECK_FALSE(root.exists(path));
    CHECK_FALSE(root.may_open(path));
    CHECK_FALSE(root.is_device(path));
  }
  CHECK(root.names("/folder").empty());
}

TEST_CASE("links in a circle are an error") {
  const ScratchMachine machine;
  machine.link("/a", "b");
  machine.link("/b", "a");
  CHECK(machine.root().read_file("/a").error().text == "/a: Too many levels of symbolic links");
}

TEST_CASE("a regular file stands for a device in a recorded machine only") {
  const ScratchMachine machine;
  machine.write("/dev/nvidia0");
  machine.write("/dev/nvidia-caps/nvidia-cap1");
  const RootDirectory root = machine.root();
  CHECK(root.is_device("/dev/nvidia0"));
  CHECK(root.may_open("/dev/nvidia0"));
  CHECK_FALSE(root.is_device("/dev/nvidia-caps"));
  CHECK_FALSE(root.may_open("/dev/nvidia1"));
  // Where device nodes exist, a file that only has the name of one says nothing.
  CHECK_FALSE(RootDirectory::open("/")->is_device(machine.host_path("/dev/nvidia0")));
}

TEST_CASE("a root directory can be moved") {
  const ScratchMachine machine;
  machine.write("/a", "1");
  RootDirectory first = machine.root();
  RootDirectory second = std::move(first);
  CHECK(second.read_word("/a") == "1");
  const ScratchMachine other;
  other.write("/a", "2");
  second = other.root();
  CHECK(second.read_word("/a") == "2");
  CHECK(second.directory() == other.host_path(""));
}

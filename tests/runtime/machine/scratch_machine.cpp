#include "tests/runtime/machine/scratch_machine.hpp"

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <fstream>

namespace hyperacc::test {
namespace {

RootDirectory opened(const std::string& directory) {
  Result<RootDirectory> root = RootDirectory::open(directory);
  if (!root) FAIL(root.error().text);
  return std::move(*root);
}

}  // namespace

ScratchMachine::ScratchMachine() {
  std::string name = (std::filesystem::temp_directory_path() / "hyperacc_test_XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder_ = name;
}

ScratchMachine::ScratchMachine(std::string_view recorded) : ScratchMachine() {
  using std::filesystem::copy_options;
  std::filesystem::copy(std::filesystem::path("machines") / recorded, folder_,
                        copy_options::recursive | copy_options::copy_symlinks);
}

ScratchMachine::~ScratchMachine() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchMachine::host_path(std::string_view path) const {
  return folder_.string() + std::string(path);
}

void ScratchMachine::write(std::string_view path, std::string_view text) const {
  const std::filesystem::path file = host_path(path);
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void ScratchMachine::link(std::string_view path, std::string_view target) const {
  const std::filesystem::path file = host_path(path);
  std::filesystem::create_directories(file.parent_path());
  std::filesystem::create_symlink(target, file);
}

void ScratchMachine::remove(std::string_view path) const {
  REQUIRE(std::filesystem::remove_all(host_path(path)) > 0);
}

RootDirectory ScratchMachine::root() const {
  return opened(folder_.string());
}

RootDirectory recorded_machine(std::string_view name) {
  return opened("machines/" + std::string(name));
}

}  // namespace hyperacc::test

// A machine made of a few files in a folder of its own, which goes away with the object.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "runtime/machine/root.hpp"

namespace hyperacc::node {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "hyperacc-node-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path place = path_ + file;
    std::filesystem::create_directories(place.parent_path());
    std::ofstream(place) << text;
  }
  std::string read(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(path_ + file).rdbuf();
    return text.str();
  }
  void remove(const std::string& file) const { std::filesystem::remove_all(path_ + file); }
  bool exists(const std::string& file) const { return std::filesystem::exists(path_ + file); }

  const std::string& path() const { return path_; }
  RootDirectory root() const { return RootDirectory::open(path_).value(); }

 private:
  std::string path_;
};

}  // namespace hyperacc::node

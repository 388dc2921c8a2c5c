// A machine that exists for one test: a temporary folder, removed at the end.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "runtime/machine/root.hpp"

namespace hyperacc::test {

class ScratchMachine {
 public:
  ScratchMachine();
  // A copy of tests/machines/NAME, to be changed.
  explicit ScratchMachine(std::string_view recorded);
  ScratchMachine(const ScratchMachine&) = delete;
  ScratchMachine& operator=(const ScratchMachine&) = delete;
  ~ScratchMachine();

  // Paths as on the machine: "/dev/nvidia0". Missing parents are made.
  void write(std::string_view path, std::string_view text = "") const;
  void link(std::string_view path, std::string_view target) const;
  void remove(std::string_view path) const;

  std::string host_path(std::string_view path) const;
  RootDirectory root() const;

 private:
  std::filesystem::path folder_;
};

// tests/machines/NAME
RootDirectory recorded_machine(std::string_view name);

}  // namespace hyperacc::test

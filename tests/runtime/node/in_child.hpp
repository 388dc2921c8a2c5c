// Runs something that changes the process in a child, and tells what it saw.
#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "runtime/node/affinity.hpp"
#include "runtime/node/child_process.hpp"

namespace hyperacc::node {

inline std::string in_child(const std::function<std::string()>& work) {
  const Result<std::string> answer = answer_of_child(std::chrono::seconds(20), work);
  return answer ? *answer : "no answer: " + answer.error().text;
}

// Two CPUs that this process may use, or a skipped test.
inline bool has_two_cpus() {
  const Result<Bitmap> mask = get_affinity();
  if (mask && mask->count() >= 2) return true;
  WARN("skipped: this process may use only one CPU");
  return false;
}

}  // namespace hyperacc::node

// A property that holds for every input: the fuzzer keeps the input that breaks it.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace hyperacc::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

}  // namespace hyperacc::fuzz

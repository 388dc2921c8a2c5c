// Work that must not touch the calling process: done in a child, within a time limit.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "runtime/core/result.hpp"

namespace hyperacc::node {

// Runs `work` in a forked child and returns its text. The child never returns from here, dies with
// this process, and is killed after `limit`. Errors: no child, the limit, a child that died.
Result<std::string> answer_of_child(std::chrono::milliseconds limit,
                                    const std::function<std::string()>& work);

}  // namespace hyperacc::node

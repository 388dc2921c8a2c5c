#include "runtime/node/affinity.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hyperacc::node {
namespace {

using Words = std::vector<unsigned long>;

constexpr std::size_t kMostBytes = (Bitmap::kLargest + 1) / 8;

// The system calls rather than glibc's cpu_set_t, which ends at 1024 CPUs.
Result<void> set_words(const Words& words) {
  if (syscall(SYS_sched_setaffinity, 0, words.size() * sizeof(unsigned long), words.data()) == 0) {
    return {};
  }
  return fail(std::strerror(errno));
}

Result<Words> get_words(pid_t process = 0) {
  // EINVAL: the kernel counts more CPUs than fit.
  for (std::size_t bytes = 128; bytes <= kMostBytes; bytes *= 2) {
    Words words(bytes / sizeof(unsigned long));
    const long written = syscall(SYS_sched_getaffinity, process, bytes, words.data());
    if (written > 0) {
      words.resize(static_cast<std::size_t>(written) / sizeof(unsigned long));
      return words;
    }
    if (errno != EINVAL) break;
  }
  return fail(std::strerror(errno));
}

}  // namespace

Result<Bitmap> get_affinity(pid_t process) {
  const Result<Words> words = get_words(process);
  if (!words) return fail("cannot read the CPU mask: " + words.error().text);
  return Bitmap::from_words(*words);
}

Result<void> set_affinity(const Bitmap& cpus) {
  const Result<Words> before = get_words();
  if (!before) return fail("cannot read the CPU mask: " + before.error().text);
  if (const Result<void> set = set_words(cpus.to_words()); !set) {
    return fail(fmt::format("cannot bind to CPUs {}: {}", cpus.to_list(), set.error().text));
  }
  const Result<Bitmap> after = get_affinity();
  if (after && *after == cpus) return {};
  (void)set_words(*before);
  if (!after) return tl::unexpected<Error>(after.error());
  return fail(fmt::format("asked for CPUs {}, the kernel gave {}: the mask found is back",
                          cpus.to_list(), after->to_list()));
}

Result<Bitmap> widest_affinity() {
  const Result<Words> before = get_words();
  if (!before) return fail("cannot read the CPU mask: " + before.error().text);
  const Words all(before->size(), ~0UL);
  if (const Result<void> set = set_words(all); !set) {
    return fail("cannot widen the CPU mask: " + set.error().text);
  }
  Result<Bitmap> widest = get_affinity();
  if (const Result<void> set = set_words(*before); !set) {
    return fail("cannot put the CPU mask back: " + set.error().text);
  }
  return widest;
}

}  // namespace hyperacc::node

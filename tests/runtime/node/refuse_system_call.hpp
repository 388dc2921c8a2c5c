// Makes one system call fail in this process, as a container's seccomp filter or an old kernel
// does.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace hyperacc::node {

// The call `number` gives `error`; with `first_argument` only where that is its first argument.
inline bool refuse_system_call(std::uint32_t number, std::uint32_t error,
                               std::optional<std::uint32_t> first_argument = std::nullopt) {
  const std::uint32_t refused = SECCOMP_RET_ERRNO | (error & SECCOMP_RET_DATA);
  const auto load = [](std::size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
  };
  const std::uint32_t argument = first_argument.value_or(0);
  const std::uint8_t skip_if_other = first_argument ? 1 : 0;
  std::array<sock_filter, 6> filter = {
      load(offsetof(seccomp_data, nr)),
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 3, number},
      load(offsetof(seccomp_data, args)),
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, skip_if_other, argument},
      sock_filter{BPF_RET | BPF_K, 0, 0, refused},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace hyperacc::node

// The callbacks that the plugin gives Slurm.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hyperacc::spank {

enum class Callback : std::uint8_t {
  init,
  option,
  init_post_opt,
  task_init,
  job_prolog,
  job_epilog,
};
inline constexpr std::size_t kCallbackCount = 6;

// As in the names of Slurm's functions, slurm_spank_…; "option" is the option's own callback.
inline constexpr std::array<const char*, kCallbackCount> kCallbackNames = {
    "init", "option", "init_post_opt", "task_init", "job_prolog", "job_epilog"};

constexpr std::size_t index(Callback callback) {
  return static_cast<std::size_t>(callback);
}

constexpr const char* name(Callback callback) {
  return kCallbackNames[index(callback)];
}

}  // namespace hyperacc::spank

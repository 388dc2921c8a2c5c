#include "runtime/core/decide.hpp"

#include <fmt/format.h>

namespace hyperacc {
namespace {

bool fits(const FeatureInfo& row, Platform platform, bool any_platform) {
  if (row.kind == FeatureKind::system || platform == Platform::cpu) return true;
  switch (platform) {
    case Platform::nvidia:
      return row.nvidia || any_platform;
    case Platform::dcu:
      return row.dcu || any_platform;
    case Platform::amd:
      return any_platform;
    case Platform::none:
    case Platform::mixed:
    case Platform::cpu:
      return false;
  }
  return false;
}

std::string platform_text(const FeatureInfo& row, Platform platform) {
  if (platform == Platform::none) return "no accelerator found";
  if (platform == Platform::mixed) return "accelerators of two makes are visible to this task";
  if (platform == Platform::amd) return "AMD GPUs only with any-platform";
  return fmt::format("made for {}, this is {} (any-platform lifts that)",
                     row.nvidia ? "nvidia" : "dcu", name(platform));
}

Decision skipped(Reason reason, std::string text) {
  return {Decision::State::skipped, reason, std::move(text)};
}

std::string_view kernel_library(Platform platform) {
  if (platform == Platform::nvidia) return "libhyperacc_cuda.so";
  if (platform == Platform::cpu) return "libhyperacc_cpu.so";
  return "libhyperacc_hip.so";
}

bool has_kernel_library(const Installation& installation, Platform platform) {
  if (platform == Platform::nvidia) return installation.cuda_library;
  if (platform == Platform::cpu) return installation.cpu_library;
  return installation.hip_library;
}

Decision decide_one(const FeatureInfo& row, const Settings& settings, Platform platform,
                    const Installation& installation) {
  const Setting& setting = settings[row.feature];
  if (setting.denied) return skipped(Reason::denied, "denied by the cluster's policy");
  if (!setting.on) return {};
  if (!fits(row, platform, settings.any_platform.value)) {
    return skipped(Reason::platform, platform_text(row, platform));
  }
  if (!installation.built[index(row.feature)]) {
    return skipped(Reason::not_built, "not in this version of HyperAcc");
  }
  if (row.kind == FeatureKind::hook && !has_kernel_library(installation, platform)) {
    return skipped(Reason::not_built, fmt::format("{} is not installed", kernel_library(platform)));
  }
  return {Decision::State::on, std::nullopt, ""};
}

}  // namespace

std::string_view name(Reason reason) {
  switch (reason) {
    case Reason::platform:
      return "platform";
    case Reason::not_built:
      return "not_built";
    case Reason::torch_mismatch:
      return "torch_mismatch";
    case Reason::library_absent:
      return "library_absent";
    case Reason::library_unknown:
      return "library_unknown";
    case Reason::denied:
      return "denied";
    case Reason::conflict:
      return "conflict";
    case Reason::driver:
      return "driver";
    case Reason::job_launcher:
      return "job_launcher";
    case Reason::verify:
      return "verify";
  }
  return "";
}

std::string_view name(Decision::State state) {
  switch (state) {
    case Decision::State::off:
      return "off";
    case Decision::State::on:
      return "on";
    case Decision::State::skipped:
      return "skipped";
  }
  return "";
}

PerFeature<Decision> decide(const Settings& settings, Platform platform,
                            const Installation& installation) {
  PerFeature<Decision> decisions;
  for (const FeatureInfo& row : feature_table()) {
    decisions[index(row.feature)] = decide_one(row, settings, platform, installation);
  }
  return decisions;
}

}  // namespace hyperacc

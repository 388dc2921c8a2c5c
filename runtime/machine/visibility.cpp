#include "runtime/machine/visibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <string_view>

#include "runtime/core/words.hpp"
#include "runtime/machine/number.hpp"

namespace hyperacc {
namespace {

constexpr std::string_view kCuda = "CUDA_VISIBLE_DEVICES";
constexpr std::string_view kHip = "HIP_VISIBLE_DEVICES";
constexpr std::string_view kRocr = "ROCR_VISIBLE_DEVICES";
constexpr std::string_view kDcu = "DCU_VISIBLE_DEVICES";
constexpr std::string_view kCudaOrder = "CUDA_DEVICE_ORDER";

using Devices = std::vector<std::size_t>;  // indices into the accelerators

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return result;
}

std::string list_ends(std::string_view variable, std::string_view value, std::string_view entry) {
  return fmt::format("{}={}: '{}' is no device of this process, the list ends there", variable,
                     printable(value), printable(entry));
}

// The one candidate whose UUID begins with `beginning`; nothing when none or several do.
std::optional<std::size_t> with_uuid(const std::vector<Accelerator>& accelerators,
                                     const Devices& candidates, std::string_view beginning) {
  std::optional<std::size_t> found;
  for (const std::size_t device : candidates) {
    if (!starts_with(accelerators[device].uuid, beginning)) continue;
    if (found) return std::nullopt;
    found = device;
  }
  return found;
}

// CUDA_VISIBLE_DEVICES as CUDA reads it, on at least one candidate.
class CudaList {
 public:
  CudaList(const Environment& environment, const std::vector<Accelerator>& accelerators,
           Devices candidates)
      : accelerators_(accelerators), candidates_(std::move(candidates)) {
    const std::string& first = accelerators_[candidates_.front()].name;
    by_speed_ = lookup(environment, kCudaOrder).value_or("") != "PCI_BUS_ID" &&
                std::any_of(candidates_.begin(), candidates_.end(), [&](std::size_t device) {
                  return accelerators_[device].name != first;
                });
  }

  void select(std::string_view value, Visibility& visibility) const {
    Devices devices;
    std::size_t unidentified = 0;
    std::vector<std::string> seen;
    for (const std::string& part : split(value, ',')) {
      const std::string_view entry = trim(part);
      const std::optional<Match> match = find(entry);
      if (!match) {
        if (!value.empty()) visibility.notes.push_back(list_ends(kCuda, value, entry));
        break;
      }
      if (std::find(seen.begin(), seen.end(), match->key) != seen.end()) {
        visibility.notes.push_back(
            fmt::format("{}={}: the same device twice, which CUDA takes for none at all", kCuda,
                        printable(value)));
        return;
      }
      seen.push_back(match->key);
      if (!match->device) {
        ++unidentified;
      } else if (std::find(devices.begin(), devices.end(), *match->device) == devices.end()) {
        devices.push_back(*match->device);  // a second MIG instance of one GPU adds nothing
      }
    }
    visibility.devices.insert(visibility.devices.end(), devices.begin(), devices.end());
    visibility.unidentified_nvidia += unidentified;
  }

 private:
  struct Match {
    std::string key;                    // equal for two spellings of one entry
    std::optional<std::size_t> device;  // nothing: a device, but files do not tell which
  };

  std::optional<Match> find(std::string_view entry) const {
    if (starts_with(entry, "MIG-GPU-"))
      return find_uuid(entry.substr(4, entry.find('/') - 4), entry);
    if (starts_with(entry, "MIG-")) return find_mig(entry);
    if (starts_with(entry, "GPU-")) return find_uuid(entry, entry);
    return find_index(entry);
  }

  // Only the driver can say which GPU a MIG instance is part of, unless there is but one.
  std::optional<Match> find_mig(std::string_view entry) const {
    Match match{std::string(entry), std::nullopt};
    if (candidates_.size() == 1) match.device = candidates_.front();
    return match;
  }

  std::optional<Match> find_uuid(std::string_view uuid, std::string_view entry) const {
    if (const auto device = with_uuid(accelerators_, candidates_, uuid)) {
      return Match{std::string(entry), device};
    }
    const bool all_known = std::none_of(candidates_.begin(), candidates_.end(), [&](std::size_t i) {
      return accelerators_[i].uuid.empty();
    });
    if (all_known) return std::nullopt;
    return Match{std::string(entry), std::nullopt};
  }

  // The digits it begins with, as strtoul: "1x" is 1.
  std::optional<Match> find_index(std::string_view entry) const {
    const std::string_view digits = entry.substr(0, entry.find_first_not_of("0123456789"));
    const auto index = parse_number<std::size_t>(digits);
    if (!index || *index >= candidates_.size()) return std::nullopt;
    Match match{fmt::format("{}", *index), std::nullopt};
    if (!by_speed_) match.device = candidates_[*index];
    return match;
  }

  const std::vector<Accelerator>& accelerators_;
  Devices candidates_;
  bool by_speed_ = false;  // CUDA's default order of unlike GPUs, which files do not tell
};

// A list of ROCR or HIP: entries until one names no device. `find` gives the candidate of an entry.
template <class Find>
Devices leading_entries(std::string_view variable, std::string_view value, bool repeat_ends,
                        const Find& find, std::vector<std::string>& notes) {
  Devices devices;
  for (const std::string& entry : split(value, ',')) {
    const std::optional<std::size_t> device = find(entry);
    const bool repeated =
        device && std::find(devices.begin(), devices.end(), *device) != devices.end();
    if (!device || (repeated && repeat_ends)) {
      notes.push_back(list_ends(variable, value, entry));
      break;
    }
    if (!repeated) devices.push_back(*device);
  }
  return devices;
}

Devices filter_rocr(std::string_view value, const std::vector<Accelerator>& accelerators,
                    const Devices& candidates, std::vector<std::string>& notes) {
  if (value.empty()) return {};
  const auto find = [&](std::string_view entry) -> std::optional<std::size_t> {
    const std::string word = upper(trim(entry));
    if (starts_with(word, "G")) {
      if (word.size() < 5) return std::nullopt;  // "GPU-" and at least one digit
      std::string uuid = word;
      std::transform(uuid.begin() + 4, uuid.end(), uuid.begin() + 4,
                     [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
      return with_uuid(accelerators, candidates, uuid);
    }
    const bool hexadecimal = starts_with(word, "0X");
    const auto index = parse_number<std::size_t>(
        hexadecimal ? std::string_view(word).substr(2) : std::string_view(word),
        hexadecimal ? 16 : 10);
    if (!index || *index >= candidates.size()) return std::nullopt;
    return candidates[*index];
  };
  return leading_entries(kRocr, value, true, find, notes);
}

Devices filter_hip(std::string_view variable, std::string_view value,
                   const std::vector<Accelerator>& accelerators, const Devices& candidates,
                   std::vector<std::string>& notes) {
  const auto find = [&](std::string_view entry) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      // To the letter: " 1" and "01" are no indices to HIP.
      if (entry == fmt::format("{}", i)) return candidates[i];
      if (!entry.empty() && entry == accelerators[candidates[i]].uuid) return candidates[i];
    }
    return std::nullopt;
  };
  return leading_entries(variable, value, false, find, notes);
}

Devices usable(const std::vector<Accelerator>& accelerators, const std::vector<bool>& openable,
               bool nvidia) {
  Devices devices;
  for (std::size_t i = 0; i < accelerators.size(); ++i) {
    if (openable[i] && (accelerators[i].vendor == Vendor::nvidia) == nvidia) devices.push_back(i);
  }
  return devices;
}

}  // namespace

std::vector<bool> openable(const RootDirectory& root,
                           const std::vector<Accelerator>& accelerators) {
  std::vector<bool> result;
  for (const Accelerator& accelerator : accelerators) {
    const std::vector<std::string>& files = accelerator.device_files;
    result.push_back(!files.empty() &&
                     std::all_of(files.begin(), files.end(),
                                 [&](const std::string& file) { return root.may_open(file); }));
  }
  return result;
}

Visibility visible_devices(const Environment& environment,
                           const std::vector<Accelerator>& accelerators,
                           const std::vector<bool>& openable) {
  Visibility visibility;
  const std::optional<std::string> cuda = lookup(environment, kCuda);

  const Devices nvidia = usable(accelerators, openable, true);
  if (cuda && !nvidia.empty()) {
    CudaList(environment, accelerators, nvidia).select(*cuda, visibility);
  } else {
    visibility.devices = nvidia;
  }

  Devices others = usable(accelerators, openable, false);
  if (!others.empty()) {
    if (const auto rocr = lookup(environment, kRocr)) {
      others = filter_rocr(*rocr, accelerators, others, visibility.notes);
    }
    const std::string hip = lookup(environment, kHip).value_or("");
    const std::string& value = hip.empty() ? cuda.value_or("") : hip;
    if (!value.empty()) {
      others =
          filter_hip(hip.empty() ? kCuda : kHip, value, accelerators, others, visibility.notes);
    }
    if (const auto dcu = lookup(environment, kDcu)) {
      visibility.notes.push_back(
          fmt::format("{}={} is for the container runtime; inside, the device files tell", kDcu,
                      printable(*dcu)));
    }
    visibility.devices.insert(visibility.devices.end(), others.begin(), others.end());
  }
  return visibility;
}

}  // namespace hyperacc

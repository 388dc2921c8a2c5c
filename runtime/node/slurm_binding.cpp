#include "runtime/node/slurm_binding.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/core/words.hpp"

namespace hyperacc::node {
namespace {

// "cores,mask_cpu:" → "cores", "mask_cpu"
std::vector<std::string> type_words(std::string_view type) {
  std::vector<std::string> words;
  for (const std::string& item : split(type, ',')) {
    const std::string_view word = trim(item);
    words.emplace_back(word.substr(0, word.find(':')));
  }
  return words;
}

}  // namespace

bool is_explicit_binding(std::string_view type) {
  const std::vector<std::string> words = type_words(type);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return !word.empty() && word != "quiet" && word != "verbose";
  });
}

bool is_explicitly_none(std::string_view type) {
  const std::vector<std::string> words = type_words(type);
  return std::find(words.begin(), words.end(), "none") != words.end();
}

std::optional<Bitmap> step_cpus(std::string_view list) {
  if (trim(list).empty()) return std::nullopt;
  Bitmap all;
  for (const std::string& item : split(list, ',')) {
    const std::string_view word = trim(item);
    // "0,1" is a map_cpu list: nothing but the masks that Slurm makes itself is believed.
    if (word.rfind("0x", 0) != 0) return std::nullopt;
    const Result<Bitmap> mask = Bitmap::parse_mask(word);
    if (!mask) return std::nullopt;
    all |= *mask;
  }
  if (all.empty()) return std::nullopt;
  return all;
}

}  // namespace hyperacc::node

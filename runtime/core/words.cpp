#include "runtime/core/words.hpp"

#include <algorithm>
#include <cstddef>

namespace hyperacc {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// ASCII only: the user's locale must not change what a word means.
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Optimal string alignment (Damerau–Levenshtein without repeated edits of one substring).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string normalize_word(std::string_view text) {
  std::string word(trim(text));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c == '_' ? '-' : lower(c); });
  return word;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  // A word longer than any of ours cannot be near one, and the distance costs its square.
  constexpr std::size_t kLongest = 64;
  if (word.empty() || word.size() > kLongest) return {};
  const std::string wanted = normalize_word(word);
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  const std::string* best = nullptr;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, normalize_word(candidate));
    // "xyz" is not a misspelt "all": at least one letter must have been right.
    if (distance < best_distance && distance < std::max(wanted.size(), candidate.size())) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::string() : *best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_word(word, candidates);
  return nearest.empty() ? std::string() : " (did you mean '" + nearest + "'?)";
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string shown(text.substr(0, limit));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  if (text.size() > limit) shown += "...";
  return shown;
}

}  // namespace hyperacc

// Words that people type: comparison, splitting and suggestions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hyperacc {

// `text` without surrounding blanks (space, tab, CR, LF).
std::string_view trim(std::string_view text);

// Lower case, '_' written as '-', no surrounding blanks: two spellings of one word give one result.
std::string normalize_word(std::string_view text);

// Splits at every `separator`; an empty text is one empty part.
std::vector<std::string> split(std::string_view text, char separator);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

// The candidate with the smallest edit distance (insert, delete, replace, swap of neighbours), the
// first of equals; empty when even the best differs in more than a third of its letters (at least
// two), since a far-fetched suggestion is worse than none.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

// " (did you mean 'rope'?)", or empty when no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

// For a message about untrusted text: at most `limit` bytes, control and non-ASCII bytes shown as
// '?'.
std::string printable(std::string_view text, std::size_t limit = 80);

}  // namespace hyperacc

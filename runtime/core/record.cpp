#include "runtime/core/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "runtime/core/variables.hpp"
#include "runtime/core/words.hpp"

namespace hyperacc {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./+,").find(c) != std::string_view::npos;
}

std::string encode(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (is_plain(c)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_plain(text[i])) {
      decoded += text[i];
      continue;
    }
    if (text[i] != '%' || i + 2 >= text.size()) return std::nullopt;
    const std::optional<int> high = hex_digit(text[i + 1]);
    const std::optional<int> low = hex_digit(text[i + 2]);
    // No environment value holds a zero byte.
    if (!high || !low || (*high == 0 && *low == 0)) return std::nullopt;
    decoded += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return decoded;
}

std::string_view source_word(Source source) {
  if (source == Source::cluster_default) return "default";
  return source == Source::policy ? "policy" : "option";
}

std::optional<Source> find_source(std::string_view word) {
  if (word == "option") return Source::option;
  if (word == "default") return Source::cluster_default;
  if (word == "policy") return Source::policy;
  return std::nullopt;
}

Result<RecordEntry> parse_entry(std::string_view text) {
  const auto damaged = [&] { return fail(fmt::format("bad entry '{}'", printable(text))); };
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return damaged();
  const std::optional<Source> source = find_source(text.substr(0, colon));
  std::string_view rest = text.substr(colon + 1);
  RecordEntry entry;
  const std::size_t tilde = rest.find('~');
  if (tilde != std::string_view::npos) {
    entry.replaced = decode(rest.substr(tilde + 1));
    if (!entry.replaced) return damaged();
    rest = rest.substr(0, tilde);
  }
  const std::size_t end = rest.find_first_of("=!");
  if (!source || end == std::string_view::npos) return damaged();
  entry.source = *source;
  entry.name = rest.substr(0, end);
  if (!is_recordable(entry.name)) return damaged();
  if (rest[end] == '=') {
    entry.value = decode(rest.substr(end + 1));
    if (!entry.value) return damaged();
  } else if (end + 1 != rest.size()) {
    return damaged();
  }
  return entry;
}

void take_back_list(Environment& environment, const RecordEntry& entry) {
  const std::optional<std::string> rest = list_remove(environment[entry.name], *entry.value);
  if (rest) {
    environment[entry.name] = *rest;
  } else if (entry.replaced) {
    environment[entry.name] = *entry.replaced;
  } else {
    environment.erase(entry.name);
  }
}

}  // namespace

bool is_list_variable(std::string_view name) {
  return name == "PYTHONPATH" || name == "GLIBC_TUNABLES";
}

bool is_recordable(std::string_view name) {
  return is_setting_variable(name) || is_list_variable(name) || name == kDeny ||
         name == "HA_CPUS" || name == "HA_MEMS" || name == "THP_MEM_ALLOC_ENABLE";
}

std::string to_text(const Record& record) {
  std::vector<std::string> entries;
  for (const RecordEntry& entry : record) {
    std::string text = fmt::format("{}:{}", source_word(entry.source), entry.name);
    text += entry.value ? "=" + encode(*entry.value) : "!";
    if (entry.replaced) text += "~" + encode(*entry.replaced);
    entries.push_back(std::move(text));
  }
  return join(entries, ";");
}

Result<Record> parse_record(std::string_view text) {
  Record record;
  if (text.empty()) return record;
  for (const std::string& part : split(text, ';')) {
    Result<RecordEntry> entry = parse_entry(part);
    if (!entry) return tl::unexpected(entry.error());
    const bool repeated = std::any_of(record.begin(), record.end(), [&](const RecordEntry& other) {
      return other.name == entry->name;
    });
    if (repeated) return fail(fmt::format("'{}' twice", entry->name));
    record.push_back(std::move(*entry));
  }
  return record;
}

Record record_of(const Environment& environment, std::vector<std::string>& warnings) {
  Result<Record> record = parse_record(lookup(environment, kRecord).value_or(""));
  if (record) return *std::move(record);
  warnings.push_back(fmt::format("{} is damaged ({}): every HA_* variable counts as the user's own",
                                 kRecord, record.error().text));
  return {};
}

bool is_unchanged(const RecordEntry& entry, const Environment& environment) {
  const std::optional<std::string> now = lookup(environment, entry.name);
  if (is_list_variable(entry.name)) return now && entry.value && list_contains(*now, *entry.value);
  return now == entry.value;
}

Record take_back(Environment& environment, const Record& record,
                 const std::function<bool(const RecordEntry&)>& restores) {
  Record owed;
  for (const RecordEntry& entry : record) {
    if (!is_unchanged(entry, environment)) continue;
    if (is_list_variable(entry.name)) {
      take_back_list(environment, entry);
      continue;
    }
    environment.erase(entry.name);
    if (!entry.replaced) continue;
    if (restores(entry)) {
      environment[entry.name] = *entry.replaced;
    } else {
      owed.push_back(entry);
    }
  }
  environment.erase(std::string(kRecord));
  return owed;
}

}  // namespace hyperacc

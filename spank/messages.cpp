#include "spank/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spank/node_name.hpp"
#include "spank/spank_api.hpp"

namespace hyperacc::spank {
namespace {

std::string with_severity(const Message& message) {
  switch (message.severity) {
    case Severity::debug:
      return "debug: " + message.text;
    case Severity::info:
      return message.text;
    case Severity::warning:
      return "warning: " + message.text;
    case Severity::error:
      break;
  }
  return "error: " + message.text;
}

LogLevel level(Severity severity) {
  return static_cast<LogLevel>(severity);
}
static_assert(static_cast<int>(Severity::debug) == static_cast<int>(LogLevel::debug));
static_assert(static_cast<int>(Severity::error) == static_cast<int>(LogLevel::error));

void to_user(const Message& message) {
  if (message.severity == Severity::error) {
    log_error(message.text.c_str());  // Slurm adds the word
  } else {
    tell(with_severity(message).c_str());
  }
}

}  // namespace

void Messages::add_node_specific(Severity severity, const std::string& text) {
  entries_.push_back({{severity, fmt::format("{} (node {})", text, node_name())}, false});
}

bool Messages::user_sees(const Entry& entry) const {
  return audience_.user_asked && (audience_.first_node || !entry.step_wide) &&
         level(entry.message.severity) >= audience_.user;
}

bool Messages::log_takes(const Entry& entry) const {
  switch (audience_.log) {
    case PolicyLog::error:
      return entry.message.severity == Severity::error;
    case PolicyLog::info:
      return entry.message.severity >= Severity::info;
    case PolicyLog::debug:
      break;
  }
  return true;
}

void Messages::log() {
  std::vector<Entry> held;
  for (Entry& entry : entries_) {
    if (user_sees(entry)) {
      held.push_back(std::move(entry));
    } else if (log_takes(entry)) {
      if (entry.message.severity == Severity::error) {
        log_error(entry.message.text.c_str());
      } else {
        log_info(with_severity(entry.message).c_str());
      }
    }
  }
  entries_ = std::move(held);
  held_ = entries_.size();
}

void Messages::show(bool first_task) {
  if (!first_task) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(held_));
  }
  for (const Entry& entry : entries_) {
    if (first_task && user_sees(entry)) {
      to_user(entry.message);
    } else if (log_takes(entry)) {
      // An error would reach the user's stderr from here on.
      log_info(with_severity(entry.message).c_str());
    }
  }
  entries_.clear();
  held_ = 0;
}

}  // namespace hyperacc::spank

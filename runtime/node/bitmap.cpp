#include "runtime/node/bitmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "runtime/core/words.hpp"
#include "runtime/machine/cpu_list.hpp"

namespace hyperacc::node {
namespace {

// hwloc answers 0 or -1, and -1 is always a lack of memory here.
void require(int result) {
  if (result < 0) throw std::bad_alloc();
}

}  // namespace

Bitmap::Bitmap(hwloc_bitmap_t set) : set_(set) {
  if (!set_) throw std::bad_alloc();
}

Bitmap::Bitmap() : Bitmap(hwloc_bitmap_alloc()) {}

Bitmap::Bitmap(std::initializer_list<unsigned> members) : Bitmap() {
  for (const unsigned member : members) add(member);
}

Bitmap::Bitmap(const Bitmap& other) : Bitmap(hwloc_bitmap_dup(other.set_.get())) {}

Bitmap& Bitmap::operator=(const Bitmap& other) {
  if (this != &other) *this = Bitmap(other);
  return *this;
}

Bitmap Bitmap::from_hwloc(hwloc_const_bitmap_t set) {
  return set == nullptr ? Bitmap() : Bitmap(hwloc_bitmap_dup(set));
}

Bitmap Bitmap::of(const std::vector<unsigned>& members) {
  Bitmap bitmap;
  for (const unsigned member : members) bitmap.add(member);
  return bitmap;
}

Result<Bitmap> Bitmap::parse_list(std::string_view text) {
  // Not hwloc_bitmap_list_sscanf: it takes "0-" for an endless set and "x" for an empty one.
  const std::optional<std::vector<unsigned>> members = parse_cpu_list(text);
  if (!members) return fail(fmt::format("'{}' is not a list such as 0-7,64-71", printable(text)));
  return of(*members);
}

Result<Bitmap> Bitmap::parse_mask(std::string_view text) {
  const std::string digits(text.substr(text.rfind("0x", 0) == 0 ? 2 : 0));
  const bool hexadecimal = digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (digits.empty() || !hexadecimal || digits.size() > (kLargest + 1) / 4) {
    return fail(fmt::format("'{}' is not a mask such as 0xff", printable(text)));
  }
  Bitmap bitmap;
  require(hwloc_bitmap_taskset_sscanf(bitmap.set_.get(), digits.c_str()));
  return bitmap;
}

Bitmap Bitmap::from_words(const std::vector<unsigned long>& words) {
  Bitmap bitmap;
  if (words.empty()) return bitmap;
  require(hwloc_bitmap_from_ulongs(bitmap.set_.get(), static_cast<unsigned>(words.size()),
                                   words.data()));
  return bitmap;
}

void Bitmap::add(unsigned member) {
  require(hwloc_bitmap_set(set_.get(), member));
}
void Bitmap::remove(unsigned member) {
  require(hwloc_bitmap_clr(set_.get(), member));
}

bool Bitmap::contains(unsigned member) const {
  return hwloc_bitmap_isset(set_.get(), member) != 0;
}

bool Bitmap::includes(const Bitmap& other) const {
  return hwloc_bitmap_isincluded(other.set_.get(), set_.get()) != 0;
}

bool Bitmap::intersects(const Bitmap& other) const {
  return hwloc_bitmap_intersects(set_.get(), other.set_.get()) != 0;
}

bool Bitmap::empty() const {
  return hwloc_bitmap_iszero(set_.get()) != 0;
}

unsigned Bitmap::count() const {
  return static_cast<unsigned>(std::max(hwloc_bitmap_weight(set_.get()), 0));
}

unsigned Bitmap::first() const {
  return static_cast<unsigned>(hwloc_bitmap_first(set_.get()));
}
unsigned Bitmap::last() const {
  return static_cast<unsigned>(hwloc_bitmap_last(set_.get()));
}

std::vector<unsigned> Bitmap::members() const {
  std::vector<unsigned> members;
  for (int each = hwloc_bitmap_first(set_.get()); each >= 0;
       each = hwloc_bitmap_next(set_.get(), each)) {
    members.push_back(static_cast<unsigned>(each));
  }
  return members;
}

std::string Bitmap::to_list() const {
  const int length = hwloc_bitmap_list_snprintf(nullptr, 0, set_.get());
  require(length);
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  hwloc_bitmap_list_snprintf(text.data(), text.size(), set_.get());
  text.pop_back();
  return text;
}

std::vector<unsigned long> Bitmap::to_words() const {
  const int count = std::max(hwloc_bitmap_nr_ulongs(set_.get()), 0);
  std::vector<unsigned long> words(static_cast<std::size_t>(count));
  if (count > 0) {
    require(hwloc_bitmap_to_ulongs(set_.get(), static_cast<unsigned>(count), words.data()));
  }
  return words;
}

Bitmap& Bitmap::operator&=(const Bitmap& other) {
  require(hwloc_bitmap_and(set_.get(), set_.get(), other.set_.get()));
  return *this;
}

Bitmap& Bitmap::operator|=(const Bitmap& other) {
  require(hwloc_bitmap_or(set_.get(), set_.get(), other.set_.get()));
  return *this;
}

Bitmap& Bitmap::operator-=(const Bitmap& other) {
  require(hwloc_bitmap_andnot(set_.get(), set_.get(), other.set_.get()));
  return *this;
}

bool operator==(const Bitmap& a, const Bitmap& b) {
  return hwloc_bitmap_isequal(a.set_.get(), b.set_.get()) != 0;
}

}  // namespace hyperacc::node

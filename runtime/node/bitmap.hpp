// A set of CPU or NUMA node numbers, of any size.
#pragma once

#include <hwloc/bitmap.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/result.hpp"

namespace hyperacc::node {

class Bitmap {
 public:
  // Larger numbers are refused when text is read: no Linux machine has them.
  static constexpr unsigned kLargest = 65535;

  Bitmap();
  Bitmap(std::initializer_list<unsigned> members);
  Bitmap(const Bitmap& other);
  Bitmap(Bitmap&& other) noexcept = default;
  Bitmap& operator=(const Bitmap& other);
  Bitmap& operator=(Bitmap&& other) noexcept = default;
  ~Bitmap() = default;

  // hwloc's set, copied; null gives the empty one.
  static Bitmap from_hwloc(hwloc_const_bitmap_t set);
  static Bitmap of(const std::vector<unsigned>& members);
  // The kernel's list format, "0-7,64-71"; empty text is the empty set.
  static Result<Bitmap> parse_list(std::string_view text);
  // One hexadecimal mask as taskset and Slurm write it, "0xff00".
  static Result<Bitmap> parse_mask(std::string_view text);
  // The words of a cpu_set_t or a node mask.
  static Bitmap from_words(const std::vector<unsigned long>& words);

  void add(unsigned member);
  void remove(unsigned member);

  bool contains(unsigned member) const;
  bool includes(const Bitmap& other) const;
  bool intersects(const Bitmap& other) const;
  bool empty() const;
  unsigned count() const;
  unsigned first() const;  // of a set that is not empty
  unsigned last() const;   // likewise
  std::vector<unsigned> members() const;

  std::string to_list() const;
  std::vector<unsigned long> to_words() const;

  Bitmap& operator&=(const Bitmap& other);
  Bitmap& operator|=(const Bitmap& other);
  Bitmap& operator-=(const Bitmap& other);
  friend Bitmap operator&(Bitmap a, const Bitmap& b) { return std::move(a &= b); }
  friend Bitmap operator|(Bitmap a, const Bitmap& b) { return std::move(a |= b); }
  friend Bitmap operator-(Bitmap a, const Bitmap& b) { return std::move(a -= b); }
  friend bool operator==(const Bitmap& a, const Bitmap& b);

 private:
  struct Free {
    void operator()(hwloc_bitmap_s* set) const { hwloc_bitmap_free(set); }
  };
  explicit Bitmap(hwloc_bitmap_t set);

  // Null after a move: only assigned to or destroyed then.
  std::unique_ptr<hwloc_bitmap_s, Free> set_;
};

}  // namespace hyperacc::node

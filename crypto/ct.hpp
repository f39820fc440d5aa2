// Constant-time words: masks that pass a barrier, so that no compiler turns them into branches.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::crypto::ct {

/// Hides how `v` was computed from the optimiser.
template <class Word>
inline Word barrier(Word v) noexcept {
  __asm__("" : "+r"(v));
  return v;
}

/// All ones or all zeros. Only a Mask selects; it can be made only through a barrier.
class Mask {
 public:
  /// All ones when `bit` is 1, all zeros when it is 0; other values are not allowed.
  static Mask from_bit(std::uint64_t bit) noexcept { return Mask(barrier(std::uint64_t{0} - bit)); }
  static Mask is_zero(std::uint64_t v) noexcept { return from_bit((~v & (v - 1)) >> 63); }
  static Mask equal(std::uint64_t a, std::uint64_t b) noexcept { return is_zero(a ^ b); }

  [[nodiscard]] std::uint64_t word() const noexcept { return bits_; }
  [[nodiscard]] std::uint64_t bit() const noexcept { return bits_ & 1; }
  /// `a` where the mask is set, else `b`.
  [[nodiscard]] std::uint64_t select(std::uint64_t a, std::uint64_t b) const noexcept {
    return b ^ (bits_ & (a ^ b));
  }
  Mask operator~() const noexcept { return Mask(barrier(~bits_)); }
  Mask operator&(Mask o) const noexcept { return Mask(barrier(bits_ & o.bits_)); }
  Mask operator|(Mask o) const noexcept { return Mask(barrier(bits_ | o.bits_)); }

 private:
  explicit Mask(std::uint64_t bits) noexcept : bits_(bits) {}
  std::uint64_t bits_;
};

/// Whether `a` and `b`, both of `n` octets, are the same; the time depends on `n` alone.
[[nodiscard]] inline bool equal(const std::uint8_t* a, const std::uint8_t* b, std::size_t n) noexcept {
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < n; i++) difference |= static_cast<std::uint64_t>(a[i] ^ b[i]);
  return Mask::is_zero(barrier(difference)).bit() != 0;
}

}  // namespace signet::crypto::ct

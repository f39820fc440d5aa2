// Poly1305 (RFC 8439 section 2.5): h <- (h + m) * r mod 2^130 - 5, three words in radix 2^64, reduced in
// part. The step is here, so that a kernel can take it between steps of its own; the rest is in
// poly1305_portable.cpp.
//
// Bounds, with r < 2^124 and r1 a multiple of 4 (clamped): h < 5 * 2^128 between blocks, so h + m < 7 * 2^128
// and h2 <= 6. 5 (r1 / 4) = r1 + r1 / 4 < 2^61; the column sums are then under 2^126 each and column2 under
// 2^63.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/kernels/octets.hpp>

namespace signet::crypto {

struct Poly1305Key {
  std::uint64_t r[2];
  std::uint64_t s[2];
};

struct Poly1305Sum {
  std::uint64_t h[3];
};

/// h <- (h + m + top * 2^128) * r; `top` is 0 or 1.
[[gnu::always_inline]] inline void poly1305_step(Poly1305Sum& sum, const Poly1305Key& key, u128 m,
                                                 std::uint64_t top) noexcept {
  const auto low = [](u128 v) { return static_cast<std::uint64_t>(v); };
  const auto high = [](u128 v) { return static_cast<std::uint64_t>(v >> 64); };
  const u128 text = (u128{sum.h[1]} << 64 | sum.h[0]) + m;
  const std::uint64_t h0 = low(text);
  const std::uint64_t h1 = high(text);
  const std::uint64_t h2 = sum.h[2] + top + (text < m ? 1U : 0U);
  const std::uint64_t r1_5 = key.r[1] + (key.r[1] >> 2);  // r1 * 2^128 = 5 (r1 / 4)
  const u128 column0 = u128{h0} * key.r[0] + u128{h1} * r1_5;
  const u128 column1 = u128{h0} * key.r[1] + u128{h1} * key.r[0] + h2 * r1_5 + high(column0);
  const std::uint64_t column2 = h2 * key.r[0] + high(column1);
  const std::uint64_t back = (column2 >> 2) + (column2 & ~std::uint64_t{3});  // 5 (column2 / 4)
  const u128 bottom = u128{low(column1)} << 64 | low(column0);
  const u128 folded = bottom + back;
  sum.h[0] = low(folded);
  sum.h[1] = high(folded);
  sum.h[2] = (column2 & 3) + (folded < bottom ? 1U : 0U);
}

class Poly1305Portable {
 public:
  /// `key` has 32 octets: r, then s.
  explicit Poly1305Portable(const std::uint8_t* key) noexcept;
  /// Takes `data`, its last block filled up with zeros as RFC 8439 section 2.8 has it: pieces of whole
  /// blocks, the last excepted.
  void update(base::Bytes data) noexcept;
  /// Takes the last block of a message that is not filled up, 1 to 15 octets.
  void update_short(base::Bytes data) noexcept;
  /// Takes a block of two words.
  void update_words(std::uint64_t low, std::uint64_t high) noexcept;
  [[nodiscard]] u128 finish() noexcept;
  void wipe() noexcept { base::wipe_object(*this); }

  // For kernels that take steps themselves.
  [[nodiscard]] const Poly1305Key& key() const noexcept { return key_; }
  [[nodiscard]] Poly1305Sum& sum() noexcept { return sum_; }

 private:
  Poly1305Key key_;
  Poly1305Sum sum_{{0, 0, 0}};
};

}  // namespace signet::crypto

// Poly1305 (RFC 8439 section 2.5): h <- (h + m) * r mod 2^130 - 5, three words in radix 2^64, reduced in part.
// In: a key of 32 octets, blocks of 16 at any alignment. Constant time.
//
// Bounds, with r < 2^124 and r1 a multiple of 4 (clamped): h < 5 * 2^128 between blocks, so h + m < 7 * 2^128 and h2 <= 6.
// 5 (r1 / 4) = r1 + r1 / 4 < 2^61; the column sums are then under 2^125 each and h2 * r0 under 2^63.
#include <signet/crypto/kernels/portable/poly1305_portable.hpp>

#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/aead_kernels.hpp>

namespace signet::crypto {
namespace {

inline std::uint64_t low_word(u128 v) noexcept { return static_cast<std::uint64_t>(v); }
inline std::uint64_t high_word(u128 v) noexcept { return static_cast<std::uint64_t>(v >> 64); }

/// h <- (h + m) * r; `top` is the bit above the block, at 2^128.
inline void multiply_block(std::uint64_t h[3], const std::uint64_t r[2], u128 m, std::uint64_t top) noexcept {
  const u128 sum0 = u128{h[0]} + low_word(m);
  const u128 sum1 = u128{h[1]} + high_word(m) + high_word(sum0);
  const std::uint64_t h0 = low_word(sum0);
  const std::uint64_t h1 = low_word(sum1);
  const std::uint64_t h2 = h[2] + top + high_word(sum1);
  const std::uint64_t r1_5 = r[1] + (r[1] >> 2);  // r1 * 2^128 = 5 (r1 / 4)
  const u128 column0 = u128{h0} * r[0] + u128{h1} * r1_5;
  const u128 column1 = u128{h0} * r[1] + u128{h1} * r[0] + u128{h2 * r1_5} + high_word(column0);
  const std::uint64_t column2 = h2 * r[0] + high_word(column1);
  const u128 back0 = u128{low_word(column0)} + (column2 >> 2) + (column2 & ~std::uint64_t{3});  // 5 (column2 / 4)
  const u128 back1 = u128{low_word(column1)} + high_word(back0);
  h[0] = low_word(back0);
  h[1] = low_word(back1);
  h[2] = (column2 & 3) + high_word(back1);
}

}  // namespace

Poly1305Portable::Poly1305Portable(const std::uint8_t* key) noexcept {
  r_[0] = load_word<std::uint64_t>(key) & 0x0FFF'FFFC'0FFF'FFFF;
  r_[1] = load_word<std::uint64_t>(key + 8) & 0x0FFF'FFFC'0FFF'FFFC;
  s_[0] = load_word<std::uint64_t>(key + 16);
  s_[1] = load_word<std::uint64_t>(key + 24);
}

void Poly1305Portable::update(base::Bytes data) noexcept {
  std::uint64_t h[3] = {h_[0], h_[1], h_[2]};
  for (; data.size() >= 16; data = data.subspan(16)) multiply_block(h, r_, load_word<u128>(data.data()), 1);
  if (!data.empty()) multiply_block(h, r_, load_octets(data.data(), data.size()), 1);
  std::memcpy(h_, h, sizeof h);
}

void Poly1305Portable::update_short(base::Bytes data) noexcept {
  const u128 end = u128{1} << (8 * data.size());
  multiply_block(h_, r_, load_octets(data.data(), data.size()) | end, 0);
}

void Poly1305Portable::update_words(std::uint64_t low, std::uint64_t high) noexcept {
  multiply_block(h_, r_, u128{high} << 64 | low, 1);
}

/// h mod 2^130 - 5, plus s mod 2^128. h < 2 (2^130 - 5), so one subtraction at most; h + 5 reaching 2^130 tells.
u128 Poly1305Portable::finish() noexcept {
  const u128 h = u128{h_[1]} << 64 | h_[0];
  const u128 reduced = h + 5;
  const std::uint64_t carry = high_word(u128{high_word(u128{h_[0]} + 5)} + h_[1]);
  const ct::Mask over = ct::Mask::from_bit((h_[2] + carry) >> 2 & 1);
  const std::uint64_t low = over.select(low_word(reduced), h_[0]);
  const std::uint64_t high = over.select(high_word(reduced), h_[1]);
  return (u128{high} << 64 | low) + (u128{s_[1]} << 64 | s_[0]);
}

void poly1305(std::uint8_t tag[16], const std::uint8_t* key, base::Bytes message) noexcept {
  Poly1305Portable mac(key);
  const std::size_t whole = message.size() / 16 * 16;
  mac.update(message.first(whole));
  if (whole != message.size()) mac.update_short(message.subspan(whole));
  store_word(tag, mac.finish());
  mac.wipe();
}

}  // namespace signet::crypto

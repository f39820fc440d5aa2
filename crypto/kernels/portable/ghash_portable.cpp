// GHASH (NIST SP 800-38D section 6.4): Y <- (Y + X) * H in GF(2)[x] / (x^128 + x^7 + x^2 + x + 1).
// In: blocks of 16 octets at any alignment. Constant time: integer multiplication, logic and shifts only.
#include <signet/crypto/kernels/portable/ghash_portable.hpp>

namespace signet::crypto {
namespace {

constexpr std::uint64_t every_fourth = 0x1111'1111'1111'1111;

/// The carry-less product of 64 and 32 bits, by integer products of numbers with holes: bits 4 apart. At most
/// eight ones meet in one place, so a sum stays within its four bits and its lowest bit is the sum without
/// carries.
inline u128 multiply_by_half(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t as[4];
  std::uint64_t bs[4];
  for (int i = 0; i < 4; i++) {
    as[i] = a & every_fourth << i;
    bs[i] = b & every_fourth << i;
  }
  u128 product = 0;
  for (int i = 0; i < 4; i++) {
    u128 sum = 0;
    for (int j = 0; j < 4; j++) sum ^= u128{as[j]} * bs[(i - j) & 3];
    product |= sum & (u128{every_fourth} << 64 | every_fourth) << i;
  }
  return product;
}

inline u128 multiply(std::uint64_t a, std::uint64_t b) noexcept {
  return multiply_by_half(a, b & 0xFFFF'FFFF) ^ multiply_by_half(a, b >> 32) << 32;
}

/// Takes word `low` of a product, whose first bit is x^191 or x^255, to the words above it: x^128 = x^7 + x^2
/// + x + 1.
inline void fold(std::uint64_t low, std::uint64_t& next, std::uint64_t& after) noexcept {
  after ^= low ^ low >> 1 ^ low >> 2 ^ low >> 7;
  next ^= low << 63 ^ low << 62 ^ low << 57;
}

// GCM's bits run the other way: the first bit of the first octet is x^0. A product of two words read so has
// to move up by one bit, and its powers from x^128 on are in its low words.
inline GhashBlock multiply(GhashBlock a, GhashBlock b) noexcept {
  const u128 high = multiply(a.high, b.high);
  const u128 low = multiply(a.low, b.low);
  const u128 middle = multiply(a.high ^ a.low, b.high ^ b.low) ^ high ^ low;
  const u128 top = high ^ middle >> 64;
  const u128 bottom = low ^ middle << 64;
  const u128 top_moved = top << 1 | bottom >> 127;
  const u128 bottom_moved = bottom << 1;
  std::uint64_t w3 = static_cast<std::uint64_t>(top_moved >> 64);
  std::uint64_t w2 = static_cast<std::uint64_t>(top_moved);
  std::uint64_t w1 = static_cast<std::uint64_t>(bottom_moved >> 64);
  fold(static_cast<std::uint64_t>(bottom_moved), w1, w2);
  fold(w1, w2, w3);
  return {w3, w2};
}

inline GhashBlock load_block(const std::uint8_t* p) noexcept {
  return {base::load_be64(p), base::load_be64(p + 8)};
}

}  // namespace

GhashPortable::GhashPortable(const std::uint8_t* h) noexcept : key_(load_block(h)) {}

void GhashPortable::take(GhashBlock block) noexcept {
  sum_ = multiply({sum_.high ^ block.high, sum_.low ^ block.low}, key_);
}

void GhashPortable::update(base::Bytes data) noexcept {
  for (; data.size() >= 16; data = data.subspan(16)) take(load_block(data.data()));
  if (data.empty()) return;
  std::uint8_t last[16];
  store_word(last, load_octets(data.data(), data.size()));
  take(load_block(last));
}

u128 GhashPortable::finish(std::size_t aad_bytes, std::size_t text_bytes) noexcept {
  take({std::uint64_t{aad_bytes} * 8, std::uint64_t{text_bytes} * 8});
  std::uint8_t octets[16];
  base::store_be64(octets, sum_.high);
  base::store_be64(octets + 8, sum_.low);
  return load_word<u128>(octets);
}

}  // namespace signet::crypto

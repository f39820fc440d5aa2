// What AES-GCM on aarch64 is made of: the AES instructions with their key expansion, GHASH products, and the
// ends of messages.
//
// GHASH: Y <- (Y + X) * H in GF(2)[x] / (x^128 + x^7 + x^2 + x + 1). Blocks are used with their octets
// reversed, so that bit 127 of a block is x^0. Lane 0 of a register has a block's upper half: reversing
// within lanes is enough. A carry-less product of two such numbers lacks one factor x; the stored powers of H
// have it (`times_x`). Sums of products are reduced once: sum of X[i] * H^(n-i), each product by Karatsuba's
// three.
//
// Expanded key: H^8, H^7, ... H^1, then the sums of their halves in the same order, 8 octets each, then the
// round keys.
#pragma once

#include <signet/crypto/kernels/aead_kernels.hpp>

#if defined(SIGNET_ARMV8_CRYPTO)
#include <arm_neon.h>

#define SIGNET_GCM_TARGET __attribute__((target("+crypto")))
#define SIGNET_GCM_INLINE static inline __attribute__((always_inline)) SIGNET_GCM_TARGET

namespace signet::crypto::gcm_armv8 {

constexpr std::size_t block_bytes = 16;
constexpr std::size_t power_count = 8;
constexpr std::size_t half_sums_at = power_count * block_bytes;
constexpr std::size_t round_keys_at = half_sums_at + power_count * 8;
static_assert(round_keys_at + 15 * block_bytes <= expanded_key_bytes);

/// A block as it lies in memory.
using Block = uint8x16_t;
/// A block or product for GHASH; of a block, lane 0 is the upper half.
using Halves = uint64x2_t;

SIGNET_GCM_INLINE Block from_word(u128 v) noexcept {
  return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(static_cast<std::uint64_t>(v)),
                                           vcreate_u64(static_cast<std::uint64_t>(v >> 64))));
}

SIGNET_GCM_INLINE u128 to_word(Block b) noexcept {
  const Halves v = vreinterpretq_u64_u8(b);
  return u128{vgetq_lane_u64(v, 1)} << 64 | vgetq_lane_u64(v, 0);
}

SIGNET_GCM_INLINE Halves to_halves(Block b) noexcept { return vreinterpretq_u64_u8(vrev64q_u8(b)); }
SIGNET_GCM_INLINE Block to_block(Halves v) noexcept { return vrev64q_u8(vreinterpretq_u8_u64(v)); }
SIGNET_GCM_INLINE Halves swap(Halves v) noexcept { return vextq_u64(v, v, 1); }
SIGNET_GCM_INLINE Halves zero() noexcept { return vdupq_n_u64(0); }

// ---- GHASH ----

SIGNET_GCM_INLINE Halves multiply_lanes_0(Halves a, Halves b) noexcept {
  const poly64x2_t x = vreinterpretq_p64_u64(a), y = vreinterpretq_p64_u64(b);
  return vreinterpretq_u64_p128(vmull_p64(vgetq_lane_p64(x, 0), vgetq_lane_p64(y, 0)));
}

SIGNET_GCM_INLINE Halves multiply_lanes_1(Halves a, Halves b) noexcept {
  return vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)));
}

/// H^n, n from 1 to 8.
SIGNET_GCM_INLINE Halves power(const std::uint8_t* expanded, std::size_t n) noexcept {
  return vreinterpretq_u64_u8(vld1q_u8(expanded + block_bytes * (power_count - n)));
}

/// The sum of the halves of H^n, in lane 0.
SIGNET_GCM_INLINE Halves half_sum(const std::uint8_t* expanded, std::size_t n) noexcept {
  return vcombine_u64(vreinterpret_u64_u8(vld1_u8(expanded + half_sums_at + 8 * (power_count - n))),
                      vcreate_u64(0));
}

/// A sum of products of 256 bits that was not reduced: low + (low + high + middle) * 2^64 + high * 2^128.
/// Lane 0 of each is its lower half.
struct Product {
  Halves low;
  Halves middle;
  Halves high;
};

SIGNET_GCM_INLINE Product no_product() noexcept { return {zero(), zero(), zero()}; }

/// The sum of the two halves, in lane 0.
SIGNET_GCM_INLINE Halves add_halves(Halves v) noexcept { return veorq_u64(v, swap(v)); }

/// Adds a * b; `b_halves` has the sum of b's halves in lane 0.
SIGNET_GCM_INLINE void add_product(Product& sum, Halves a, Halves b, Halves b_halves) noexcept {
  sum.middle = veorq_u64(sum.middle, multiply_lanes_0(add_halves(a), b_halves));
  sum.high = veorq_u64(sum.high, multiply_lanes_0(a, b));
  sum.low = veorq_u64(sum.low, multiply_lanes_1(a, b));
}

/// Adds a * H^n.
SIGNET_GCM_INLINE void add_power(Product& sum, Halves a, const std::uint8_t* expanded,
                                 std::size_t n) noexcept {
  add_product(sum, a, power(expanded, n), half_sum(expanded, n));
}

/// Folds the lowest word upwards, twice: in this bit order 1 = x^128 + x^127 + x^126 + x^121 is 0xC2 << 56
/// and a word.
SIGNET_GCM_INLINE Halves reduce(const Product& p) noexcept {
  const Halves fold = vdupq_n_u64(0xC200'0000'0000'0000);
  const Halves outer = veorq_u64(p.high, add_halves(p.low));
  const Halves middle = veorq_u64(veorq_u64(p.middle, outer), multiply_lanes_0(p.low, fold));
  return veorq_u64(middle, swap(veorq_u64(p.high, multiply_lanes_0(middle, fold))));
}

SIGNET_GCM_INLINE Halves multiply(Halves a, Halves b, Halves b_halves) noexcept {
  Product p = no_product();
  add_product(p, a, b, b_halves);
  return reduce(p);
}

/// H * x: one bit up, and x^128 = x^7 + x^2 + x + 1.
SIGNET_GCM_INLINE Halves times_x(Halves h) noexcept {
  const Halves moved = vorrq_u64(vshlq_n_u64(h, 1), vextq_u64(vshrq_n_u64(h, 63), zero(), 1));
  const Halves overflow =
      vreinterpretq_u64_s64(vshrq_n_s64(vreinterpretq_s64_u64(vdupq_laneq_u64(h, 0)), 63));
  const Halves polynomial = vcombine_u64(vcreate_u64(0xC200'0000'0000'0000), vcreate_u64(1));
  return veorq_u64(moved, vandq_u64(overflow, polynomial));
}

SIGNET_GCM_INLINE Halves times_h(const std::uint8_t* expanded, Halves block) noexcept {
  return multiply(block, power(expanded, 1), half_sum(expanded, 1));
}

/// The additional data, its last block filled up with zeros, hashed but for the last multiplication by H.
SIGNET_GCM_INLINE Halves aad_block(const std::uint8_t* expanded, base::Bytes aad) noexcept {
  Halves y = zero();
  for (; aad.size() > block_bytes; aad = aad.subspan(block_bytes)) {
    y = times_h(expanded, veorq_u64(y, to_halves(vld1q_u8(aad.data()))));
  }
  return veorq_u64(y, to_halves(from_word(load_octets(aad.data(), aad.size()))));
}

SIGNET_GCM_INLINE Halves lengths_block(std::size_t aad_bytes, std::size_t text_bytes) noexcept {
  return vcombine_u64(vcreate_u64(aad_bytes * 8), vcreate_u64(text_bytes * 8));
}

// ---- AES ----

SIGNET_GCM_INLINE Block round_key(const std::uint8_t* expanded, int i) noexcept {
  return vld1q_u8(expanded + round_keys_at + block_bytes * static_cast<std::size_t>(i));
}

/// One block; `rounds` is 10 or 14. The instruction adds its round key first.
template <int rounds>
SIGNET_GCM_INLINE Block encrypt_one(const std::uint8_t* expanded, Block block) noexcept {
  for (int i = 0; i < rounds - 1; i++) block = vaesmcq_u8(vaeseq_u8(block, round_key(expanded, i)));
  return veorq_u8(vaeseq_u8(block, round_key(expanded, rounds - 1)), round_key(expanded, rounds));
}

/// Word i becomes the sum of words 0 to i.
SIGNET_GCM_INLINE Block running_sum(Block words) noexcept {
  const Block none = vdupq_n_u8(0);
  words = veorq_u8(words, vextq_u8(none, words, 12));
  return veorq_u8(words, vextq_u8(none, words, 8));
}

/// SubWord (FIPS 197 section 5.2) of the last word of `key`, in all four words: with the same word in each
/// column, ShiftRows changes nothing.
SIGNET_GCM_INLINE Block substitute(Block key) noexcept {
  return vaeseq_u8(vreinterpretq_u8_u32(vdupq_laneq_u32(vreinterpretq_u32_u8(key), 3)), vdupq_n_u8(0));
}

/// RotWord, SubWord and the round constant, likewise.
SIGNET_GCM_INLINE Block rotate_substitute(Block key, std::uint32_t constant) noexcept {
  const uint32x4_t words = vreinterpretq_u32_u8(substitute(key));
  const uint32x4_t rotated = vsriq_n_u32(vshlq_n_u32(words, 24), words, 8);
  return vreinterpretq_u8_u32(veorq_u32(rotated, vdupq_n_u32(constant)));
}

SIGNET_GCM_INLINE void expand_128(std::uint8_t* round_keys, const std::uint8_t* key) noexcept {
  constexpr std::uint32_t constants[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1B, 0x36};
  Block k = vld1q_u8(key);
  vst1q_u8(round_keys, k);
  for (const std::uint32_t constant : constants) {
    k = veorq_u8(running_sum(k), rotate_substitute(k, constant));
    round_keys += block_bytes;
    vst1q_u8(round_keys, k);
  }
}

SIGNET_GCM_INLINE void expand_256(std::uint8_t* round_keys, const std::uint8_t* key) noexcept {
  Block even = vld1q_u8(key);
  Block odd = vld1q_u8(key + block_bytes);
  vst1q_u8(round_keys, even);
  vst1q_u8(round_keys + block_bytes, odd);
  for (std::uint32_t i = 0; i < 6; i++) {
    round_keys += 2 * block_bytes;
    even = veorq_u8(running_sum(even), rotate_substitute(odd, 1U << i));
    odd = veorq_u8(running_sum(odd), substitute(even));
    vst1q_u8(round_keys, even);
    vst1q_u8(round_keys + block_bytes, odd);
  }
  even = veorq_u8(running_sum(even), rotate_substitute(odd, 0x40));
  vst1q_u8(round_keys + 2 * block_bytes, even);
}

SIGNET_GCM_INLINE void store_power(std::uint8_t* expanded, std::size_t n, Halves value) noexcept {
  vst1q_u8(expanded + block_bytes * (power_count - n), vreinterpretq_u8_u64(value));
  vst1_u8(expanded + half_sums_at + 8 * (power_count - n),
          vreinterpret_u8_u64(vget_low_u64(add_halves(value))));
}

/// Fills H^1 to H^8, each power from two that are about half.
SIGNET_GCM_INLINE void fill_powers(std::uint8_t* expanded, Block h) noexcept {
  store_power(expanded, 1, times_x(to_halves(h)));
  for (std::size_t known = 1; known < power_count; known *= 2) {
    const Halves highest = power(expanded, known);
    const Halves halves = add_halves(highest);
    for (std::size_t i = 1; i <= known; i++) {
      store_power(expanded, known + i, multiply(power(expanded, i), highest, halves));
    }
  }
}

template <int rounds>
SIGNET_GCM_INLINE void expand_key(std::uint8_t* expanded, const std::uint8_t* key) noexcept {
  if constexpr (rounds == 10) expand_128(expanded + round_keys_at, key);
  if constexpr (rounds == 14) expand_256(expanded + round_keys_at, key);
  fill_powers(expanded, encrypt_one<rounds>(expanded, vdupq_n_u8(0)));
}

/// The counter block with the octets of each word reversed, so that counting is an addition.
using Counter = uint32x4_t;

SIGNET_GCM_INLINE Counter first_counter(const std::uint8_t* nonce) noexcept {
  const u128 block = load_word<std::uint64_t>(nonce) | u128{load_word<std::uint32_t>(nonce + 8)} << 64;
  return vreinterpretq_u32_u8(vrev32q_u8(from_word(block | u128{1} << 120)));
}

SIGNET_GCM_INLINE Counter add_to_counter(Counter counter, std::uint32_t n) noexcept {
  return vaddq_u32(counter, vsetq_lane_u32(n, vdupq_n_u32(0), 3));
}

SIGNET_GCM_INLINE Block counter_block(Counter counter) noexcept {
  return vrev32q_u8(vreinterpretq_u8_u32(counter));
}

// ---- the end of a message ----

/// What a message's processing carries along.
struct Text {
  TwoPieces pieces;
  std::uint8_t* dst;
  Halves hash;
  Counter counter;  // of the next block
};

/// A batch of blocks at the end of a text: the key stream for them, and the sum of their products. The first
/// block takes the hash so far along, each has the next lower power of H.
struct Batch {
  const std::uint8_t* pad;
  const std::uint8_t* pad_end;
  bool with_lengths;
  std::size_t exponent;
  Halves carry;
  Product sum;
};

/// Up to `room` blocks with the key stream at `pad`; with the text's end also the block of lengths, when the
/// powers of H do for it.
SIGNET_GCM_INLINE Batch start_batch(const Text& text, const std::uint8_t* pad, std::size_t room) noexcept {
  const std::size_t left = (text.pieces.left() + block_bytes - 1) / block_bytes;
  const std::size_t count = left < room ? left : room;
  const bool with_lengths = left == count && count < power_count;
  return {pad,         pad + block_bytes * count, with_lengths, with_lengths ? count + 1 : count, text.hash,
          no_product()};
}

SIGNET_GCM_INLINE void hash_next(Batch& batch, Block block, const std::uint8_t* expanded) noexcept {
  add_power(batch.sum, veorq_u64(batch.carry, to_halves(block)), expanded, batch.exponent);
  batch.carry = zero();
  batch.exponent--;
  batch.pad += block_bytes;
}

template <bool sealing>
SIGNET_GCM_INLINE void end_whole_block(Text& text, Batch& batch, const std::uint8_t* expanded) noexcept {
  const Block in = vld1q_u8(text.pieces.at());
  const Block out = veorq_u8(in, vld1q_u8(batch.pad));
  text.pieces.skip(block_bytes);
  vst1q_u8(text.dst, out);
  text.dst += block_bytes;
  hash_next(batch, sealing ? out : in, expanded);
}

/// A block that is not whole, or that has octets of the tail.
template <bool sealing>
SIGNET_GCM_INLINE void end_mixed_block(Text& text, Batch& batch, const std::uint8_t* expanded) noexcept {
  std::size_t n = 0;
  const Block in = from_word(text.pieces.next(n));
  const u128 octets = first_octets(to_word(veorq_u8(in, vld1q_u8(batch.pad))), n);
  store_octets(text.dst, octets, n);
  text.dst += n;
  hash_next(batch, sealing ? from_word(octets) : in, expanded);
}

/// Seals or opens what is left of the batch and takes it to the hash. Whether the lengths were taken is the
/// answer.
template <bool sealing>
SIGNET_GCM_INLINE bool finish_batch(Text& text, Batch& batch, const std::uint8_t* expanded,
                                    Halves lengths) noexcept {
  while (batch.pad != batch.pad_end && text.pieces.first_left() >= block_bytes) {
    end_whole_block<sealing>(text, batch, expanded);
  }
  while (batch.pad != batch.pad_end) end_mixed_block<sealing>(text, batch, expanded);
  if (batch.with_lengths) add_power(batch.sum, veorq_u64(batch.carry, lengths), expanded, 1);
  text.hash = reduce(batch.sum);
  return batch.with_lengths;
}

}  // namespace signet::crypto::gcm_armv8

#endif

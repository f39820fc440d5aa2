// The parts that the AES-GCM kernels of x86_64 share: key expansion, GHASH products and the ends of messages.
//
// GHASH: Y <- (Y + X) * H in GF(2)[x] / (x^128 + x^7 + x^2 + x + 1). Blocks are used with their octets
// reversed, so that bit 127 of a register is x^0. A carry-less product of two such numbers lacks one factor
// x; the stored powers of H have it (`times_x`). Sums of products are reduced once: sum of X[i] * H^(n-i). A
// carry-less product takes its unit for two cycles at any width, so Karatsuba's three are used instead of
// four; the sum of each power's halves is kept.
//
// Expanded key: H^16, H^15, ... H^1 (a kernel of width 8 fills the last 8), then 16 sums of halves, 8 octets
// each, in groups of four as a register of two lanes wants them (H^16, H^14 | H^15, H^13), then the round
// keys.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <signet/crypto/kernels/aead_kernels.hpp>

#define SIGNET_GCM_TARGET __attribute__((target("aes,pclmul,ssse3,sse4.1")))
#define SIGNET_GCM_INLINE static inline __attribute__((always_inline)) SIGNET_GCM_TARGET

namespace signet::crypto::gcm_x86 {

constexpr std::size_t block_bytes = 16;
constexpr std::size_t power_count = 16;
constexpr std::size_t half_sums_at = power_count * block_bytes;
constexpr std::size_t round_keys_at = half_sums_at + power_count * 8;
static_assert(round_keys_at + 15 * block_bytes <= expanded_key_bytes);

SIGNET_GCM_INLINE __m128i load(const std::uint8_t* p) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
SIGNET_GCM_INLINE void store(std::uint8_t* p, __m128i v) noexcept {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v);
}
SIGNET_GCM_INLINE __m128i load_aligned(const std::uint8_t* p) noexcept {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(p));
}
SIGNET_GCM_INLINE void store_aligned(std::uint8_t* p, __m128i v) noexcept {
  _mm_store_si128(reinterpret_cast<__m128i*>(p), v);
}
SIGNET_GCM_INLINE __m128i from_word(u128 v) noexcept {
  return _mm_set_epi64x(static_cast<long long>(v >> 64), static_cast<long long>(v));
}
SIGNET_GCM_INLINE u128 to_word(__m128i v) noexcept {
  const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(v));
  const auto high = static_cast<std::uint64_t>(_mm_extract_epi64(v, 1));
  return u128{high} << 64 | low;
}
SIGNET_GCM_INLINE __m128i reverse_octets(__m128i v) noexcept {
  return _mm_shuffle_epi8(v, _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F));
}

SIGNET_GCM_INLINE __m128i round_key(const std::uint8_t* expanded, int i) noexcept {
  return load_aligned(expanded + round_keys_at + block_bytes * static_cast<std::size_t>(i));
}

/// H^n, n from 1 to 16.
SIGNET_GCM_INLINE __m128i power(const std::uint8_t* expanded, std::size_t n) noexcept {
  return load_aligned(expanded + block_bytes * (power_count - n));
}

/// Where the sum of the halves of H^n is.
constexpr std::size_t half_sum_at(std::size_t n) noexcept {
  const std::size_t i = power_count - n;
  return half_sums_at + 32 * (i / 4) + 16 * (i % 2) + 8 * (i / 2 % 2);
}

SIGNET_GCM_INLINE __m128i half_sum(const std::uint8_t* expanded, std::size_t n) noexcept {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(expanded + half_sum_at(n)));
}

// ---- GHASH ----

/// A sum of products of 256 bits that was not reduced: low + (low + high + middle) * 2^64 + high * 2^128.
struct Product {
  __m128i low;
  __m128i middle;
  __m128i high;
};

SIGNET_GCM_INLINE Product no_product() noexcept {
  return {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
}

/// The sum of the two halves, in the lower half.
SIGNET_GCM_INLINE __m128i add_halves(__m128i v) noexcept {
  return _mm_xor_si128(v, _mm_shuffle_epi32(v, 0x4E));
}

/// Adds a * b; `b_halves` has the sum of b's halves in its lower half.
SIGNET_GCM_INLINE void add_product(Product& sum, __m128i a, __m128i b, __m128i b_halves) noexcept {
  sum.middle = _mm_xor_si128(sum.middle, _mm_clmulepi64_si128(add_halves(a), b_halves, 0x00));
  sum.low = _mm_xor_si128(sum.low, _mm_clmulepi64_si128(a, b, 0x00));
  sum.high = _mm_xor_si128(sum.high, _mm_clmulepi64_si128(a, b, 0x11));
}

/// Adds a * H^n.
SIGNET_GCM_INLINE void add_power(Product& sum, __m128i a, const std::uint8_t* expanded,
                                 std::size_t n) noexcept {
  add_product(sum, a, power(expanded, n), half_sum(expanded, n));
}

/// Folds the lowest word upwards, twice: in this bit order 1 = x^128 + x^127 + x^126 + x^121 is 0xC2 << 56
/// and a word.
SIGNET_GCM_INLINE __m128i reduce(const Product& p) noexcept {
  const __m128i fold = _mm_set_epi64x(0, static_cast<long long>(0xC200'0000'0000'0000));
  const __m128i outer = _mm_xor_si128(p.high, _mm_xor_si128(p.low, _mm_shuffle_epi32(p.low, 0x4E)));
  const __m128i middle =
      _mm_xor_si128(_mm_xor_si128(p.middle, outer), _mm_clmulepi64_si128(p.low, fold, 0x00));
  const __m128i swapped = _mm_shuffle_epi32(middle, 0x4E);
  return _mm_xor_si128(_mm_xor_si128(p.high, swapped), _mm_clmulepi64_si128(middle, fold, 0x00));
}

SIGNET_GCM_INLINE __m128i multiply(__m128i a, __m128i b, __m128i b_halves) noexcept {
  Product p = no_product();
  add_product(p, a, b, b_halves);
  return reduce(p);
}

/// H * x: one bit up, and x^128 = x^7 + x^2 + x + 1.
SIGNET_GCM_INLINE __m128i times_x(__m128i h) noexcept {
  const __m128i carries = _mm_srli_epi64(h, 63);
  const __m128i moved = _mm_or_si128(_mm_slli_epi64(h, 1), _mm_slli_si128(carries, 8));
  const __m128i overflow = _mm_shuffle_epi32(_mm_srai_epi32(h, 31), 0xFF);
  const __m128i polynomial = _mm_set_epi64x(static_cast<long long>(0xC200'0000'0000'0000), 1);
  return _mm_xor_si128(moved, _mm_and_si128(overflow, polynomial));
}

/// The additional data, its last block filled up with zeros, hashed but for the last multiplication by H.
SIGNET_GCM_INLINE __m128i aad_block(const std::uint8_t* expanded, base::Bytes aad) noexcept {
  const __m128i h = power(expanded, 1);
  const __m128i halves = half_sum(expanded, 1);
  __m128i y = _mm_setzero_si128();
  for (; aad.size() > block_bytes; aad = aad.subspan(block_bytes)) {
    y = multiply(_mm_xor_si128(y, reverse_octets(load(aad.data()))), h, halves);
  }
  return _mm_xor_si128(y, reverse_octets(from_word(load_octets(aad.data(), aad.size()))));
}

SIGNET_GCM_INLINE __m128i times_h(const std::uint8_t* expanded, __m128i block) noexcept {
  return multiply(block, power(expanded, 1), half_sum(expanded, 1));
}

SIGNET_GCM_INLINE __m128i lengths_block(std::size_t aad_bytes, std::size_t text_bytes) noexcept {
  return _mm_set_epi64x(static_cast<long long>(aad_bytes * 8), static_cast<long long>(text_bytes * 8));
}

// ---- AES ----

/// One block; `rounds` is 10 or 14.
template <int rounds>
SIGNET_GCM_INLINE __m128i encrypt_one(const std::uint8_t* expanded, __m128i block) noexcept {
  block = _mm_xor_si128(block, round_key(expanded, 0));
  for (int i = 1; i < rounds; i++) block = _mm_aesenc_si128(block, round_key(expanded, i));
  return _mm_aesenclast_si128(block, round_key(expanded, rounds));
}

/// Word i becomes the sum of words 0 to i.
SIGNET_GCM_INLINE __m128i running_sum(__m128i words) noexcept {
  words = _mm_xor_si128(words, _mm_slli_si128(words, 4));
  return _mm_xor_si128(words, _mm_slli_si128(words, 8));
}

// SubWord by AESENCLAST: with the same word in each column, ShiftRows changes nothing, and the round key is
// added last.

/// RotWord, SubWord and the round constant of FIPS 197 section 5.2, from the last word of `key`, in all four
/// words.
SIGNET_GCM_INLINE __m128i rotate_substitute(__m128i key, int constant) noexcept {
  const __m128i rotated = _mm_shuffle_epi8(key, _mm_set1_epi32(0x0C0F0E0D));
  return _mm_aesenclast_si128(rotated, _mm_set1_epi32(constant));
}

SIGNET_GCM_INLINE __m128i substitute(__m128i key) noexcept {
  return _mm_aesenclast_si128(_mm_shuffle_epi32(key, 0xFF), _mm_setzero_si128());
}

SIGNET_GCM_INLINE void expand_128(std::uint8_t* round_keys, const std::uint8_t* key) noexcept {
  constexpr int constants[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1B, 0x36};
  __m128i k = load(key);
  store_aligned(round_keys, k);
  for (const int constant : constants) {
    k = _mm_xor_si128(running_sum(k), rotate_substitute(k, constant));
    round_keys += block_bytes;
    store_aligned(round_keys, k);
  }
}

SIGNET_GCM_INLINE void expand_256(std::uint8_t* round_keys, const std::uint8_t* key) noexcept {
  __m128i even = load(key);
  __m128i odd = load(key + block_bytes);
  store_aligned(round_keys, even);
  store_aligned(round_keys + block_bytes, odd);
  for (int i = 0; i < 6; i++) {
    round_keys += 2 * block_bytes;
    even = _mm_xor_si128(running_sum(even), rotate_substitute(odd, 1 << i));
    odd = _mm_xor_si128(running_sum(odd), substitute(even));
    store_aligned(round_keys, even);
    store_aligned(round_keys + block_bytes, odd);
  }
  even = _mm_xor_si128(running_sum(even), rotate_substitute(odd, 0x40));
  store_aligned(round_keys + 2 * block_bytes, even);
}

SIGNET_GCM_INLINE void store_power(std::uint8_t* expanded, std::size_t n, __m128i value) noexcept {
  store_aligned(expanded + block_bytes * (power_count - n), value);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(expanded + half_sum_at(n)), add_halves(value));
}

/// Fills H^1 to H^count, count 8 or 16, each power from two that are about half.
template <std::size_t count>
SIGNET_GCM_INLINE void fill_powers(std::uint8_t* expanded, __m128i h) noexcept {
  store_power(expanded, 1, times_x(reverse_octets(h)));
  for (std::size_t known = 1; known < count; known *= 2) {
    const __m128i highest = power(expanded, known);
    const __m128i halves = add_halves(highest);
    for (std::size_t i = 1; i <= known; i++) {
      store_power(expanded, known + i, multiply(power(expanded, i), highest, halves));
    }
  }
}

template <int rounds, std::size_t powers>
SIGNET_GCM_INLINE void expand_key(std::uint8_t* expanded, const std::uint8_t* key) noexcept {
  if constexpr (rounds == 10) expand_128(expanded + round_keys_at, key);
  if constexpr (rounds == 14) expand_256(expanded + round_keys_at, key);
  fill_powers<powers>(expanded, encrypt_one<rounds>(expanded, _mm_setzero_si128()));
}

/// The counter block with its counter in the lowest word of a reversed register, so that counting is an
/// addition.
SIGNET_GCM_INLINE __m128i first_counter(const std::uint8_t* nonce) noexcept {
  const u128 block = load_word<std::uint64_t>(nonce) | u128{load_word<std::uint32_t>(nonce + 8)} << 64;
  return reverse_octets(from_word(block | u128{1} << 120));
}

SIGNET_GCM_INLINE __m128i add_to_counter(__m128i counter, int n) noexcept {
  return _mm_add_epi32(counter, _mm_cvtsi32_si128(n));
}

// ---- the end of a message ----

/// What a message's processing carries along.
struct Text {
  TwoPieces pieces;
  std::uint8_t* dst;
  __m128i hash;     // reversed
  __m128i counter;  // reversed, of the next block
};

/// A batch of blocks at the end of a text: the key stream for them, and the sum of their products. The first
/// block takes the hash so far along, each has the next lower power of H.
struct Batch {
  const std::uint8_t* pad;
  const std::uint8_t* pad_end;
  bool with_lengths;
  std::size_t exponent;
  __m128i carry;
  Product sum;
};

/// Up to `room` blocks with the key stream at `pad`; with the text's end also the block of lengths, when
/// `powers` powers of H do for it.
SIGNET_GCM_INLINE Batch start_batch(const Text& text, const std::uint8_t* pad, std::size_t room,
                                    std::size_t powers) noexcept {
  const std::size_t left = (text.pieces.left() + block_bytes - 1) / block_bytes;
  const std::size_t count = left < room ? left : room;
  const bool with_lengths = left == count && count < powers;
  return {pad,         pad + block_bytes * count, with_lengths, with_lengths ? count + 1 : count, text.hash,
          no_product()};
}

SIGNET_GCM_INLINE void hash_next(Batch& batch, __m128i block, const std::uint8_t* expanded) noexcept {
  add_power(batch.sum, _mm_xor_si128(batch.carry, reverse_octets(block)), expanded, batch.exponent);
  batch.carry = _mm_setzero_si128();
  batch.exponent--;
  batch.pad += block_bytes;
}

template <bool sealing>
SIGNET_GCM_INLINE void end_whole_block(Text& text, Batch& batch, const std::uint8_t* expanded) noexcept {
  const __m128i in = load(text.pieces.at());
  const __m128i out = _mm_xor_si128(in, load_aligned(batch.pad));
  text.pieces.skip(block_bytes);
  store(text.dst, out);
  text.dst += block_bytes;
  hash_next(batch, sealing ? out : in, expanded);
}

/// A block that is not whole, or that has octets of the tail.
template <bool sealing>
SIGNET_GCM_INLINE void end_mixed_block(Text& text, Batch& batch, const std::uint8_t* expanded) noexcept {
  std::size_t n = 0;
  const __m128i in = from_word(text.pieces.next(n));
  const u128 octets = first_octets(to_word(_mm_xor_si128(in, load_aligned(batch.pad))), n);
  store_octets(text.dst, octets, n);
  text.dst += n;
  hash_next(batch, sealing ? from_word(octets) : in, expanded);
}

/// Seals or opens what is left of the batch and takes it to the hash. Whether the lengths were taken is the
/// answer.
template <bool sealing>
SIGNET_GCM_INLINE bool finish_batch(Text& text, Batch& batch, const std::uint8_t* expanded,
                                    __m128i lengths) noexcept {
  while (batch.pad != batch.pad_end && text.pieces.first_left() >= block_bytes) {
    end_whole_block<sealing>(text, batch, expanded);
  }
  while (batch.pad != batch.pad_end) end_mixed_block<sealing>(text, batch, expanded);
  if (batch.with_lengths) add_power(batch.sum, _mm_xor_si128(batch.carry, lengths), expanded, 1);
  text.hash = reduce(batch.sum);
  return batch.with_lengths;
}

}  // namespace signet::crypto::gcm_x86

#endif

// SHA-512's compression function (FIPS 180-4 section 6.4.2): the schedule two words at a time in vector
// registers, beside the rounds in scalar ones, whose rotations are BMI2's. (Four words at a time wait longer:
// the upper two need sigma1 of the lower two.)
//
// In: a state of 8 words; `count` blocks of 128 octets at any alignment, 0 allowed, disjoint from the state.
// Constant time in state and data.
#if defined(__x86_64__)
#include <immintrin.h>

#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/sha2_kernels.hpp>
#include <signet/crypto/kernels/sha2_rounds.hpp>

#define SIGNET_TARGET __attribute__((target("avx2,bmi2")))
#define SIGNET_INLINE static inline __attribute__((always_inline)) SIGNET_TARGET

namespace signet::crypto {
namespace {

using Working = sha2::Working<std::uint64_t>;

/// This Maj keeps nothing for the next round: where the rounds alone fill the scalar registers it is faster.
struct Rounds : sha2::Wide {
  SIGNET_SHA2_INLINE Word majority(Word a, Word b, Word c) noexcept { return (a & b) + (c & (a ^ b)); }
};

SIGNET_INLINE __m128i sigma0(__m128i x) noexcept {
  const __m128i by1 = _mm_xor_si128(_mm_srli_epi64(x, 1), _mm_slli_epi64(x, 63));
  const __m128i by8 = _mm_xor_si128(_mm_srli_epi64(x, 8), _mm_slli_epi64(x, 56));
  return _mm_xor_si128(_mm_xor_si128(by1, by8), _mm_srli_epi64(x, 7));
}

SIGNET_INLINE __m128i sigma1(__m128i x) noexcept {
  const __m128i by19 = _mm_xor_si128(_mm_srli_epi64(x, 19), _mm_slli_epi64(x, 45));
  const __m128i by61 = _mm_xor_si128(_mm_srli_epi64(x, 61), _mm_slli_epi64(x, 3));
  return _mm_xor_si128(_mm_xor_si128(by19, by61), _mm_srli_epi64(x, 6));
}

SIGNET_INLINE __m128i load_words(const std::uint8_t* p) noexcept {
  const __m128i reverse = _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607);
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)), reverse);
}

/// The last sixteen words of the schedule, and the same with the constants of their rounds added.
struct Schedule {
  __m128i w[8];
  alignas(16) std::uint64_t sums[16];
};

template <std::size_t i>
SIGNET_INLINE void store_sum(Schedule& schedule, const std::uint64_t* constants) noexcept {
  const __m128i k = _mm_load_si128(reinterpret_cast<const __m128i*>(constants + 2 * i));
  _mm_store_si128(reinterpret_cast<__m128i*>(schedule.sums + 2 * i), _mm_add_epi64(schedule.w[i], k));
}

/// Pair `i` of the schedule, in the place of the pair sixteen words before it.
template <std::size_t i>
SIGNET_INLINE void extend(__m128i (&w)[8]) noexcept {
  const __m128i minus15 = _mm_alignr_epi8(w[(i + 1) % 8], w[i], 8);
  const __m128i minus7 = _mm_alignr_epi8(w[(i + 5) % 8], w[(i + 4) % 8], 8);
  const __m128i ready = _mm_add_epi64(_mm_add_epi64(w[i], minus7), sigma0(minus15));
  w[i] = _mm_add_epi64(ready, sigma1(w[(i + 7) % 8]));
}

template <std::size_t i>
SIGNET_INLINE void two_rounds(Working& s, const Schedule& schedule) noexcept {
  sha2::round<Rounds, 2 * i % 8>(s, schedule.sums[2 * i]);
  sha2::round<Rounds, (2 * i + 1) % 8>(s, schedule.sums[2 * i + 1]);
}

template <std::size_t... i>
SIGNET_INLINE void begin(Schedule& schedule, const std::uint8_t* block, std::index_sequence<i...>) noexcept {
  ((schedule.w[i] = load_words(block + 16 * i), store_sum<i>(schedule, sha512_round_constants)), ...);
}

/// Sixteen rounds, each pair after the schedule's pair for the next sixteen was begun.
template <std::size_t... i>
SIGNET_INLINE void sixteen_rounds(Working& s, Schedule& schedule, const std::uint64_t* next_constants,
                                  std::index_sequence<i...>) noexcept {
  ((extend<i>(schedule.w), two_rounds<i>(s, schedule), store_sum<i>(schedule, next_constants)), ...);
}

template <std::size_t... i>
SIGNET_INLINE void last_sixteen_rounds(Working& s, const Schedule& schedule,
                                       std::index_sequence<i...>) noexcept {
  (two_rounds<i>(s, schedule), ...);
}

SIGNET_INLINE void compress_block(std::uint64_t state[8], const std::uint8_t* block) noexcept {
  constexpr std::make_index_sequence<8> pairs;
  Schedule schedule;
  Working s;
  for (std::size_t i = 0; i < 8; i++) s.v[i] = state[i];
  begin(schedule, block, pairs);
  for (std::size_t t = 16; t < 80; t += 16) sixteen_rounds(s, schedule, sha512_round_constants + t, pairs);
  last_sixteen_rounds(s, schedule, pairs);
  for (std::size_t i = 0; i < 8; i++) state[i] += s.v[i];
}

SIGNET_TARGET void compress(std::uint64_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept {
  SIGNET_KERNEL_RAN("sha512-avx2");
  for (; count != 0; count--, blocks += 128) compress_block(state, blocks);
}

}  // namespace

const Sha512Kernel& sha512_avx2(cpu::Token<cpu::Feature::avx2, cpu::Feature::bmi2>) noexcept {
  static constexpr Sha512Kernel kernel = {"sha512-avx2", compress};
  return kernel;
}

}  // namespace signet::crypto
#endif

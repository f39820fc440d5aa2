// SHA-512's compression function (FIPS 180-4 section 6.4.2): the schedule two words at a time in vector
// registers, between the instructions of the rounds in scalar ones, whose rotations are BMI2's.
//
// In: a state of 8 words; `count` blocks of 128 octets at any alignment, 0 allowed, disjoint from the state.
// Constant time in state and data, of which nothing stays on the stack.
//
// The rounds are the limit: two chains, of e and of a, and 24 operations for six units. T1 is therefore never
// made whole. With s = h + K + W + Ch(e,f,g) + S1(e), the next e is d + s, and the next a is
// S0(a) + Maj(a,b,c) + (next e) - d: each chain waits four operations for its own last value, and s is added
// once. Maj(a,b,c) is (b & c) + (a & (b ^ c)), of which b and c are known early; b ^ c is the a ^ b of the
// round before.
#if defined(__x86_64__)
#include <utility>

#include <immintrin.h>

#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/sha2_constants.hpp>
#include <signet/crypto/kernels/sha2_kernels.hpp>

#define SIGNET_TARGET __attribute__((target("avx2,bmi2")))
#define SIGNET_INLINE static inline __attribute__((always_inline)) SIGNET_TARGET

// One round of the registers named a to h; kw is where K + W lies, x is b ^ c, y becomes a ^ b. v0 to v11 are
// instructions of the schedule, put where the rounds leave room. The compiler would gather them in one place,
// and the next round would wait behind them.
//
// clang-format off
#define SIGNET_LINE(instruction) instruction "\n\t"
#define SIGNET_ROUND(a, b, c, d, e, f, g, h, kw, x, y, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11) \
  SIGNET_LINE("add " kw ", " h)          SIGNET_LINE("andn " g ", " e ", %[t0]")      SIGNET_LINE(v0)  \
  SIGNET_LINE("mov " f ", %[t1]")        SIGNET_LINE("and " e ", %[t1]")              SIGNET_LINE(v1)  \
  SIGNET_LINE("or %[t1], %[t0]")         SIGNET_LINE("mov " d ", %[t1]")                               \
  SIGNET_LINE("add " h ", " d)                                                        SIGNET_LINE(v2)  \
  SIGNET_LINE("mov " b ", " h)           SIGNET_LINE("and " c ", " h)                 SIGNET_LINE(v3)  \
  SIGNET_LINE("add %[t0], " d)           SIGNET_LINE("sub %[t1], " h)                 SIGNET_LINE(v4)  \
  SIGNET_LINE("rorx $41, " e ", %[t1]")  SIGNET_LINE("rorx $18, " e ", %[t0]")        SIGNET_LINE(v5)  \
  SIGNET_LINE("xor %[t0], %[t1]")        SIGNET_LINE("rorx $14, " e ", %[t0]")        SIGNET_LINE(v6)  \
  SIGNET_LINE("xor %[t0], %[t1]")        SIGNET_LINE("add %[t1], " d)                 SIGNET_LINE(v7)  \
  SIGNET_LINE("rorx $39, " a ", %[t0]")  SIGNET_LINE("rorx $34, " a ", %[t1]")        SIGNET_LINE(v8)  \
  SIGNET_LINE("and " a ", " x)           SIGNET_LINE("xor %[t0], %[t1]")              SIGNET_LINE(v9)  \
  SIGNET_LINE("mov " a ", " y)           SIGNET_LINE("add " x ", " h)                                  \
  SIGNET_LINE("xor " b ", " y)                                                        SIGNET_LINE(v10) \
  SIGNET_LINE("rorx $28, " a ", %[t0]")  SIGNET_LINE("add " d ", " h)                 SIGNET_LINE(v11) \
  SIGNET_LINE("xor %[t0], %[t1]")        SIGNET_LINE("add %[t1], " h)
#define SIGNET_FIRST_ROUND(...)                                                             \
  SIGNET_ROUND("%[a]", "%[b]", "%[c]", "%[d]", "%[e]", "%[f]", "%[g]", "%[h]",              \
               "%c[at](%[sums])", "%[x]", "%[y]", __VA_ARGS__)
#define SIGNET_SECOND_ROUND(...)                                                            \
  SIGNET_ROUND("%[h]", "%[a]", "%[b]", "%[c]", "%[d]", "%[e]", "%[f]", "%[g]",              \
               "8+%c[at](%[sums])", "%[y]", "%[x]", __VA_ARGS__)
// clang-format on

namespace signet::crypto {
namespace {

/// The eight working variables; round i finds `a` at index -i, so that nothing moves between rounds. With
/// b ^ c of the next round.
struct Working {
  std::uint64_t v[8];
  std::uint64_t x;
};

/// The last sixteen words of the schedule, and where the same lie with the constants of their rounds added.
struct Schedule {
  __m128i w[8];
  __m128i* sums;
};

/// Kept from being loaded or added as a vector with its neighbours: that goes through the stack.
SIGNET_INLINE std::uint64_t in_register(std::uint64_t word) noexcept {
  __asm__("" : "+r"(word));
  return word;
}

template <std::size_t... i>
SIGNET_INLINE Working load_state(const std::uint64_t state[8], std::index_sequence<i...>) noexcept {
  return {{in_register(state[i])...}, state[1] ^ state[2]};
}

template <std::size_t... i>
SIGNET_INLINE void add_to_state(std::uint64_t state[8], const Working& s,
                                std::index_sequence<i...>) noexcept {
  ((state[i] += in_register(s.v[i])), ...);
}

SIGNET_INLINE __m128i load_words(const std::uint8_t* p) noexcept {
  const __m128i reverse = _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607);
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)), reverse);
}

template <std::size_t... i>
SIGNET_INLINE void begin(Schedule& schedule, const std::uint8_t* block, std::index_sequence<i...>) noexcept {
  const auto* constants = reinterpret_cast<const __m128i*>(sha512_round_constants);
  ((schedule.w[i] = load_words(block + 16 * i),
    _mm_store_si128(schedule.sums + i, _mm_add_epi64(schedule.w[i], _mm_load_si128(constants + i)))),
   ...);
}

/// Rounds 2i and 2i + 1. Meanwhile pair i of the schedule is put in the place of the pair sixteen words
/// before it, and the sums of that with `constants` in the place of the sums that were used.
template <std::size_t i>
SIGNET_INLINE void two_rounds_and_extend(Working& s, Schedule& schedule, const std::uint64_t* constants,
                                         __m128i rotate_by_8) noexcept {
  constexpr std::size_t r = 2 * i;
  auto& w = schedule.w;
  std::uint64_t y, t0, t1;
  __m128i u0, u1, u2;
  __asm__(
      SIGNET_FIRST_ROUND("vpalignr $8, %[w0], %[w1], %[u0]", "vpalignr $8, %[w4], %[w5], %[u1]",
                         "vpaddq %[u1], %[w0], %[w0]", "vpsrlq $1, %[u0], %[u1]", "vpsllq $63, %[u0], %[u2]",
                         "vpxor %[u2], %[u1], %[u1]", "vpshufb %[rotate_by_8], %[u0], %[u2]",
                         "vpxor %[u2], %[u1], %[u1]", "vpsrlq $7, %[u0], %[u0]", "vpxor %[u1], %[u0], %[u0]",
                         "vpaddq %[u0], %[w0], %[w0]", "vpsrlq $19, %[w7], %[u0]")
          SIGNET_SECOND_ROUND(
              "vpsllq $45, %[w7], %[u1]", "vpxor %[u1], %[u0], %[u0]", "vpsrlq $61, %[w7], %[u2]",
              "vpxor %[u2], %[u0], %[u0]", "vpsllq $3, %[w7], %[u1]", "vpsrlq $6, %[w7], %[u2]",
              "vpxor %[u1], %[u0], %[u0]", "vpxor %[u2], %[u0], %[u0]", "vpaddq %[u0], %[w0], %[w0]",
              "vpaddq %c[at](%[k]), %[w0], %[u0]", "", "vmovdqa %[u0], %c[at](%[sums])")
      : [c] "+&r"(s.v[(10 - r) % 8]), [d] "+&r"(s.v[(11 - r) % 8]), [g] "+&r"(s.v[(14 - r) % 8]),
        [h] "+&r"(s.v[(15 - r) % 8]), [x] "+&r"(s.x), [y] "=&r"(y), [t0] "=&r"(t0), [t1] "=&r"(t1),
        [w0] "+&x"(w[i]), [u0] "=&x"(u0), [u1] "=&x"(u1), [u2] "=&x"(u2)
      : [a] "r"(s.v[(16 - r) % 8]), [b] "r"(s.v[(9 - r) % 8]), [e] "r"(s.v[(12 - r) % 8]),
        [f] "r"(s.v[(13 - r) % 8]), [w1] "x"(w[(i + 1) % 8]), [w4] "x"(w[(i + 4) % 8]),
        [w5] "x"(w[(i + 5) % 8]), [w7] "x"(w[(i + 7) % 8]), [rotate_by_8] "x"(rotate_by_8),
        [sums] "r"(schedule.sums), [k] "r"(constants), [at] "i"(16 * i)
      : "cc", "memory");
}

template <std::size_t i>
SIGNET_INLINE void two_rounds(Working& s, const Schedule& schedule) noexcept {
  constexpr std::size_t r = 2 * i;
  std::uint64_t y, t0, t1;
  __asm__(SIGNET_FIRST_ROUND("", "", "", "", "", "", "", "", "", "", "", "")
              SIGNET_SECOND_ROUND("", "", "", "", "", "", "", "", "", "", "", "")
          : [c] "+&r"(s.v[(10 - r) % 8]), [d] "+&r"(s.v[(11 - r) % 8]), [g] "+&r"(s.v[(14 - r) % 8]),
            [h] "+&r"(s.v[(15 - r) % 8]), [x] "+&r"(s.x), [y] "=&r"(y), [t0] "=&r"(t0), [t1] "=&r"(t1)
          : [a] "r"(s.v[(16 - r) % 8]), [b] "r"(s.v[(9 - r) % 8]), [e] "r"(s.v[(12 - r) % 8]),
            [f] "r"(s.v[(13 - r) % 8]), [sums] "r"(schedule.sums), [at] "i"(16 * i)
          : "cc", "memory");
}

template <std::size_t... i>
SIGNET_INLINE void sixteen_rounds(Working& s, Schedule& schedule, const std::uint64_t* next_constants,
                                  __m128i rotate_by_8, std::index_sequence<i...>) noexcept {
  (two_rounds_and_extend<i>(s, schedule, next_constants, rotate_by_8), ...);
}

template <std::size_t... i>
SIGNET_INLINE void last_sixteen_rounds(Working& s, const Schedule& schedule,
                                       std::index_sequence<i...>) noexcept {
  (two_rounds<i>(s, schedule), ...);
}

SIGNET_INLINE void compress_block(std::uint64_t state[8], __m128i* sums, const std::uint8_t* block) noexcept {
  constexpr std::make_index_sequence<8> eight;
  const __m128i rotate_by_8 = _mm_set_epi64x(0x080F0E0D0C0B0A09, 0x0007060504030201);
  Schedule schedule;
  schedule.sums = sums;
  Working s = load_state(state, eight);
  begin(schedule, block, eight);
  for (std::size_t t = 16; t < 80; t += 16)
    sixteen_rounds(s, schedule, sha512_round_constants + t, rotate_by_8, eight);
  last_sixteen_rounds(s, schedule, eight);
  add_to_state(state, s, eight);
}

/// base::wipe would cost a tenth of a block: for this size the compiler makes it a string instruction.
template <std::size_t... i>
SIGNET_INLINE void wipe(__m128i* sums, std::index_sequence<i...>) noexcept {
  (_mm_store_si128(sums + i, _mm_setzero_si128()), ...);
  __asm__ __volatile__("" : : : "memory");
}

SIGNET_TARGET void compress(std::uint64_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept {
  SIGNET_KERNEL_RAN("sha512-avx2");
  __m128i sums[8];
  for (; count != 0; count--, blocks += 128) compress_block(state, sums, blocks);
  wipe(sums, std::make_index_sequence<8>());
}

}  // namespace

const Sha512Kernel& sha512_avx2(cpu::Token<cpu::Feature::avx2, cpu::Feature::bmi2>) noexcept {
  static constexpr Sha512Kernel kernel = {"sha512-avx2", compress};
  return kernel;
}

}  // namespace signet::crypto
#endif

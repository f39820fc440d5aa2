// SHA-256's compression function (FIPS 180-4 section 6.2.2) on the SHA extensions: two rounds an instruction.
// In: a state of 8 words; `count` blocks of 64 octets at any alignment, 0 allowed, disjoint from the state.
// Constant time in state and data; all of it stays in registers.
#if defined(__x86_64__)
#include <immintrin.h>

#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/sha2_constants.hpp>
#include <signet/crypto/kernels/sha2_kernels.hpp>

#define SIGNET_TARGET __attribute__((target("sha,sse4.1,ssse3")))
#define SIGNET_TARGET_AVX __attribute__((target("sha,avx2")))
#define SIGNET_INLINE static inline __attribute__((always_inline)) SIGNET_TARGET

namespace signet::crypto {
namespace {

/// The order that the instructions want, highest lane first.
struct State {
  __m128i abef;
  __m128i cdgh;
};

SIGNET_INLINE State load_state(const std::uint32_t state[8]) noexcept {
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state));
  const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  return {_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xF0)};
}

SIGNET_INLINE void store_state(std::uint32_t state[8], const State& s) noexcept {
  const __m128i feba = _mm_shuffle_epi32(s.abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(s.cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/// Four big-endian words.
SIGNET_INLINE __m128i load_words(const std::uint8_t* p) noexcept {
  const __m128i reverse = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)), reverse);
}

SIGNET_INLINE void four_rounds(State& s, __m128i w, const std::uint32_t* constants) noexcept {
  const __m128i kw = _mm_add_epi32(w, _mm_load_si128(reinterpret_cast<const __m128i*>(constants)));
  s.cdgh = _mm_sha256rnds2_epu32(s.cdgh, s.abef, kw);
  s.abef = _mm_sha256rnds2_epu32(s.abef, s.cdgh, _mm_shuffle_epi32(kw, 0x0E));
}

/// The schedule's next four words, from the sixteen before them.
SIGNET_INLINE __m128i extend(__m128i w0, __m128i w4, __m128i w8, __m128i w12) noexcept {
  const __m128i partial = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), _mm_alignr_epi8(w12, w8, 4));
  return _mm_sha256msg2_epu32(partial, w12);
}

SIGNET_INLINE void compress_block(State& s, const std::uint8_t* block) noexcept {
  const std::uint32_t* k = sha256_round_constants;
  __m128i w0 = load_words(block);
  __m128i w1 = load_words(block + 16);
  __m128i w2 = load_words(block + 32);
  __m128i w3 = load_words(block + 48);
  for (int turn = 0; turn < 3; turn++, k += 16) {
    four_rounds(s, w0, k);
    w0 = extend(w0, w1, w2, w3);
    four_rounds(s, w1, k + 4);
    w1 = extend(w1, w2, w3, w0);
    four_rounds(s, w2, k + 8);
    w2 = extend(w2, w3, w0, w1);
    four_rounds(s, w3, k + 12);
    w3 = extend(w3, w0, w1, w2);
  }
  four_rounds(s, w0, k);
  four_rounds(s, w1, k + 4);
  four_rounds(s, w2, k + 8);
  four_rounds(s, w3, k + 12);
}

SIGNET_INLINE void compress_blocks(std::uint32_t state[8], const std::uint8_t* blocks,
                                   std::size_t count) noexcept {
  State s = load_state(state);
  for (; count != 0; count--, blocks += 64) {
    const State before = s;
    compress_block(s, blocks);
    s.abef = _mm_add_epi32(s.abef, before.abef);
    s.cdgh = _mm_add_epi32(s.cdgh, before.cdgh);
  }
  store_state(state, s);
}

SIGNET_TARGET void compress(std::uint32_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept {
  SIGNET_KERNEL_RAN("sha256-shani");
  compress_blocks(state, blocks, count);
}

// The SHA instructions have no form that clears the upper half of a vector register: they keep it, and where
// some code before has left one in use, each waits for its target's last value and costs half as much again.
SIGNET_TARGET_AVX void compress_avx(std::uint32_t state[8], const std::uint8_t* blocks,
                                    std::size_t count) noexcept {
  SIGNET_KERNEL_RAN("sha256-shani-avx");
  _mm256_zeroupper();
  compress_blocks(state, blocks, count);
}

}  // namespace

const Sha256Kernel& sha256_shani(cpu::Token<cpu::Feature::sha>) noexcept {
  static constexpr Sha256Kernel kernel = {"sha256-shani", compress};
  return kernel;
}

const Sha256Kernel& sha256_shani_avx(cpu::Token<cpu::Feature::sha, cpu::Feature::avx2>) noexcept {
  static constexpr Sha256Kernel kernel = {"sha256-shani-avx", compress_avx};
  return kernel;
}

}  // namespace signet::crypto
#endif

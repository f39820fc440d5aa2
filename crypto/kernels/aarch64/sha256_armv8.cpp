// SHA-256's compression function (FIPS 180-4 section 6.2.2) on the crypto extensions: four rounds an
// instruction pair. In: a state of 8 words; `count` blocks of 64 octets at any alignment, 0 allowed, disjoint
// from the state. Constant time in state and data.
#include <signet/crypto/kernels/sha2_kernels.hpp>

#if defined(SIGNET_ARMV8_CRYPTO)
#include <arm_neon.h>

#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/sha2_constants.hpp>

#define SIGNET_TARGET __attribute__((target("+crypto")))
#define SIGNET_INLINE static inline __attribute__((always_inline)) SIGNET_TARGET

namespace signet::crypto {
namespace {

struct State {
  uint32x4_t abcd;
  uint32x4_t efgh;
};

/// Four big-endian words.
SIGNET_INLINE uint32x4_t load_words(const std::uint8_t* p) noexcept {
  return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p)));
}

SIGNET_INLINE void four_rounds(State& s, uint32x4_t w, const std::uint32_t* constants) noexcept {
  const uint32x4_t kw = vaddq_u32(w, vld1q_u32(constants));
  const uint32x4_t abcd = s.abcd;
  s.abcd = vsha256hq_u32(abcd, s.efgh, kw);
  s.efgh = vsha256h2q_u32(s.efgh, abcd, kw);
}

/// The schedule's next four words, from the sixteen before them.
SIGNET_INLINE uint32x4_t extend(uint32x4_t w0, uint32x4_t w4, uint32x4_t w8, uint32x4_t w12) noexcept {
  return vsha256su1q_u32(vsha256su0q_u32(w0, w4), w8, w12);
}

SIGNET_INLINE void compress_block(State& s, const std::uint8_t* block) noexcept {
  const std::uint32_t* k = sha256_round_constants;
  uint32x4_t w0 = load_words(block);
  uint32x4_t w1 = load_words(block + 16);
  uint32x4_t w2 = load_words(block + 32);
  uint32x4_t w3 = load_words(block + 48);
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

SIGNET_TARGET void compress(std::uint32_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept {
  SIGNET_KERNEL_RAN("sha256-armv8");
  State s = {vld1q_u32(state), vld1q_u32(state + 4)};
  for (; count != 0; count--, blocks += 64) {
    const State before = s;
    compress_block(s, blocks);
    s.abcd = vaddq_u32(s.abcd, before.abcd);
    s.efgh = vaddq_u32(s.efgh, before.efgh);
  }
  vst1q_u32(state, s.abcd);
  vst1q_u32(state + 4, s.efgh);
}

}  // namespace

const Sha256Kernel& sha256_armv8(cpu::Token<cpu::Feature::sha2>) noexcept {
  static constexpr Sha256Kernel kernel = {"sha256-armv8", compress};
  return kernel;
}

}  // namespace signet::crypto
#endif

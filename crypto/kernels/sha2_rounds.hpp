// The rounds of SHA-2 in plain C++, for both word sizes.
//
// T1 = h + S1(e) + Ch(e,f,g) + K + W; d += T1; h = T1 + S0(a) + Maj(a,b,c) (FIPS 180-4 section 6).
//
// Everything here is inlined into the kernels that use it, each with its own target features; nothing of it
// is shared by the linker. No branch and no address depends on the state or the data.
#pragma once

#include <bit>
#include <utility>

#include <signet/base/bytes.hpp>
#include <signet/crypto/kernels/sha2_constants.hpp>

#define SIGNET_SHA2_INLINE static inline __attribute__((always_inline))

namespace signet::crypto::sha2 {

/// Maj with one exclusive-or a round: the next round's b ^ c is this one's a ^ b.
template <class Word>
SIGNET_SHA2_INLINE Word shared_majority(Word a, Word b, Word c) noexcept {
  return b ^ ((a ^ b) & (b ^ c));
}

/// The functions of FIPS 180-4 section 4.1.2.
struct Narrow {
  using Word = std::uint32_t;
  static constexpr std::size_t rounds = 64;
  static constexpr const Word* constants = sha256_round_constants;
  SIGNET_SHA2_INLINE Word load(const std::uint8_t* p) noexcept { return base::load_be32(p); }
  SIGNET_SHA2_INLINE Word sum0(Word x) noexcept {
    return std::rotr(x, 2) ^ std::rotr(x, 13) ^ std::rotr(x, 22);
  }
  SIGNET_SHA2_INLINE Word sum1(Word x) noexcept {
    return std::rotr(x, 6) ^ std::rotr(x, 11) ^ std::rotr(x, 25);
  }
  SIGNET_SHA2_INLINE Word sigma0(Word x) noexcept { return std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3); }
  SIGNET_SHA2_INLINE Word sigma1(Word x) noexcept { return std::rotr(x, 17) ^ std::rotr(x, 19) ^ (x >> 10); }
  SIGNET_SHA2_INLINE Word majority(Word a, Word b, Word c) noexcept { return shared_majority(a, b, c); }
};

/// The functions of FIPS 180-4 section 4.1.3.
struct Wide {
  using Word = std::uint64_t;
  static constexpr std::size_t rounds = 80;
  static constexpr const Word* constants = sha512_round_constants;
  SIGNET_SHA2_INLINE Word load(const std::uint8_t* p) noexcept { return base::load_be64(p); }
  SIGNET_SHA2_INLINE Word sum0(Word x) noexcept {
    return std::rotr(x, 28) ^ std::rotr(x, 34) ^ std::rotr(x, 39);
  }
  SIGNET_SHA2_INLINE Word sum1(Word x) noexcept {
    return std::rotr(x, 14) ^ std::rotr(x, 18) ^ std::rotr(x, 41);
  }
  SIGNET_SHA2_INLINE Word sigma0(Word x) noexcept { return std::rotr(x, 1) ^ std::rotr(x, 8) ^ (x >> 7); }
  SIGNET_SHA2_INLINE Word sigma1(Word x) noexcept { return std::rotr(x, 19) ^ std::rotr(x, 61) ^ (x >> 6); }
  SIGNET_SHA2_INLINE Word majority(Word a, Word b, Word c) noexcept { return shared_majority(a, b, c); }
};

/// The eight working variables; round i finds `a` at index -i, so that nothing moves between rounds.
template <class Word>
struct Working {
  Word v[8];
};

/// Round `i` (modulo 8), with the constant and the schedule's word already added up.
template <class Sha, std::size_t i>
SIGNET_SHA2_INLINE void round(Working<typename Sha::Word>& s, typename Sha::Word k_plus_w) noexcept {
  using Word = typename Sha::Word;
  const Word a = s.v[(8 - i) % 8], b = s.v[(9 - i) % 8], c = s.v[(10 - i) % 8];
  const Word e = s.v[(12 - i) % 8], f = s.v[(13 - i) % 8], g = s.v[(14 - i) % 8];
  Word& d = s.v[(11 - i) % 8];
  Word& h = s.v[(15 - i) % 8];
  h += k_plus_w + (g ^ (e & (f ^ g))) + Sha::sum1(e);
  d += h;
  h += Sha::majority(a, b, c) + Sha::sum0(a);
}

/// Word `i` (modulo 16) of the schedule, in the place of the word sixteen rounds before it.
template <class Sha, std::size_t i>
SIGNET_SHA2_INLINE void extend(typename Sha::Word (&w)[16]) noexcept {
  w[i] += Sha::sigma0(w[(i + 1) % 16]) + w[(i + 9) % 16] + Sha::sigma1(w[(i + 14) % 16]);
}

template <class Sha, std::size_t... i>
SIGNET_SHA2_INLINE void first_sixteen(Working<typename Sha::Word>& s, typename Sha::Word (&w)[16],
                                      const std::uint8_t* block, std::index_sequence<i...>) noexcept {
  ((w[i] = Sha::load(block + i * sizeof w[0]), round<Sha, i % 8>(s, Sha::constants[i] + w[i])), ...);
}

template <class Sha, std::size_t... i>
SIGNET_SHA2_INLINE void next_sixteen(Working<typename Sha::Word>& s, typename Sha::Word (&w)[16],
                                     const typename Sha::Word* constants,
                                     std::index_sequence<i...>) noexcept {
  ((extend<Sha, i>(w), round<Sha, i % 8>(s, constants[i] + w[i])), ...);
}

template <class Sha>
__attribute__((noinline)) static void compress_blocks(typename Sha::Word state[8], const std::uint8_t* blocks,
                                                      std::size_t count) noexcept {
  using Word = typename Sha::Word;
  constexpr std::make_index_sequence<16> sixteen;
  for (; count != 0; count--, blocks += 16 * sizeof(Word)) {
    Working<Word> s;
    Word w[16];
    for (std::size_t i = 0; i < 8; i++) s.v[i] = state[i];
    first_sixteen<Sha>(s, w, blocks, sixteen);
    for (std::size_t t = 16; t < Sha::rounds; t += 16) next_sixteen<Sha>(s, w, Sha::constants + t, sixteen);
    for (std::size_t i = 0; i < 8; i++) state[i] += s.v[i];
  }
}

/// Wipes where the frame of a function was that the caller has just called: the schedule, and whatever the
/// compiler put beside it for want of registers. The schedule and eight working variables take 192 octets.
__attribute__((noinline)) static void wipe_dead_frame() noexcept {
  std::uint8_t frame[512];
  base::wipe(frame);
}

/// Leaves nothing of state and data on the stack.
template <class Sha>
SIGNET_SHA2_INLINE void compress(typename Sha::Word state[8], const std::uint8_t* blocks,
                                 std::size_t count) noexcept {
  compress_blocks<Sha>(state, blocks, count);
  wipe_dead_frame();
}

}  // namespace signet::crypto::sha2

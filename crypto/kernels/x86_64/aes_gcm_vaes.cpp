// AES-GCM (NIST SP 800-38D section 7) with VAES and VPCLMULQDQ, sixteen blocks at once, two a register: C = P + E(K, J0
// + 1...), T = E(K, J0) + GHASH. A round of the counters and a product of the hash take turns, so that both units work;
// when sealing, the hash is sixteen blocks behind.
// In: an expanded key at a multiple of 64, any lengths, at any alignment, the overlap contract of aead.hpp: sixteen
// blocks are read before the first of them is written. Constant time.
#include <signet/crypto/kernels/x86_64/aes_gcm_x86.hpp>

#if defined(__x86_64__)
#include <utility>

#include <signet/crypto/kernels/kernel_counter.hpp>

#define SIGNET_TARGET __attribute__((target("aes,pclmul,ssse3,sse4.1,avx2,vaes,vpclmulqdq")))
#define SIGNET_INLINE static inline __attribute__((always_inline)) SIGNET_TARGET

namespace signet::crypto {
namespace {

using namespace gcm_x86;

constexpr std::size_t registers = 8;
constexpr std::size_t width = 2 * registers;
constexpr std::size_t pair_bytes = 2 * block_bytes;
constexpr std::size_t stride = width * block_bytes;
using Lanes = std::make_index_sequence<registers>;

SIGNET_INLINE __m256i load_pair(const std::uint8_t* p) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

SIGNET_INLINE __m256i load_pair_aligned(const std::uint8_t* p) noexcept {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}

SIGNET_INLINE __m256i reverse_pair(__m256i v) noexcept {
  return _mm256_shuffle_epi8(v, _mm256_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607,
                                                  0x08090A0B0C0D0E0F));
}

SIGNET_INLINE __m256i round_key_twice(const std::uint8_t* expanded, int i) noexcept {
  return _mm256_broadcastsi128_si256(round_key(expanded, i));
}

template <std::size_t... i>
SIGNET_INLINE void whiten(__m256i (&b)[registers], __m256i key, std::index_sequence<i...>) noexcept {
  ((b[i] = _mm256_xor_si256(b[i], key)), ...);
}

/// Sixteen counter blocks from `counter` on.
template <std::size_t... i>
SIGNET_INLINE void counters_from(__m256i (&b)[registers], __m128i counter, std::index_sequence<i...>) noexcept {
  const __m256i first_two = _mm256_add_epi32(_mm256_broadcastsi128_si256(counter), _mm256_set_epi64x(0, 1, 0, 0));
  ((b[i] = reverse_pair(_mm256_add_epi32(first_two, _mm256_set_epi64x(0, 2 * i, 0, 2 * i)))), ...);
}

template <std::size_t... i>
SIGNET_INLINE void one_round(__m256i (&b)[registers], __m256i key, std::index_sequence<i...>) noexcept {
  ((b[i] = _mm256_aesenc_epi128(b[i], key)), ...);
}

template <std::size_t... i>
SIGNET_INLINE void last_round(__m256i (&b)[registers], __m256i key, std::index_sequence<i...>) noexcept {
  ((b[i] = _mm256_aesenclast_epi128(b[i], key)), ...);
}

template <std::size_t... i>
SIGNET_INLINE void add_text(__m256i (&b)[registers], const std::uint8_t* src, std::index_sequence<i...>) noexcept {
  ((b[i] = _mm256_xor_si256(b[i], load_pair(src + pair_bytes * i))), ...);
}

template <std::size_t... i>
SIGNET_INLINE void store_all(std::uint8_t* dst, const __m256i (&b)[registers], std::index_sequence<i...>) noexcept {
  (_mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + pair_bytes * i), b[i]), ...);
}

/// Two sums of products, for the even and the odd blocks.
struct PairProduct {
  __m256i low;
  __m256i middle;
  __m256i high;
};

SIGNET_INLINE PairProduct no_pair_product() noexcept {
  return {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
}

SIGNET_INLINE __m128i fold_pair(__m256i v) noexcept {
  return _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

SIGNET_INLINE __m128i reduce_pair(const PairProduct& p) noexcept {
  return reduce({fold_pair(p.low), fold_pair(p.middle), fold_pair(p.high)});
}

/// Blocks 2 i and 2 i + 1 of the sixteen at `hashed`; the first pair brings the hash so far.
template <std::size_t i>
SIGNET_INLINE void hash_pair(PairProduct& sum, const std::uint8_t* expanded, const std::uint8_t* hashed,
                             __m128i hash) noexcept {
  __m256i x = reverse_pair(load_pair(hashed + pair_bytes * i));
  if constexpr (i == 0) x = _mm256_xor_si256(x, _mm256_zextsi128_si256(hash));
  const __m256i powers = load_pair_aligned(expanded + pair_bytes * i);
  const __m256i half_sums = load_pair_aligned(expanded + half_sums_at + pair_bytes * (i / 2));
  const __m256i x_halves = _mm256_xor_si256(x, _mm256_shuffle_epi32(x, 0x4E));
  constexpr int which = i % 2 == 0 ? 0x00 : 0x10;
  sum.middle = _mm256_xor_si256(sum.middle, _mm256_clmulepi64_epi128(x_halves, half_sums, which));
  sum.low = _mm256_xor_si256(sum.low, _mm256_clmulepi64_epi128(x, powers, 0x00));
  sum.high = _mm256_xor_si256(sum.high, _mm256_clmulepi64_epi128(x, powers, 0x11));
}

template <std::size_t... i>
SIGNET_INLINE __m128i hash_sixteen(const std::uint8_t* expanded, const std::uint8_t* hashed, __m128i hash,
                                   std::index_sequence<i...>) noexcept {
  PairProduct sum = no_pair_product();
  (hash_pair<(i + 1) % registers>(sum, expanded, hashed, hash), ...);
  return reduce_pair(sum);
}

/// Rounds 1 to 8, each followed by two blocks of the hash; the first pair last, since it waits for the hash so far.
template <std::size_t... i>
SIGNET_INLINE void rounds_and_hash(__m256i (&b)[registers], PairProduct& sum, const std::uint8_t* expanded,
                                   const std::uint8_t* hashed, __m128i hash, std::index_sequence<i...>) noexcept {
  ((one_round(b, round_key_twice(expanded, 1 + static_cast<int>(i)), Lanes()),
    hash_pair<(i + 1) % registers>(sum, expanded, hashed, hash)),
   ...);
}

template <int from, int rounds>
SIGNET_INLINE void rounds_from(__m256i (&b)[registers], const std::uint8_t* expanded) noexcept {
  if constexpr (from < rounds) {
    one_round(b, round_key_twice(expanded, from), Lanes());
    rounds_from<from + 1, rounds>(b, expanded);
  } else {
    last_round(b, round_key_twice(expanded, rounds), Lanes());
  }
}

SIGNET_INLINE void begin_sixteen(__m256i (&b)[registers], Text& text, const std::uint8_t* expanded) noexcept {
  counters_from(b, text.counter, Lanes());
  text.counter = add_to_counter(text.counter, width);
  whiten(b, round_key_twice(expanded, 0), Lanes());
}

SIGNET_INLINE void finish_sixteen(Text& text, __m256i (&b)[registers]) noexcept {
  add_text(b, text.pieces.at(), Lanes());
  store_all(text.dst, b, Lanes());
  text.pieces.skip(stride);
  text.dst += stride;
}

/// Sixteen blocks of text without a hash.
template <int rounds>
SIGNET_INLINE void crypt_sixteen(Text& text, const std::uint8_t* expanded) noexcept {
  __m256i b[registers];
  begin_sixteen(b, text, expanded);
  rounds_from<1, rounds>(b, expanded);
  finish_sixteen(text, b);
}

/// Sixteen blocks of text, and the sixteen at `hashed` to the hash.
template <int rounds>
SIGNET_INLINE void crypt_and_hash_sixteen(Text& text, const std::uint8_t* expanded,
                                          const std::uint8_t* hashed) noexcept {
  __m256i b[registers];
  PairProduct sum = no_pair_product();
  begin_sixteen(b, text, expanded);
  rounds_and_hash(b, sum, expanded, hashed, text.hash, Lanes());
  rounds_from<9, rounds>(b, expanded);
  text.hash = reduce_pair(sum);
  finish_sixteen(text, b);
}

/// The rest of the text and the lengths; answers the tag. The first block of each batch of key stream is the tag's mask.
template <int rounds, bool sealing>
SIGNET_INLINE u128 finish(Text& text, const std::uint8_t* expanded, __m128i first, __m128i lengths) noexcept {
  alignas(32) std::uint8_t pad[stride];
  bool last = false;
  while (!last) {
    __m256i b[registers];
    counters_from(b, add_to_counter(text.counter, -1), Lanes());
    text.counter = add_to_counter(text.counter, width - 1);
    b[0] = _mm256_blend_epi32(b[0], _mm256_zextsi128_si256(reverse_octets(first)), 0x0F);
    whiten(b, round_key_twice(expanded, 0), Lanes());
    rounds_from<1, rounds>(b, expanded);
    store_all(pad, b, Lanes());
    last = text.pieces.left() <= stride - block_bytes;
    end_blocks<sealing>(text, expanded, pad + block_bytes, width - 1, lengths);
  }
  const u128 tag = to_word(_mm_xor_si128(reverse_octets(text.hash), load_aligned(pad)));
  base::wipe(pad);
  return tag;
}

template <int rounds>
SIGNET_TARGET void expand(std::uint8_t* expanded, const std::uint8_t* key) noexcept {
  expand_key<rounds, width>(expanded, key);
}

template <int rounds>
SIGNET_TARGET void seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-vaes");
  const __m128i first = first_counter(job.nonce);
  const __m128i lengths = lengths_block(job.aad.size(), job.src.size() + job.tail_bytes);
  Text text{{job.src, job.tail, job.tail_bytes}, job.dst, hash_aad(expanded, job.aad), add_to_counter(first, 1)};
  if (text.pieces.first_left() >= stride) {
    crypt_sixteen<rounds>(text, expanded);
    while (text.pieces.first_left() >= stride) crypt_and_hash_sixteen<rounds>(text, expanded, text.dst - stride);
    text.hash = hash_sixteen(expanded, text.dst - stride, text.hash, Lanes());
  }
  store_word(job.tag, finish<rounds, true>(text, expanded, first, lengths));
}

template <int rounds>
SIGNET_TARGET bool open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-vaes");
  const __m128i first = first_counter(job.nonce);
  const __m128i lengths = lengths_block(job.aad.size(), job.src.size());
  Text text{{job.src, 0, 0}, job.dst, hash_aad(expanded, job.aad), add_to_counter(first, 1)};
  while (text.pieces.first_left() >= stride) crypt_and_hash_sixteen<rounds>(text, expanded, text.pieces.at());
  return tags_equal(finish<rounds, false>(text, expanded, first, lengths), job.tag);
}

template <int rounds>
SIGNET_TARGET void encrypt_block(const std::uint8_t* expanded, std::uint8_t out[16],
                                 const std::uint8_t in[16]) noexcept {
  store(out, encrypt_one<rounds>(expanded, load(in)));
}

constexpr AeadKernel aes_128 = {"aes-gcm-vaes", expand<10>, seal<10>, open<10>, encrypt_block<10>};
constexpr AeadKernel aes_256 = {"aes-gcm-vaes", expand<14>, seal<14>, open<14>, encrypt_block<14>};

}  // namespace

const AeadKernel& aes_128_gcm_vaes(VaesToken) noexcept { return aes_128; }
const AeadKernel& aes_256_gcm_vaes(VaesToken) noexcept { return aes_256; }

}  // namespace signet::crypto
#endif

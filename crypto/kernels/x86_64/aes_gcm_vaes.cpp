// AES-GCM (NIST SP 800-38D section 7) with VAES and VPCLMULQDQ, sixteen blocks at once, two a register: C = P
// + E(K, J0
// + 1...), T = E(K, J0) + GHASH. A round of the counters and a product of the hash take turns, so that both
// units work; when sealing, the hash is sixteen blocks behind.
//
// Batch n has the counters 16 n to 16 n + 15, so that one sum makes a counter block and adds the first round
// key. Of batch 0, the first block is not used and the second is the tag's mask; as the first sixteen of the
// hash count a zero block, the additional data's (last) block and the fourteen blocks of text. In: an
// expanded key at a multiple of 64, any lengths, at any alignment, the overlap contract of aead.hpp: sixteen
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
constexpr std::size_t first_bytes = stride - pair_bytes;
using Lanes = std::make_index_sequence<registers>;

SIGNET_INLINE __m256i load_pair(const std::uint8_t* p) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

SIGNET_INLINE __m256i load_pair_aligned(const std::uint8_t* p) noexcept {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}

SIGNET_INLINE __m256i reverse_pair(__m256i v) noexcept {
  return _mm256_shuffle_epi8(
      v, _mm256_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F));
}

SIGNET_INLINE __m256i round_key_twice(const std::uint8_t* expanded, int i) noexcept {
  return _mm256_broadcastsi128_si256(round_key(expanded, i));
}

/// Sixteen counter blocks, the first of them `first` and its counter a multiple of 16, with the first round
/// key added.
template <std::size_t... i>
SIGNET_INLINE void counters_from(__m256i (&b)[registers], __m128i first, std::index_sequence<i...>) noexcept {
  const __m256i both = _mm256_broadcastsi128_si256(first);
  ((b[i] = _mm256_xor_si256(both, _mm256_set_epi32((2 * i + 1) << 24, 0, 0, 0, (2 * i) << 24, 0, 0, 0))),
   ...);
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
SIGNET_INLINE void add_text(__m256i (&b)[registers], const std::uint8_t* src,
                            std::index_sequence<i...>) noexcept {
  ((b[i] = _mm256_xor_si256(b[i], load_pair(src + pair_bytes * i))), ...);
}

template <std::size_t... i>
SIGNET_INLINE void store_all(std::uint8_t* dst, const __m256i (&b)[registers],
                             std::index_sequence<i...>) noexcept {
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

SIGNET_INLINE void add_pair_product(PairProduct& sum, __m256i x, __m256i powers, __m256i half_sums,
                                    bool upper) noexcept {
  const __m256i x_halves = _mm256_xor_si256(x, _mm256_shuffle_epi32(x, 0x4E));
  const __m256i middle = upper ? _mm256_clmulepi64_epi128(x_halves, half_sums, 0x10)
                               : _mm256_clmulepi64_epi128(x_halves, half_sums, 0x00);
  sum.middle = _mm256_xor_si256(sum.middle, middle);
  sum.low = _mm256_xor_si256(sum.low, _mm256_clmulepi64_epi128(x, powers, 0x00));
  sum.high = _mm256_xor_si256(sum.high, _mm256_clmulepi64_epi128(x, powers, 0x11));
}

/// Sixteen blocks on their way to the hash: the first pair, the hash so far in it, and where the sixteen are
/// in memory.
struct Sixteen {
  __m256i head;
  const std::uint8_t* at;
};

SIGNET_INLINE Sixteen sixteen_at(const std::uint8_t* at, __m128i hash) noexcept {
  return {_mm256_xor_si256(reverse_pair(load_pair(at)), _mm256_zextsi128_si256(hash)), at};
}

/// The fourteen blocks at `at` behind a zero block and the additional data's.
SIGNET_INLINE Sixteen first_sixteen(const std::uint8_t* at, __m128i aad) noexcept {
  return {_mm256_inserti128_si256(_mm256_setzero_si256(), aad, 1), at - pair_bytes};
}

/// Pair `i` of the sixteen.
template <std::size_t i>
SIGNET_INLINE void hash_pair(PairProduct& sum, const std::uint8_t* expanded, const Sixteen& hashed) noexcept {
  __m256i x = hashed.head;
  if constexpr (i != 0) x = reverse_pair(load_pair(hashed.at + pair_bytes * i));
  const __m256i half_sums = load_pair_aligned(expanded + half_sums_at + pair_bytes * (i / 2));
  add_pair_product(sum, x, load_pair_aligned(expanded + pair_bytes * i), half_sums, i % 2 == 1);
}

template <std::size_t... i>
SIGNET_INLINE __m128i hash_sixteen(const std::uint8_t* expanded, const Sixteen& hashed,
                                   std::index_sequence<i...>) noexcept {
  PairProduct sum = no_pair_product();
  (hash_pair<(i + 1) % registers>(sum, expanded, hashed), ...);
  return reduce_pair(sum);
}

/// Rounds 1 to 8, each followed by two blocks of the hash; the first pair last, since it waits for the hash
/// so far.
template <std::size_t... i>
SIGNET_INLINE void rounds_and_hash(__m256i (&b)[registers], PairProduct& sum, const std::uint8_t* expanded,
                                   const Sixteen& hashed, std::index_sequence<i...>) noexcept {
  ((one_round(b, round_key_twice(expanded, 1 + static_cast<int>(i)), Lanes()),
    hash_pair<(i + 1) % registers>(sum, expanded, hashed)),
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
  counters_from(b, _mm_xor_si128(reverse_octets(text.counter), round_key(expanded, 0)), Lanes());
  text.counter = add_to_counter(text.counter, width);
}

/// The next sixteen blocks of key stream, to `pad`.
template <int rounds>
SIGNET_INLINE void next_pad(std::uint8_t* pad, Text& text, const std::uint8_t* expanded) noexcept {
  __m256i b[registers];
  begin_sixteen(b, text, expanded);
  rounds_from<1, rounds>(b, expanded);
  store_all(pad, b, Lanes());
}

/// Sixteen blocks of text, and sixteen to the hash.
template <int rounds>
SIGNET_INLINE void crypt_and_hash_sixteen(Text& text, const std::uint8_t* expanded,
                                          const Sixteen& hashed) noexcept {
  __m256i b[registers];
  PairProduct sum = no_pair_product();
  begin_sixteen(b, text, expanded);
  rounds_and_hash(b, sum, expanded, hashed, Lanes());
  rounds_from<9, rounds>(b, expanded);
  text.hash = reduce_pair(sum);
  add_text(b, text.pieces.at(), Lanes());
  store_all(text.dst, b, Lanes());
  text.pieces.skip(stride);
  text.dst += stride;
}

/// The first fourteen blocks of text.
SIGNET_INLINE void crypt_fourteen(Text& text, const std::uint8_t* pad) noexcept {
  for (std::size_t i = 0; i < first_bytes; i += pair_bytes) {
    const __m256i out = _mm256_xor_si256(load_pair(text.pieces.at() + i), load_pair_aligned(pad + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(text.dst + i), out);
  }
  text.pieces.skip(first_bytes);
  text.dst += first_bytes;
}

/// Fourteen blocks, then sixteen at a time while there are as many.
template <int rounds, bool sealing>
SIGNET_INLINE void crypt_long(Text& text, const std::uint8_t* expanded, const std::uint8_t* pad,
                              __m128i aad) noexcept {
  if constexpr (sealing) {
    crypt_fourteen(text, pad);
    Sixteen hashed = first_sixteen(text.dst - first_bytes, aad);
    while (text.pieces.first_left() >= stride) {
      crypt_and_hash_sixteen<rounds>(text, expanded, hashed);
      hashed = sixteen_at(text.dst - stride, text.hash);
    }
    text.hash = hash_sixteen(expanded, hashed, Lanes());
  } else {
    text.hash = hash_sixteen(expanded, first_sixteen(text.pieces.at(), aad), Lanes());
    crypt_fourteen(text, pad);
    while (text.pieces.first_left() >= stride) {
      crypt_and_hash_sixteen<rounds>(text, expanded, sixteen_at(text.pieces.at(), text.hash));
    }
  }
}

/// Two whole blocks. The sums of the powers' halves are not where this pair would want them, and made here.
template <bool sealing>
SIGNET_INLINE void end_pair(Text& text, Batch& batch, PairProduct& sum,
                            const std::uint8_t* expanded) noexcept {
  const __m256i in = load_pair(text.pieces.at());
  const __m256i out = _mm256_xor_si256(in, load_pair_aligned(batch.pad));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(text.dst), out);
  const __m256i powers = load_pair(expanded + block_bytes * (power_count - batch.exponent));
  const __m256i half_sums = _mm256_xor_si256(powers, _mm256_shuffle_epi32(powers, 0x4E));
  const __m256i x = _mm256_xor_si256(reverse_pair(sealing ? out : in), _mm256_zextsi128_si256(batch.carry));
  add_pair_product(sum, x, powers, half_sums, false);
  batch.carry = _mm_setzero_si128();
  batch.exponent -= 2;
  batch.pad += pair_bytes;
  text.pieces.skip(pair_bytes);
  text.dst += pair_bytes;
}

/// Up to `room` blocks with the key stream at `pad`; answers whether they were the last and the lengths are
/// taken.
template <bool sealing>
SIGNET_INLINE bool end_batch(Text& text, const std::uint8_t* expanded, const std::uint8_t* pad,
                             std::size_t room, __m128i lengths) noexcept {
  Batch batch = start_batch(text, pad, room, width);
  PairProduct sum = no_pair_product();
  while (batch.pad_end - batch.pad >= static_cast<std::ptrdiff_t>(pair_bytes) &&
         text.pieces.first_left() >= pair_bytes) {
    end_pair<sealing>(text, batch, sum, expanded);
  }
  batch.sum = {fold_pair(sum.low), fold_pair(sum.middle), fold_pair(sum.high)};
  return finish_batch<sealing>(text, batch, expanded, lengths);
}

/// The whole text; answers the tag.
template <int rounds, bool sealing>
SIGNET_INLINE u128 crypt(Text& text, const std::uint8_t* expanded, base::Bytes aad) noexcept {
  alignas(32) std::uint8_t pad[stride];
  const __m128i lengths = lengths_block(aad.size(), text.pieces.left());
  const __m128i last_aad = aad_block(expanded, aad);
  next_pad<rounds>(pad, text, expanded);
  const __m128i mask = load_aligned(pad + block_bytes);
  bool done = false;
  if (text.pieces.first_left() >= first_bytes) {
    crypt_long<rounds, sealing>(text, expanded, pad + pair_bytes, last_aad);
  } else {
    text.hash = times_h(expanded, last_aad);
    done = end_batch<sealing>(text, expanded, pad + pair_bytes, width - 2, lengths);
  }
  while (!done) {
    if (text.pieces.left() != 0) next_pad<rounds>(pad, text, expanded);
    done = end_batch<sealing>(text, expanded, pad, width, lengths);
  }
  base::wipe(pad);
  return to_word(_mm_xor_si128(reverse_octets(text.hash), mask));
}

template <int rounds>
SIGNET_TARGET void expand(std::uint8_t* expanded, const std::uint8_t* key) noexcept {
  expand_key<rounds, width>(expanded, key);
}

SIGNET_INLINE Text start_text(const std::uint8_t* nonce, const TwoPieces& pieces,
                              std::uint8_t* dst) noexcept {
  return {pieces, dst, _mm_setzero_si128(), add_to_counter(first_counter(nonce), -1)};
}

template <int rounds>
SIGNET_TARGET void seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-vaes");
  Text text = start_text(job.nonce, {job.src, job.tail, job.tail_bytes}, job.dst);
  store_word(job.tag, crypt<rounds, true>(text, expanded, job.aad));
}

template <int rounds>
SIGNET_TARGET bool open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-vaes");
  Text text = start_text(job.nonce, {job.src, 0, 0}, job.dst);
  return tags_equal(crypt<rounds, false>(text, expanded, job.aad), job.tag);
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

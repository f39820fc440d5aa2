// AES-GCM (NIST SP 800-38D section 7) with VAES and VPCLMULQDQ on registers of 512 bits, four blocks each: C
// = P + E(K, J0 + 1...), T = E(K, J0) + GHASH. Sixteen blocks at once, in long texts 32. A round of the
// counters and a product of the hash take turns, so that both units work; when sealing, the hash is a step
// behind.
//
// Steps of sixteen have the counters 16 n to 16 n + 15, so that one sum makes a counter block and adds the
// first round key. Of the first sixteen, the first block is not used and the second is the tag's mask; to the
// hash they are a zero block, the additional data's (last) block and the fourteen blocks of text. In: an
// expanded key at a multiple of 64, any lengths, at any alignment, the overlap contract of aead.hpp: a step's
// blocks are read before the first of them is written. Constant time.
#if defined(__x86_64__)
#include <signet/crypto/kernels/x86_64/avx512_intrinsics.hpp>
#endif

#include <signet/crypto/kernels/x86_64/aes_gcm_x86.hpp>

#if defined(__x86_64__)
#include <utility>

#include <signet/crypto/kernels/kernel_counter.hpp>

#define SIGNET_TARGET __attribute__((target("aes,pclmul,ssse3,sse4.1,avx2,vaes,vpclmulqdq,avx512f,avx512bw")))
#define SIGNET_INLINE static inline __attribute__((always_inline)) SIGNET_TARGET

namespace signet::crypto {
namespace {

using namespace gcm_x86;

constexpr std::size_t quad_bytes = 4 * block_bytes;
constexpr std::size_t narrow = 4;  // registers of a step of sixteen blocks
constexpr std::size_t wide = 8;    // and of a step of 32
constexpr std::size_t narrow_bytes = narrow * quad_bytes;
constexpr std::size_t wide_bytes = wide * quad_bytes;
constexpr std::size_t skipped_bytes = 2 * block_bytes;
constexpr std::size_t first_bytes = narrow_bytes - skipped_bytes;
/// Texts that are shorter do not earn back the sixteen powers of H that a step of 32 blocks needs besides.
constexpr std::size_t long_bytes = 2048;
template <std::size_t registers>
using Registers = std::make_index_sequence<registers>;

SIGNET_INLINE __m512i load_quad(const std::uint8_t* p) noexcept { return _mm512_loadu_si512(p); }

SIGNET_INLINE __m512i four_times(__m128i v) noexcept { return _mm512_broadcast_i32x4(v); }

SIGNET_INLINE __m512i reverse_quad(__m512i v) noexcept {
  return _mm512_shuffle_epi8(v, four_times(_mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F)));
}

SIGNET_INLINE __m512i round_keys(const std::uint8_t* expanded, int i) noexcept {
  return four_times(round_key(expanded, i));
}

/// Blocks 4 i to 4 i + 3 after `first`, whose counter is a multiple of 16.
template <std::size_t i>
SIGNET_INLINE __m512i counters(__m128i first) noexcept {
  constexpr int from = 4 * i;
  return _mm512_xor_si512(four_times(first),
                          _mm512_set_epi32((from + 3) << 24, 0, 0, 0, (from + 2) << 24, 0, 0, 0,
                                           (from + 1) << 24, 0, 0, 0, from << 24, 0, 0, 0));
}

/// The next counter blocks with the first round key added.
template <std::size_t... i>
SIGNET_INLINE void begin_step(__m512i (&b)[sizeof...(i)], Text& text, const std::uint8_t* expanded,
                              std::index_sequence<i...>) noexcept {
  const __m128i key = round_key(expanded, 0);
  const __m128i later = add_to_counter(text.counter, 16);
  const __m128i first[2] = {_mm_xor_si128(reverse_octets(text.counter), key),
                            _mm_xor_si128(reverse_octets(later), key)};
  ((b[i] = counters<i % narrow>(first[i / narrow])), ...);
  text.counter = sizeof...(i) == narrow ? later : add_to_counter(later, 16);
}

template <std::size_t... i>
SIGNET_INLINE void one_round(__m512i (&b)[sizeof...(i)], __m512i key, std::index_sequence<i...>) noexcept {
  ((b[i] = _mm512_aesenc_epi128(b[i], key)), ...);
}

template <std::size_t... i>
SIGNET_INLINE void last_round(__m512i (&b)[sizeof...(i)], __m512i key, std::index_sequence<i...>) noexcept {
  ((b[i] = _mm512_aesenclast_epi128(b[i], key)), ...);
}

template <int from, int rounds, std::size_t registers>
SIGNET_INLINE void rounds_from(__m512i (&b)[registers], const std::uint8_t* expanded) noexcept {
  if constexpr (from < rounds) {
    one_round(b, round_keys(expanded, from), Registers<registers>());
    rounds_from<from + 1, rounds>(b, expanded);
  } else {
    last_round(b, round_keys(expanded, rounds), Registers<registers>());
  }
}

template <std::size_t... i>
SIGNET_INLINE void add_text(__m512i (&b)[sizeof...(i)], const std::uint8_t* src,
                            std::index_sequence<i...>) noexcept {
  ((b[i] = _mm512_xor_si512(b[i], load_quad(src + quad_bytes * i))), ...);
}

template <std::size_t... i>
SIGNET_INLINE void store_all(std::uint8_t* dst, const __m512i (&b)[sizeof...(i)],
                             std::index_sequence<i...>) noexcept {
  (_mm512_storeu_si512(dst + quad_bytes * i, b[i]), ...);
}

/// Four sums of products, one for each place in a register.
struct QuadProduct {
  __m512i low;
  __m512i middle;
  __m512i high;
};

SIGNET_INLINE QuadProduct no_quad_product() noexcept {
  return {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
}

SIGNET_INLINE __m128i fold_quad(__m512i v) noexcept {
  const __m256i two = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1));
}

SIGNET_INLINE Product fold_product(const QuadProduct& p) noexcept {
  return {fold_quad(p.low), fold_quad(p.middle), fold_quad(p.high)};
}

SIGNET_INLINE __m512i add_halves_quad(__m512i v) noexcept {
  return _mm512_xor_si512(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC));
}

SIGNET_INLINE void add_quad_product(QuadProduct& sum, __m512i x, __m512i powers) noexcept {
  sum.middle = _mm512_xor_si512(sum.middle,
                                _mm512_clmulepi64_epi128(add_halves_quad(x), add_halves_quad(powers), 0x00));
  sum.low = _mm512_xor_si512(sum.low, _mm512_clmulepi64_epi128(x, powers, 0x00));
  sum.high = _mm512_xor_si512(sum.high, _mm512_clmulepi64_epi128(x, powers, 0x11));
}

/// reduce() of aes_gcm_x86.hpp, in each place.
SIGNET_INLINE __m512i reduce_quad(const QuadProduct& p) noexcept {
  const __m512i fold = four_times(_mm_set_epi64x(0, static_cast<long long>(0xC200'0000'0000'0000)));
  const __m512i outer =
      _mm512_xor_si512(p.high, _mm512_xor_si512(p.low, _mm512_shuffle_epi32(p.low, _MM_PERM_BADC)));
  const __m512i middle =
      _mm512_xor_si512(_mm512_xor_si512(p.middle, outer), _mm512_clmulepi64_epi128(p.low, fold, 0x00));
  const __m512i swapped = _mm512_shuffle_epi32(middle, _MM_PERM_BADC);
  return _mm512_xor_si512(_mm512_xor_si512(p.high, swapped), _mm512_clmulepi64_epi128(middle, fold, 0x00));
}

/// The powers that a step multiplies by, highest first: of four registers the key's, of eight H^32 to H^1.
struct alignas(64) WidePowers {
  std::uint8_t octets[wide_bytes];
};

SIGNET_INLINE void make_wide_powers(WidePowers& powers, const std::uint8_t* expanded) noexcept {
  const __m512i highest = four_times(power(expanded, power_count));
  for (std::size_t i = 0; i < narrow_bytes; i += quad_bytes) {
    const __m512i known = _mm512_load_si512(expanded + i);
    QuadProduct p = no_quad_product();
    add_quad_product(p, known, highest);
    _mm512_store_si512(powers.octets + i, reduce_quad(p));
    _mm512_store_si512(powers.octets + narrow_bytes + i, known);
  }
}

/// A step's blocks on their way to the hash: the first four, the hash so far in them, and where all are in
/// memory.
struct Hashed {
  __m512i head;
  const std::uint8_t* at;
};

SIGNET_INLINE Hashed hashed_at(const std::uint8_t* at, __m128i hash) noexcept {
  return {_mm512_xor_si512(reverse_quad(load_quad(at)), _mm512_zextsi128_si512(hash)), at};
}

/// The fourteen blocks at `at` behind a zero block and the additional data's.
SIGNET_INLINE Hashed first_hashed(const std::uint8_t* at, __m128i aad) noexcept {
  const __m256i front = _mm256_inserti128_si256(_mm256_setzero_si256(), aad, 1);
  const __m256i two = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  const __m512i behind = reverse_quad(_mm512_inserti64x4(_mm512_setzero_si512(), two, 1));
  return {_mm512_or_si512(behind, _mm512_zextsi256_si512(front)), at - skipped_bytes};
}

/// Register `i` of the step.
template <std::size_t i>
SIGNET_INLINE void hash_quad(QuadProduct& sum, const std::uint8_t* powers, const Hashed& hashed) noexcept {
  __m512i x = hashed.head;
  if constexpr (i != 0) x = reverse_quad(load_quad(hashed.at + quad_bytes * i));
  add_quad_product(sum, x, _mm512_load_si512(powers + quad_bytes * i));
}

template <std::size_t... i>
SIGNET_INLINE __m128i hash_step(const std::uint8_t* powers, const Hashed& hashed,
                                std::index_sequence<i...>) noexcept {
  QuadProduct sum = no_quad_product();
  (hash_quad<(i + 1) % sizeof...(i)>(sum, powers, hashed), ...);
  return reduce(fold_product(sum));
}

/// As many rounds as registers, each followed by four blocks of the hash; the first four last, since they
/// wait for the hash so far.
template <std::size_t... i>
SIGNET_INLINE void rounds_and_hash(__m512i (&b)[sizeof...(i)], QuadProduct& sum, const std::uint8_t* expanded,
                                   const std::uint8_t* powers, const Hashed& hashed,
                                   std::index_sequence<i...>) noexcept {
  ((one_round(b, round_keys(expanded, 1 + static_cast<int>(i)), std::index_sequence<i...>()),
    hash_quad<(i + 1) % sizeof...(i)>(sum, powers, hashed)),
   ...);
}

/// The next sixteen blocks of key stream, to `pad`.
template <int rounds>
SIGNET_INLINE void next_pad(std::uint8_t* pad, Text& text, const std::uint8_t* expanded) noexcept {
  __m512i b[narrow];
  begin_step(b, text, expanded, Registers<narrow>());
  rounds_from<1, rounds>(b, expanded);
  store_all(pad, b, Registers<narrow>());
}

template <std::size_t registers>
SIGNET_INLINE void put_step(Text& text, __m512i (&b)[registers]) noexcept {
  add_text(b, text.pieces.at(), Registers<registers>());
  store_all(text.dst, b, Registers<registers>());
  text.pieces.skip(quad_bytes * registers);
  text.dst += quad_bytes * registers;
}

/// A step of text, and one to the hash.
template <int rounds, std::size_t registers>
SIGNET_INLINE void crypt_and_hash(Text& text, const std::uint8_t* expanded, const std::uint8_t* powers,
                                  const Hashed& hashed) noexcept {
  __m512i b[registers];
  QuadProduct sum = no_quad_product();
  begin_step(b, text, expanded, Registers<registers>());
  rounds_and_hash(b, sum, expanded, powers, hashed, Registers<registers>());
  rounds_from<1 + static_cast<int>(registers), rounds>(b, expanded);
  text.hash = reduce(fold_product(sum));
  put_step(text, b);
}

/// A step of text; the hash waits.
template <int rounds, std::size_t registers>
SIGNET_INLINE void crypt_only(Text& text, const std::uint8_t* expanded) noexcept {
  __m512i b[registers];
  begin_step(b, text, expanded, Registers<registers>());
  rounds_from<1, rounds>(b, expanded);
  put_step(text, b);
}

/// Steps of text while there are whole ones. When sealing, `hashed` is what the hash has yet to take.
template <int rounds, bool sealing, std::size_t registers>
SIGNET_INLINE void crypt_steps(Text& text, const std::uint8_t* expanded, const std::uint8_t* powers,
                               Hashed hashed) noexcept {
  constexpr std::size_t step = quad_bytes * registers;
  while (text.pieces.first_left() >= step) {
    if constexpr (!sealing) hashed = hashed_at(text.pieces.at(), text.hash);
    crypt_and_hash<rounds, registers>(text, expanded, powers, hashed);
    if constexpr (sealing) hashed = hashed_at(text.dst - step, text.hash);
  }
  if constexpr (sealing) text.hash = hash_step(powers, hashed, Registers<registers>());
}

/// Steps of 32 blocks, of which there is at least one.
template <int rounds, bool sealing>
SIGNET_INLINE void crypt_wide(Text& text, const std::uint8_t* expanded) noexcept {
  WidePowers powers;
  make_wide_powers(powers, expanded);
  Hashed hashed{};
  if constexpr (sealing) {
    crypt_only<rounds, wide>(text, expanded);
    hashed = hashed_at(text.dst - wide_bytes, text.hash);
  }
  crypt_steps<rounds, sealing, wide>(text, expanded, powers.octets, hashed);
  base::wipe(powers.octets);
}

/// The first fourteen blocks of text, two and then four at a time: the hash loads what was stored as one.
SIGNET_INLINE void crypt_fourteen(Text& text, const std::uint8_t* pad) noexcept {
  const __m256i in = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.pieces.at()));
  const __m256i stream = _mm256_load_si256(reinterpret_cast<const __m256i*>(pad));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(text.dst), _mm256_xor_si256(in, stream));
  for (std::size_t i = skipped_bytes; i < first_bytes; i += quad_bytes) {
    const __m512i out = _mm512_xor_si512(load_quad(text.pieces.at() + i), load_quad(pad + i));
    _mm512_storeu_si512(text.dst + i, out);
  }
  text.pieces.skip(first_bytes);
  text.dst += first_bytes;
}

/// Fourteen blocks, then whole steps; less than a step of sixteen is left.
template <int rounds, bool sealing>
SIGNET_INLINE void crypt_long(Text& text, const std::uint8_t* expanded, const std::uint8_t* pad,
                              __m128i aad) noexcept {
  const bool is_long = text.pieces.first_left() >= long_bytes;
  Hashed hashed = first_hashed(sealing ? text.dst : text.pieces.at(), aad);
  if constexpr (sealing) {
    crypt_fourteen(text, pad);
    hashed = first_hashed(text.dst - first_bytes, aad);
    if (!is_long) return crypt_steps<rounds, true, narrow>(text, expanded, expanded, hashed);
  }
  text.hash = hash_step(expanded, hashed, Registers<narrow>());
  if constexpr (!sealing) crypt_fourteen(text, pad);
  if (is_long) crypt_wide<rounds, sealing>(text, expanded);
  if constexpr (!sealing) crypt_steps<rounds, false, narrow>(text, expanded, expanded, hashed);
}

/// Four whole blocks.
template <bool sealing>
SIGNET_INLINE void end_quad(Text& text, Batch& batch, QuadProduct& sum,
                            const std::uint8_t* expanded) noexcept {
  const __m512i in = load_quad(text.pieces.at());
  const __m512i out = _mm512_xor_si512(in, load_quad(batch.pad));
  _mm512_storeu_si512(text.dst, out);
  const __m512i x = _mm512_xor_si512(reverse_quad(sealing ? out : in), _mm512_zextsi128_si512(batch.carry));
  add_quad_product(sum, x, load_quad(expanded + block_bytes * (power_count - batch.exponent)));
  batch.carry = _mm_setzero_si128();
  batch.exponent -= 4;
  batch.pad += quad_bytes;
  text.pieces.skip(quad_bytes);
  text.dst += quad_bytes;
}

/// Up to `room` blocks with the key stream at `pad`; answers whether they were the last and the lengths are
/// taken.
template <bool sealing>
SIGNET_INLINE bool end_batch(Text& text, const std::uint8_t* expanded, const std::uint8_t* pad,
                             std::size_t room, __m128i lengths) noexcept {
  Batch batch = start_batch(text, pad, room, power_count);
  QuadProduct sum = no_quad_product();
  while (batch.pad_end - batch.pad >= static_cast<std::ptrdiff_t>(quad_bytes) &&
         text.pieces.first_left() >= quad_bytes) {
    end_quad<sealing>(text, batch, sum, expanded);
  }
  batch.sum = fold_product(sum);
  return finish_batch<sealing>(text, batch, expanded, lengths);
}

/// The whole text; answers the tag.
template <int rounds, bool sealing>
SIGNET_INLINE u128 crypt(Text& text, const std::uint8_t* expanded, base::Bytes aad) noexcept {
  alignas(64) std::uint8_t pad[narrow_bytes];
  const __m128i lengths = lengths_block(aad.size(), text.pieces.left());
  const __m128i last_aad = aad_block(expanded, aad);
  next_pad<rounds>(pad, text, expanded);
  const __m128i mask = load_aligned(pad + block_bytes);
  bool done = false;
  if (text.pieces.first_left() >= first_bytes) {
    crypt_long<rounds, sealing>(text, expanded, pad + skipped_bytes, last_aad);
  } else {
    text.hash = times_h(expanded, last_aad);
    done = end_batch<sealing>(text, expanded, pad + skipped_bytes, 14, lengths);
  }
  while (!done) {
    if (text.pieces.left() != 0) next_pad<rounds>(pad, text, expanded);
    done = end_batch<sealing>(text, expanded, pad, 16, lengths);
  }
  base::wipe(pad);
  return to_word(_mm_xor_si128(reverse_octets(text.hash), mask));
}

template <int rounds>
SIGNET_TARGET void expand(std::uint8_t* expanded, const std::uint8_t* key) noexcept {
  expand_key<rounds, power_count>(expanded, key);
}

SIGNET_INLINE Text start_text(const std::uint8_t* nonce, const TwoPieces& pieces,
                              std::uint8_t* dst) noexcept {
  return {pieces, dst, _mm_setzero_si128(), add_to_counter(first_counter(nonce), -1)};
}

template <int rounds>
SIGNET_TARGET void seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-vaes512");
  Text text = start_text(job.nonce, {job.src, job.tail, job.tail_bytes}, job.dst);
  store_word(job.tag, crypt<rounds, true>(text, expanded, job.aad));
}

template <int rounds>
SIGNET_TARGET bool open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-vaes512");
  Text text = start_text(job.nonce, {job.src, 0, 0}, job.dst);
  return tags_equal(crypt<rounds, false>(text, expanded, job.aad), job.tag);
}

template <int rounds>
SIGNET_TARGET void encrypt_block(const std::uint8_t* expanded, std::uint8_t out[16],
                                 const std::uint8_t in[16]) noexcept {
  store(out, encrypt_one<rounds>(expanded, load(in)));
}

constexpr AeadKernel aes_128 = {"aes-gcm-vaes512", expand<10>, seal<10>, open<10>, encrypt_block<10>};
constexpr AeadKernel aes_256 = {"aes-gcm-vaes512", expand<14>, seal<14>, open<14>, encrypt_block<14>};

}  // namespace

const AeadKernel& aes_128_gcm_vaes512(Vaes512Token) noexcept { return aes_128; }
const AeadKernel& aes_256_gcm_vaes512(Vaes512Token) noexcept { return aes_256; }

}  // namespace signet::crypto
#endif

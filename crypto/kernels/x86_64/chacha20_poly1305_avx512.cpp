// ChaCha20-Poly1305 (RFC 8439 section 2.8) with AVX-512: 32 blocks of ChaCha20 at once in all 32 registers,
// word i of sixteen blocks in one register; and Poly1305 of poly1305_ifma.hpp. The cipher keeps the vector
// units full by itself, so the authenticator's turn comes between batches, not between rounds. In: an
// expanded key that is the key; any lengths, at any alignment; the overlap contract of aead.hpp. Constant
// time.
#if defined(__x86_64__)
#include <utility>

#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/x86_64/poly1305_ifma.hpp>

#define SIGNET_TARGET SIGNET_IFMA_TARGET
#define SIGNET_INLINE SIGNET_IFMA_INLINE

namespace signet::crypto {
namespace {

using namespace poly1305_ifma;

constexpr std::size_t block_bytes = 64;
constexpr std::size_t half_bytes = 16 * block_bytes;
constexpr std::size_t batch_bytes = 2 * half_bytes;

/// Key stream of up to a batch; behind it, octets that a load of the last one's neighbours may touch.
struct Pad {
  alignas(64) std::uint8_t octets[batch_bytes + 16];
};

/// ChaCha20's words before the rounds, the counter that of the next block.
struct Stream {
  alignas(64) std::uint32_t start[16];
};

/// A text on its way: what is left of it, in the first piece and in the tail, and where it goes.
struct Text {
  const std::uint8_t* at;
  std::size_t left;
  u128 tail;
  std::size_t tail_bytes;
  std::uint8_t* dst;
};

/// The authenticator's side of a call.
struct Mac {
  Poly1305Portable scalar;
  Powers powers;
  const std::uint8_t* at;
};

// ---- ChaCha20 ----

/// Four quarter rounds, step by step, on columns or diagonals: b, c and d say how far their rows are turned.
template <int b, int c, int d>
SIGNET_INLINE void four_quarter_rounds(__m512i (&x)[16]) noexcept {
#define SIGNET_EACH(step) step(0) step(1) step(2) step(3)
#define SIGNET_A(i) x[i]
#define SIGNET_B(i) x[4 + (i + b) % 4]
#define SIGNET_C(i) x[8 + (i + c) % 4]
#define SIGNET_D(i) x[12 + (i + d) % 4]
#define SIGNET_AB(i) SIGNET_A(i) = _mm512_add_epi32(SIGNET_A(i), SIGNET_B(i));
#define SIGNET_CD(i) SIGNET_C(i) = _mm512_add_epi32(SIGNET_C(i), SIGNET_D(i));
#define SIGNET_DA16(i) SIGNET_D(i) = _mm512_rol_epi32(_mm512_xor_si512(SIGNET_D(i), SIGNET_A(i)), 16);
#define SIGNET_BC12(i) SIGNET_B(i) = _mm512_rol_epi32(_mm512_xor_si512(SIGNET_B(i), SIGNET_C(i)), 12);
#define SIGNET_DA8(i) SIGNET_D(i) = _mm512_rol_epi32(_mm512_xor_si512(SIGNET_D(i), SIGNET_A(i)), 8);
#define SIGNET_BC7(i) SIGNET_B(i) = _mm512_rol_epi32(_mm512_xor_si512(SIGNET_B(i), SIGNET_C(i)), 7);
  SIGNET_EACH(SIGNET_AB)
  SIGNET_EACH(SIGNET_DA16)
  SIGNET_EACH(SIGNET_CD)
  SIGNET_EACH(SIGNET_BC12)
  SIGNET_EACH(SIGNET_AB)
  SIGNET_EACH(SIGNET_DA8)
  SIGNET_EACH(SIGNET_CD)
  SIGNET_EACH(SIGNET_BC7)
}

// Registers are indexed by constants only: an array that a loop walks would be in memory.
using AllWords = std::make_index_sequence<16>;

/// Counters 0 to 15, and the `first`.
SIGNET_INLINE __m512i sixteen_counters(std::uint32_t first) noexcept {
  const __m512i steps = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  return _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)), steps);
}

template <std::size_t i>
SIGNET_INLINE __m512i start_word(const Stream& stream, std::uint32_t ahead) noexcept {
  if constexpr (i == 12) return sixteen_counters(stream.start[12] + ahead);
  return _mm512_set1_epi32(static_cast<int>(stream.start[i]));
}

template <std::size_t... i>
SIGNET_INLINE void load_start(__m512i (&x)[16], const Stream& stream, std::uint32_t ahead,
                              std::index_sequence<i...>) noexcept {
  ((x[i] = start_word<i>(stream, ahead)), ...);
}

template <std::size_t... i>
SIGNET_INLINE void add_start(__m512i (&x)[16], const Stream& stream, std::uint32_t ahead,
                             std::index_sequence<i...>) noexcept {
  ((x[i] = _mm512_add_epi32(x[i], start_word<i>(stream, ahead))), ...);
}

/// Registers x[from..from + 4) hold a word of each of sixteen blocks; afterwards the first holds four words
/// of blocks 0, 4, 8 and 12, the next of blocks 1, 5, 9 and 13, and so on.
template <std::size_t from>
SIGNET_INLINE void transpose_words(__m512i (&x)[16]) noexcept {
  const __m512i low01 = _mm512_unpacklo_epi32(x[from], x[from + 1]);
  const __m512i high01 = _mm512_unpackhi_epi32(x[from], x[from + 1]);
  const __m512i low23 = _mm512_unpacklo_epi32(x[from + 2], x[from + 3]);
  const __m512i high23 = _mm512_unpackhi_epi32(x[from + 2], x[from + 3]);
  x[from] = _mm512_unpacklo_epi64(low01, low23);
  x[from + 1] = _mm512_unpackhi_epi64(low01, low23);
  x[from + 2] = _mm512_unpacklo_epi64(high01, high23);
  x[from + 3] = _mm512_unpackhi_epi64(high01, high23);
}

/// Blocks i, 4 + i, 8 + i and 12 + i, put together from the four registers that hold a quarter of each.
template <std::size_t i>
SIGNET_INLINE void transpose_quarters(__m512i (&x)[16]) noexcept {
  const __m512i low01 = _mm512_shuffle_i32x4(x[i], x[4 + i], 0x44);
  const __m512i high01 = _mm512_shuffle_i32x4(x[i], x[4 + i], 0xEE);
  const __m512i low23 = _mm512_shuffle_i32x4(x[8 + i], x[12 + i], 0x44);
  const __m512i high23 = _mm512_shuffle_i32x4(x[8 + i], x[12 + i], 0xEE);
  x[i] = _mm512_shuffle_i32x4(low01, low23, 0x88);
  x[4 + i] = _mm512_shuffle_i32x4(low01, low23, 0xDD);
  x[8 + i] = _mm512_shuffle_i32x4(high01, high23, 0x88);
  x[12 + i] = _mm512_shuffle_i32x4(high01, high23, 0xDD);
}

/// Afterwards register i is block i.
SIGNET_INLINE void transpose(__m512i (&x)[16]) noexcept {
  transpose_words<0>(x);
  transpose_words<4>(x);
  transpose_words<8>(x);
  transpose_words<12>(x);
  transpose_quarters<0>(x);
  transpose_quarters<1>(x);
  transpose_quarters<2>(x);
  transpose_quarters<3>(x);
}

/// Where sixteen blocks of key stream go: to `dst`, added to the text at `src` unless that is null.
template <bool with_text, std::size_t... i>
SIGNET_INLINE void put_sixteen(std::uint8_t* dst, const std::uint8_t* src, const __m512i (&x)[16],
                               std::index_sequence<i...>) noexcept {
  if constexpr (with_text) {
    ((_mm512_storeu_si512(dst + block_bytes * i,
                          _mm512_xor_si512(x[i], _mm512_loadu_si512(src + block_bytes * i)))),
     ...);
  } else {
    ((_mm512_storeu_si512(dst + block_bytes * i, x[i])), ...);
  }
}

/// The next sixteen blocks of key stream.
SIGNET_TARGET __attribute__((noinline)) void next_half(Stream& stream, std::uint8_t* pad) noexcept {
  __m512i x[16];
  load_start(x, stream, 0, AllWords());
  for (int i = 0; i < 10; i++) {
    four_quarter_rounds<0, 0, 0>(x);
    four_quarter_rounds<1, 2, 3>(x);
  }
  add_start(x, stream, 0, AllWords());
  transpose(x);
  put_sixteen<false>(pad, nullptr, x, AllWords());
  stream.start[12] += 16;
}

/// The next 32 blocks of key stream, added to the text at `src` if with_text. A quarter round is a chain of
/// dependent steps; two halves in turn fill the units that one leaves idle.
template <bool with_text>
SIGNET_TARGET __attribute__((noinline)) void next_batch(Stream& stream, std::uint8_t* dst,
                                                        const std::uint8_t* src) noexcept {
  __m512i x[16];
  __m512i y[16];
  load_start(x, stream, 0, AllWords());
  load_start(y, stream, 16, AllWords());
  for (int i = 0; i < 10; i++) {
    four_quarter_rounds<0, 0, 0>(x);
    four_quarter_rounds<0, 0, 0>(y);
    four_quarter_rounds<1, 2, 3>(x);
    four_quarter_rounds<1, 2, 3>(y);
  }
  add_start(x, stream, 0, AllWords());
  transpose(x);
  put_sixteen<with_text>(dst, src, x, AllWords());
  add_start(y, stream, 16, AllWords());
  transpose(y);
  put_sixteen<with_text>(dst + half_bytes, with_text ? src + half_bytes : nullptr, y, AllWords());
  stream.start[12] += 32;
}

Stream start_stream(const std::uint8_t* key, const std::uint8_t* nonce) noexcept {
  Stream stream = {{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}};  // "expand 32-byte k"
  std::memcpy(stream.start + 4, key, 32);
  std::memcpy(stream.start + 13, nonce, 12);
  return stream;
}

// ---- a message ----

SIGNET_INLINE std::size_t text_left(const Text& text) noexcept { return text.left + text.tail_bytes; }

/// Key stream for what is left, but at most a batch; answers how much.
SIGNET_INLINE std::size_t fill_pad(Pad& pad, Stream& stream, std::size_t wanted) noexcept {
  if (wanted > half_bytes) {
    next_batch<false>(stream, pad.octets, nullptr);
    return batch_bytes;
  }
  next_half(stream, pad.octets);
  return half_bytes;
}

/// `n` octets of the first piece with the key stream at `pad`.
SIGNET_INLINE void crypt_first_piece(Text& text, const std::uint8_t* pad, std::size_t n) noexcept {
  std::size_t i = 0;
  for (; i + block_bytes <= n; i += block_bytes) {
    const __m512i in = _mm512_loadu_si512(text.at + i);
    _mm512_storeu_si512(text.dst + i, _mm512_xor_si512(in, _mm512_loadu_si512(pad + i)));
  }
  if (i != n) {
    const __mmask64 some = ~std::uint64_t{0} >> (block_bytes - (n - i));
    const __m512i in = _mm512_maskz_loadu_epi8(some, text.at + i);
    _mm512_mask_storeu_epi8(text.dst + i, some, _mm512_xor_si512(in, _mm512_loadu_si512(pad + i)));
  }
  text.at += n;
  text.left -= n;
  text.dst += n;
}

/// Up to `n` octets of the tail.
SIGNET_INLINE void crypt_tail(Text& text, const std::uint8_t* pad, std::size_t n) noexcept {
  if (text.tail_bytes < n) n = text.tail_bytes;
  if (n == 0) return;
  store_octets(text.dst, text.tail ^ load_word<u128>(pad), n);
  text.tail = n >= 16 ? 0 : text.tail >> (8 * n);
  text.tail_bytes -= n;
  text.dst += n;
}

/// Up to `room` octets with the key stream at `pad`.
SIGNET_INLINE void crypt_some(Text& text, const std::uint8_t* pad, std::size_t room) noexcept {
  const std::size_t n = text.left < room ? text.left : room;
  crypt_first_piece(text, pad, n);
  if (text.left == 0) crypt_tail(text, pad + n, room - n);
}

SIGNET_INLINE void crypt_batch(Text& text, Stream& stream) noexcept {
  next_batch<true>(stream, text.dst, text.at);
  text.at += batch_bytes;
  text.left -= batch_bytes;
  text.dst += batch_bytes;
}

SIGNET_INLINE void take_blocks(Mac& mac, std::size_t octets) noexcept {
  poly1305_ifma::take_blocks(mac.scalar, mac.powers, mac.at, octets / 16);
  mac.at += octets / 16 * 16;
}

/// The text's end: its last blocks, the last of all filled up with zeros.
SIGNET_INLINE void take_end(Mac& mac, std::size_t octets) noexcept {
  take_blocks(mac, octets);
  if (octets % 16 != 0) mac.scalar.update({mac.at, octets % 16});
}

/// The whole text, the authenticator behind. `room` octets of key stream are at `pad`.
SIGNET_INLINE void seal_text(Text& text, Mac& mac, Stream& stream, Pad& pad, std::size_t filled) noexcept {
  crypt_some(text, pad.octets + block_bytes, filled - block_bytes);
  while (text.left >= batch_bytes) {
    take_blocks(mac, static_cast<std::size_t>(text.dst - mac.at));
    crypt_batch(text, stream);
  }
  while (text_left(text) != 0) {
    const std::size_t room = fill_pad(pad, stream, text_left(text));
    crypt_some(text, pad.octets, room);
  }
  take_end(mac, static_cast<std::size_t>(text.dst - mac.at));
}

/// The whole text, the authenticator ahead.
SIGNET_INLINE void open_text(Text& text, Mac& mac, Stream& stream, Pad& pad, std::size_t filled) noexcept {
  if (text.left > filled - block_bytes) {
    take_blocks(mac, filled - block_bytes);
    crypt_some(text, pad.octets + block_bytes, filled - block_bytes);
    while (text.left >= batch_bytes) {
      take_blocks(mac, batch_bytes);
      crypt_batch(text, stream);
    }
    take_end(mac, text.left);
    if (text.left != 0) crypt_some(text, pad.octets, fill_pad(pad, stream, text.left));
  } else {
    take_end(mac, text.left);
    crypt_some(text, pad.octets + block_bytes, filled - block_bytes);
  }
}

/// The whole of a call; answers the tag.
template <bool sealing>
SIGNET_INLINE u128 crypt(const std::uint8_t* key, const std::uint8_t* nonce, base::Bytes aad,
                         Text text) noexcept {
  Pad pad;
  Stream stream = start_stream(key, nonce);
  const std::size_t text_bytes = text_left(text);
  const std::size_t filled = fill_pad(pad, stream, block_bytes + text_bytes);
  Mac mac{Poly1305Portable(pad.octets), {}, sealing ? text.dst : text.at};
  mac.powers.make(mac.scalar.key(), text_bytes / 16);
  mac.scalar.update(aad);
  if constexpr (sealing) seal_text(text, mac, stream, pad, filled);
  if constexpr (!sealing) open_text(text, mac, stream, pad, filled);
  mac.scalar.update_words(aad.size(), text_bytes);
  const u128 tag = mac.scalar.finish();
  mac.scalar.wipe();
  mac.powers.wipe();
  base::wipe({pad.octets, filled});
  base::wipe_object(stream);
  return tag;
}

void expand(std::uint8_t* expanded, const std::uint8_t* key) noexcept { std::memcpy(expanded, key, 32); }

SIGNET_TARGET void seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  SIGNET_KERNEL_RAN("chacha20-poly1305-avx512");
  const Text text{job.src.data(), job.src.size(), job.tail, job.tail_bytes, job.dst};
  store_word(job.tag, crypt<true>(expanded, job.nonce, job.aad, text));
}

SIGNET_TARGET bool open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  SIGNET_KERNEL_RAN("chacha20-poly1305-avx512");
  const Text text{job.src.data(), job.src.size(), 0, 0, job.dst};
  return tags_equal(crypt<false>(expanded, job.nonce, job.aad, text), job.tag);
}

constexpr AeadKernel kernel = {"chacha20-poly1305-avx512", expand, seal, open, nullptr};

}  // namespace

const AeadKernel& chacha20_poly1305_avx512(IfmaToken) noexcept { return kernel; }

}  // namespace signet::crypto
#endif

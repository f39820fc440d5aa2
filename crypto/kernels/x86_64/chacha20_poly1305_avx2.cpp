// ChaCha20-Poly1305 (RFC 8439 section 2.8) with AVX2: eight blocks of ChaCha20 at once, word i of all eight
// in register i, and between its rounds the steps of Poly1305 on the integer units, so that both work. When
// sealing, the authenticator is a batch behind; when opening it takes the batch that is about to be
// decrypted. In: an expanded key that is the key; any lengths, at any alignment; the overlap contract of
// aead.hpp. Constant time.
#if defined(__x86_64__)
#include <utility>

#include <immintrin.h>

#include <signet/crypto/kernels/aead_kernels.hpp>
#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/portable/poly1305_portable.hpp>

#define SIGNET_TARGET __attribute__((target("avx2,bmi2")))
#define SIGNET_INLINE static inline __attribute__((always_inline)) SIGNET_TARGET

namespace signet::crypto {
namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t batch_blocks = 8;
constexpr std::size_t batch_bytes = batch_blocks * block_bytes;

/// Text that the authenticator has yet to take, in whole blocks of 16 octets.
struct Backlog {
  const std::uint8_t* at;
  std::size_t blocks;
};

/// The authenticator while it is in registers: the sum, and the key with 5 (r1 / 4).
struct Running {
  std::uint64_t h0, h1, h2;
  std::uint64_t r0, r1, r1_5;
};

SIGNET_INLINE Running start_running(const Poly1305Sum& sum, const Poly1305Key& key) noexcept {
  return {sum.h[0], sum.h[1], sum.h[2], key.r[0], key.r[1], key.r[1] + (key.r[1] >> 2)};
}

/// poly1305_step with a whole block, which compilers make half as fast: they spill the carries.
SIGNET_INLINE void take_step(Running& run, const std::uint8_t* block) noexcept {
  const auto* m = reinterpret_cast<const std::uint8_t(*)[16]>(block);
#ifdef __OPTIMIZE__
  const std::uint64_t &r0 = run.r0, &r1 = run.r1, &r1_5 = run.r1_5;
#else  // unoptimised, each reference takes a register, and there are not so many
  const std::uint64_t r0 = run.r0, r1 = run.r1, r1_5 = run.r1_5;
#endif
  std::uint64_t column0, carry0, column1, carry1, column2, low, high;
  __asm__(
      "addq 0(%[m]), %[h0]\n\t"
      "adcq 8(%[m]), %[h1]\n\t"
      "adcq $1, %[h2]\n\t"
      "movq %[r0], %%rdx\n\t"
      "mulxq %[h0], %[column0], %[carry0]\n\t"
      "mulxq %[h1], %[column1], %[carry1]\n\t"
      "movq %[h2], %[column2]\n\t"
      "imulq %%rdx, %[column2]\n\t"
      "movq %[r1_5], %%rdx\n\t"
      "mulxq %[h1], %[low], %[high]\n\t"
      "imulq %%rdx, %[h2]\n\t"
      "movq %[r1], %%rdx\n\t"
      "addq %[low], %[column0]\n\t"
      "adcq %[high], %[carry0]\n\t"
      "mulxq %[h0], %[low], %[high]\n\t"
      "addq %[h2], %[column1]\n\t"
      "adcq $0, %[carry1]\n\t"
      "addq %[low], %[column1]\n\t"
      "adcq %[high], %[carry1]\n\t"
      "addq %[carry0], %[column1]\n\t"
      "adcq %[carry1], %[column2]\n\t"
      "movq %[column2], %[low]\n\t"
      "movq %[column2], %[h2]\n\t"
      "andq $-4, %[low]\n\t"
      "shrq $2, %[column2]\n\t"
      "andl $3, %k[h2]\n\t"
      "addq %[column2], %[low]\n\t"
      "movq %[column0], %[h0]\n\t"
      "movq %[column1], %[h1]\n\t"
      "addq %[low], %[h0]\n\t"
      "adcq $0, %[h1]\n\t"
      "adcq $0, %[h2]"
      : [h0] "+&r"(run.h0), [h1] "+&r"(run.h1), [h2] "+&r"(run.h2), [column0] "=&r"(column0),
        [carry0] "=&r"(carry0), [column1] "=&r"(column1), [carry1] "=&r"(carry1), [column2] "=&r"(column2),
        [low] "=&r"(low), [high] "=&r"(high)
      : [m] "r"(block), [r0] "m"(r0), [r1] "m"(r1), [r1_5] "m"(r1_5), "m"(*m)
      : "rdx", "cc");
}

SIGNET_INLINE void take_steps(Running& run, Backlog& backlog, std::size_t most) noexcept {
  const std::size_t n = backlog.blocks < most ? backlog.blocks : most;
  for (std::size_t i = 0; i < n; i++) take_step(run, backlog.at + 16 * i);
  backlog.at += 16 * n;
  backlog.blocks -= n;
}

/// Three steps; most of the time there are as many.
SIGNET_INLINE void take_three_steps(Running& run, Backlog& backlog) noexcept {
  if (backlog.blocks < 3) return take_steps(run, backlog, 2);
  take_step(run, backlog.at);
  take_step(run, backlog.at + 16);
  take_step(run, backlog.at + 32);
  backlog.at += 48;
  backlog.blocks -= 3;
}

template <int bits>
SIGNET_INLINE __m256i turn(__m256i v) noexcept {
  if constexpr (bits == 16) {
    return _mm256_shuffle_epi8(
        v, _mm256_set_epi64x(0x0D0C0F0E09080B0A, 0x0504070601000302, 0x0D0C0F0E09080B0A, 0x0504070601000302));
  }
  if constexpr (bits == 8) {
    return _mm256_shuffle_epi8(
        v, _mm256_set_epi64x(0x0E0D0C0F0A09080B, 0x0605040702010003, 0x0E0D0C0F0A09080B, 0x0605040702010003));
  }
  return _mm256_or_si256(_mm256_slli_epi32(v, bits), _mm256_srli_epi32(v, 32 - bits));
}

/// Four quarter rounds, step by step, on columns or diagonals: b, c and d say how far their rows are turned.
template <int b, int c, int d>
SIGNET_INLINE void four_quarter_rounds(__m256i (&x)[16]) noexcept {
#define SIGNET_EACH(step) step(0) step(1) step(2) step(3)
#define SIGNET_A(i) x[i]
#define SIGNET_B(i) x[4 + (i + b) % 4]
#define SIGNET_C(i) x[8 + (i + c) % 4]
#define SIGNET_D(i) x[12 + (i + d) % 4]
#define SIGNET_AB(i) SIGNET_A(i) = _mm256_add_epi32(SIGNET_A(i), SIGNET_B(i));
#define SIGNET_CD(i) SIGNET_C(i) = _mm256_add_epi32(SIGNET_C(i), SIGNET_D(i));
#define SIGNET_DA16(i) SIGNET_D(i) = turn<16>(_mm256_xor_si256(SIGNET_D(i), SIGNET_A(i)));
#define SIGNET_BC12(i) SIGNET_B(i) = turn<12>(_mm256_xor_si256(SIGNET_B(i), SIGNET_C(i)));
#define SIGNET_DA8(i) SIGNET_D(i) = turn<8>(_mm256_xor_si256(SIGNET_D(i), SIGNET_A(i)));
#define SIGNET_BC7(i) SIGNET_B(i) = turn<7>(_mm256_xor_si256(SIGNET_B(i), SIGNET_C(i)));
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

template <std::size_t... i>
SIGNET_INLINE void load_all(__m256i (&x)[16], const __m256i* from, std::index_sequence<i...>) noexcept {
  ((x[i] = from[i]), ...);
}

template <std::size_t... i>
SIGNET_INLINE void add_all(__m256i (&x)[16], const __m256i* from, std::index_sequence<i...>) noexcept {
  ((x[i] = _mm256_add_epi32(x[i], from[i])), ...);
}

SIGNET_INLINE void store_block_half(std::uint8_t* pad, std::size_t block, __m256i words) noexcept {
  _mm256_store_si256(reinterpret_cast<__m256i*>(pad + block_bytes * block), words);
}

/// Registers x[from..from + 4) hold a word of each of eight blocks; afterwards the first holds four words of
/// blocks 0 and 4, the next of blocks 1 and 5, and so on.
template <std::size_t from>
SIGNET_INLINE void transpose_four(__m256i (&x)[16]) noexcept {
  const __m256i low01 = _mm256_unpacklo_epi32(x[from], x[from + 1]);
  const __m256i high01 = _mm256_unpackhi_epi32(x[from], x[from + 1]);
  const __m256i low23 = _mm256_unpacklo_epi32(x[from + 2], x[from + 3]);
  const __m256i high23 = _mm256_unpackhi_epi32(x[from + 2], x[from + 3]);
  x[from] = _mm256_unpacklo_epi64(low01, low23);
  x[from + 1] = _mm256_unpackhi_epi64(low01, low23);
  x[from + 2] = _mm256_unpacklo_epi64(high01, high23);
  x[from + 3] = _mm256_unpackhi_epi64(high01, high23);
}

/// Words `from` to `from + 7` of block i and of block i + 4.
template <std::size_t from, std::size_t i>
SIGNET_INLINE void store_two(std::uint8_t* pad, const __m256i (&x)[16]) noexcept {
  store_block_half(pad, i, _mm256_permute2x128_si256(x[from + i], x[from + 4 + i], 0x20));
  store_block_half(pad, i + 4, _mm256_permute2x128_si256(x[from + i], x[from + 4 + i], 0x31));
}

template <std::size_t from>
SIGNET_INLINE void store_half(std::uint8_t* pad, __m256i (&x)[16]) noexcept {
  transpose_four<from>(x);
  transpose_four<from + 4>(x);
  store_two<from, 0>(pad, x);
  store_two<from, 1>(pad, x);
  store_two<from, 2>(pad, x);
  store_two<from, 3>(pad, x);
}

/// ChaCha20's words before the rounds (the key's, the counters of eight blocks, the nonce's), and a batch of
/// key stream.
struct Stream {
  __m256i start[16];
  alignas(32) std::uint8_t pad[2 * batch_bytes];
};

SIGNET_INLINE __m256i all_eight(const std::uint8_t* p) noexcept {
  return _mm256_set1_epi32(load_word<int>(p));
}

SIGNET_INLINE void make_start(Stream& stream, const std::uint8_t* key, const std::uint8_t* nonce) noexcept {
  constexpr int constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};  // "expand 32-byte k"
  for (int i = 0; i < 4; i++) stream.start[i] = _mm256_set1_epi32(constants[i]);
  for (int i = 0; i < 8; i++) stream.start[4 + i] = all_eight(key + 4 * i);
  stream.start[12] = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  for (int i = 0; i < 3; i++) stream.start[13 + i] = all_eight(nonce + 4 * i);
}

/// The next eight blocks of key stream, and the backlog, at most a batch, to the authenticator.
SIGNET_TARGET __attribute__((noinline)) void next_batch(Stream& stream, Poly1305Sum& mac_sum,
                                                        const Poly1305Key& mac_key,
                                                        Backlog backlog) noexcept {
  __m256i x[16];
  Running run = start_running(mac_sum, mac_key);
  load_all(x, stream.start, AllWords());
  for (int i = 0; i < 10; i++) {
    four_quarter_rounds<0, 0, 0>(x);
    take_three_steps(run, backlog);
    four_quarter_rounds<1, 2, 3>(x);
  }
  add_all(x, stream.start, AllWords());
  store_half<0>(stream.pad, x);
  take_steps(run, backlog, backlog.blocks);
  store_half<8>(stream.pad + 32, x);
  stream.start[12] = _mm256_add_epi32(stream.start[12], _mm256_set1_epi32(batch_blocks));
  mac_sum = {{run.h0, run.h1, run.h2}};
}

/// The next sixteen blocks of key stream, and the backlog, at most two batches, to the authenticator. A
/// quarter round is a chain of dependent steps; two batches in turn fill the units that one leaves idle.
SIGNET_TARGET __attribute__((noinline)) void next_two_batches(Stream& stream, Poly1305Sum& mac_sum,
                                                              const Poly1305Key& mac_key,
                                                              Backlog backlog) noexcept {
  const __m256i eight = _mm256_set1_epi32(batch_blocks);
  __m256i x[16];
  __m256i y[16];
  Running run = start_running(mac_sum, mac_key);
  load_all(x, stream.start, AllWords());
  load_all(y, stream.start, AllWords());
  y[12] = _mm256_add_epi32(y[12], eight);
  for (int i = 0; i < 10; i++) {
    four_quarter_rounds<0, 0, 0>(x);
    take_three_steps(run, backlog);
    four_quarter_rounds<0, 0, 0>(y);
    four_quarter_rounds<1, 2, 3>(x);
    take_three_steps(run, backlog);
    four_quarter_rounds<1, 2, 3>(y);
  }
  add_all(x, stream.start, AllWords());
  store_half<0>(stream.pad, x);
  store_half<8>(stream.pad + 32, x);
  take_steps(run, backlog, backlog.blocks);
  add_all(y, stream.start, AllWords());
  y[12] = _mm256_add_epi32(y[12], eight);
  store_half<0>(stream.pad + batch_bytes, y);
  store_half<8>(stream.pad + batch_bytes + 32, y);
  stream.start[12] = _mm256_add_epi32(stream.start[12], _mm256_add_epi32(eight, eight));
  mac_sum = {{run.h0, run.h1, run.h2}};
}

/// The state of one call.
struct Call {
  Stream& stream;
  Poly1305Portable mac;
  TwoPieces text;
  std::uint8_t* dst;
};

SIGNET_INLINE void next_batch(Call& call, Backlog backlog) noexcept {
  next_batch(call.stream, call.mac.sum(), call.mac.key(), backlog);
}

/// `n` octets of the first piece, a multiple of 32, with the key stream at `pad`.
SIGNET_INLINE void crypt_whole(Call& call, const std::uint8_t* pad, std::size_t n) noexcept {
  const std::uint8_t* src = call.text.at();
  for (std::size_t i = 0; i < n; i += 32) {
    const __m256i in = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + i));
    const __m256i stream = _mm256_load_si256(reinterpret_cast<const __m256i*>(pad + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(call.dst + i), _mm256_xor_si256(in, stream));
  }
  call.text.skip(n);
  call.dst += n;
}

/// Up to `n` octets, block by block, with the key stream at `pad`; the authenticator has taken the first
/// `taken` blocks.
template <bool sealing>
SIGNET_INLINE void crypt_blocks(Call& call, const std::uint8_t* pad, std::size_t n,
                                std::size_t taken) noexcept {
  const Poly1305Key key = call.mac.key();
  Poly1305Sum sum = call.mac.sum();
  for (std::size_t i = 0; i < n && call.text.left() != 0; i += 16) {
    std::size_t octets = 0;
    const u128 in = call.text.next(octets);
    const u128 out = first_octets(in ^ load_word<u128>(pad + i), octets);
    store_octets(call.dst, out, octets);
    call.dst += octets;
    if (i / 16 >= taken) poly1305_step(sum, key, sealing ? out : in, 1);
  }
  call.mac.sum() = sum;
}

/// All of a text that has more than the first batch; answers with less than a batch left, and the key stream
/// for it. What the authenticator took of that rest is the answer, in blocks.
template <bool sealing>
SIGNET_INLINE std::size_t crypt_batches(Call& call) noexcept {
  std::size_t done = batch_bytes - block_bytes;
  if (!sealing) call.mac.update({call.text.at(), done});
  crypt_whole(call, call.stream.pad + block_bytes, done);
  while (call.text.first_left() >= 2 * batch_bytes) {
    next_two_batches(
        call.stream, call.mac.sum(), call.mac.key(),
        sealing ? Backlog{call.dst - done, done / 16} : Backlog{call.text.at(), 2 * batch_bytes / 16});
    done = 2 * batch_bytes;
    crypt_whole(call, call.stream.pad, done);
  }
  while (call.text.first_left() >= batch_bytes) {
    next_batch(call,
               sealing ? Backlog{call.dst - done, done / 16} : Backlog{call.text.at(), batch_bytes / 16});
    done = batch_bytes;
    crypt_whole(call, call.stream.pad, done);
  }
  const std::size_t whole = call.text.first_left() / 16;
  next_batch(call, sealing ? Backlog{call.dst - done, done / 16} : Backlog{call.text.at(), whole});
  return sealing ? 0 : whole;
}

/// The whole text. Block 0 keys the authenticator, so the first batch has seven blocks for the text.
template <bool sealing>
SIGNET_INLINE void crypt(Call& call) noexcept {
  std::size_t from = block_bytes;
  std::size_t taken = 0;
  if (call.text.first_left() >= batch_bytes - block_bytes) {
    taken = crypt_batches<sealing>(call);
    from = 0;
  }
  crypt_blocks<sealing>(call, call.stream.pad + from, batch_bytes - from, taken);
  while (call.text.left() != 0) {
    next_batch(call, {nullptr, 0});
    crypt_blocks<sealing>(call, call.stream.pad, batch_bytes, 0);
  }
}

/// RFC 8439 section 2.6: the authenticator's key is the first half of block 0.
SIGNET_INLINE Poly1305Portable make_mac(Stream& stream, const std::uint8_t* key,
                                        const std::uint8_t* nonce) noexcept {
  Poly1305Sum none{};
  make_start(stream, key, nonce);
  next_batch(stream, none, Poly1305Key{}, {nullptr, 0});
  return Poly1305Portable(stream.pad);
}

/// The tag; what was secret is wiped.
SIGNET_INLINE u128 finish(Call& call, std::size_t aad_bytes, std::size_t text_bytes) noexcept {
  call.mac.update_words(aad_bytes, text_bytes);
  const u128 tag = call.mac.finish();
  call.mac.wipe();
  base::wipe_object(call.stream);
  return tag;
}

void expand(std::uint8_t* expanded, const std::uint8_t* key) noexcept { std::memcpy(expanded, key, 32); }

SIGNET_TARGET void seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  SIGNET_KERNEL_RAN("chacha20-poly1305-avx2");
  Stream stream;
  Call call{stream, make_mac(stream, expanded, job.nonce), {job.src, job.tail, job.tail_bytes}, job.dst};
  call.mac.update(job.aad);
  crypt<true>(call);
  store_word(job.tag, finish(call, job.aad.size(), job.src.size() + job.tail_bytes));
}

SIGNET_TARGET bool open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  SIGNET_KERNEL_RAN("chacha20-poly1305-avx2");
  Stream stream;
  Call call{stream, make_mac(stream, expanded, job.nonce), {job.src, 0, 0}, job.dst};
  call.mac.update(job.aad);
  crypt<false>(call);
  return tags_equal(finish(call, job.aad.size(), job.src.size()), job.tag);
}

constexpr AeadKernel kernel = {"chacha20-poly1305-avx2", expand, seal, open, nullptr};

}  // namespace

const AeadKernel& chacha20_poly1305_avx2(Avx2Token) noexcept { return kernel; }

}  // namespace signet::crypto
#endif

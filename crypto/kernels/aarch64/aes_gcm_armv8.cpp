// AES-GCM (NIST SP 800-38D section 7) with AESE and PMULL, eight blocks at once: C = P + E(K, J0 + 1...), T =
// E(K, J0) + GHASH. A round of the eight counters and a product of the hash take turns, so that both units
// work; when sealing, the hash is eight blocks behind. In: an expanded key, any lengths, at any alignment,
// the overlap contract of aead.hpp: eight blocks are read before the first of them is written. Constant time.
#include <signet/crypto/kernels/aarch64/gcm_armv8.hpp>

#if defined(SIGNET_ARMV8_CRYPTO)
#include <utility>

#include <signet/crypto/kernels/kernel_counter.hpp>

namespace signet::crypto {
namespace {

using namespace gcm_armv8;

constexpr std::size_t width = power_count;
constexpr std::size_t stride = width * block_bytes;
using Lanes = std::make_index_sequence<width>;

template <std::size_t... i>
SIGNET_GCM_INLINE void next_counters(Block (&b)[width], Counter& counter,
                                     std::index_sequence<i...>) noexcept {
  ((b[i] = counter_block(add_to_counter(counter, i))), ...);
  counter = add_to_counter(counter, width);
}

template <std::size_t... i>
SIGNET_GCM_INLINE void one_round(Block (&b)[width], Block key, std::index_sequence<i...>) noexcept {
  ((b[i] = vaesmcq_u8(vaeseq_u8(b[i], key))), ...);
}

template <std::size_t... i>
SIGNET_GCM_INLINE void last_round(Block (&b)[width], Block key, Block last_key,
                                  std::index_sequence<i...>) noexcept {
  ((b[i] = veorq_u8(vaeseq_u8(b[i], key), last_key)), ...);
}

template <std::size_t... i>
SIGNET_GCM_INLINE void add_text(Block (&b)[width], const std::uint8_t* src,
                                std::index_sequence<i...>) noexcept {
  ((b[i] = veorq_u8(b[i], vld1q_u8(src + block_bytes * i))), ...);
}

template <std::size_t... i>
SIGNET_GCM_INLINE void store_all(std::uint8_t* dst, const Block (&b)[width],
                                 std::index_sequence<i...>) noexcept {
  (vst1q_u8(dst + block_bytes * i, b[i]), ...);
}

/// Block `i` of the eight at `hashed`; the first brings the hash so far.
template <std::size_t i>
SIGNET_GCM_INLINE void hash_block(Product& sum, const std::uint8_t* expanded, const std::uint8_t* hashed,
                                  Halves hash) noexcept {
  Halves x = to_halves(vld1q_u8(hashed + block_bytes * i));
  if constexpr (i == 0) x = veorq_u64(x, hash);
  add_power(sum, x, expanded, width - i);
}

template <std::size_t... i>
SIGNET_GCM_INLINE Halves hash_eight(const std::uint8_t* expanded, const std::uint8_t* hashed, Halves hash,
                                    std::index_sequence<i...>) noexcept {
  Product sum = no_product();
  (hash_block<(i + 1) % width>(sum, expanded, hashed, hash), ...);
  return reduce(sum);
}

/// Rounds 0 to 7, each followed by one block of the hash; the first block last, since it waits for the hash
/// so far.
template <std::size_t... i>
SIGNET_GCM_INLINE void rounds_and_hash(Block (&b)[width], Product& sum, const std::uint8_t* expanded,
                                       const std::uint8_t* hashed, Halves hash,
                                       std::index_sequence<i...>) noexcept {
  ((one_round(b, round_key(expanded, static_cast<int>(i)), Lanes()),
    hash_block<(i + 1) % width>(sum, expanded, hashed, hash)),
   ...);
}

template <int from, int rounds>
SIGNET_GCM_INLINE void rounds_from(Block (&b)[width], const std::uint8_t* expanded) noexcept {
  if constexpr (from < rounds - 1) {
    one_round(b, round_key(expanded, from), Lanes());
    rounds_from<from + 1, rounds>(b, expanded);
  } else {
    last_round(b, round_key(expanded, from), round_key(expanded, rounds), Lanes());
  }
}

SIGNET_GCM_INLINE void finish_eight(Text& text, Block (&b)[width]) noexcept {
  add_text(b, text.pieces.at(), Lanes());
  store_all(text.dst, b, Lanes());
  text.pieces.skip(stride);
  text.dst += stride;
}

/// Eight blocks of text without a hash.
template <int rounds>
SIGNET_GCM_INLINE void crypt_eight(Text& text, const std::uint8_t* expanded) noexcept {
  Block b[width];
  next_counters(b, text.counter, Lanes());
  rounds_from<0, rounds>(b, expanded);
  finish_eight(text, b);
}

/// Eight blocks of text, and the eight at `hashed` to the hash.
template <int rounds>
SIGNET_GCM_INLINE void crypt_and_hash_eight(Text& text, const std::uint8_t* expanded,
                                            const std::uint8_t* hashed) noexcept {
  Block b[width];
  Product sum = no_product();
  next_counters(b, text.counter, Lanes());
  rounds_and_hash(b, sum, expanded, hashed, text.hash, Lanes());
  rounds_from<8, rounds>(b, expanded);
  text.hash = reduce(sum);
  finish_eight(text, b);
}

/// The rest of the text and the lengths; answers the tag. The first block of each batch of key stream is the
/// tag's mask.
template <int rounds, bool sealing>
SIGNET_GCM_INLINE u128 finish(Text& text, const std::uint8_t* expanded, Counter first,
                              Halves lengths) noexcept {
  alignas(16) std::uint8_t pad[stride];
  bool last = false;
  while (!last) {
    Block b[width];
    text.counter = vsubq_u32(text.counter, add_to_counter(vdupq_n_u32(0), 1));
    next_counters(b, text.counter, Lanes());
    b[0] = counter_block(first);
    rounds_from<0, rounds>(b, expanded);
    store_all(pad, b, Lanes());
    Batch batch = start_batch(text, pad + block_bytes, width - 1);
    last = finish_batch<sealing>(text, batch, expanded, lengths);
  }
  const u128 tag = to_word(veorq_u8(to_block(text.hash), vld1q_u8(pad)));
  base::wipe(pad);
  return tag;
}

template <int rounds>
SIGNET_GCM_TARGET void expand(std::uint8_t* expanded, const std::uint8_t* key) noexcept {
  expand_key<rounds>(expanded, key);
}

template <int rounds>
SIGNET_GCM_TARGET void seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-armv8");
  const Counter first = first_counter(job.nonce);
  const Halves lengths = lengths_block(job.aad.size(), job.src.size() + job.tail_bytes);
  Text text{{job.src, job.tail, job.tail_bytes},
            job.dst,
            times_h(expanded, aad_block(expanded, job.aad)),
            add_to_counter(first, 1)};
  if (text.pieces.first_left() >= stride) {
    crypt_eight<rounds>(text, expanded);
    while (text.pieces.first_left() >= stride)
      crypt_and_hash_eight<rounds>(text, expanded, text.dst - stride);
    text.hash = hash_eight(expanded, text.dst - stride, text.hash, Lanes());
  }
  store_word(job.tag, finish<rounds, true>(text, expanded, first, lengths));
}

template <int rounds>
SIGNET_GCM_TARGET bool open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-armv8");
  const Counter first = first_counter(job.nonce);
  const Halves lengths = lengths_block(job.aad.size(), job.src.size());
  Text text{
      {job.src, 0, 0}, job.dst, times_h(expanded, aad_block(expanded, job.aad)), add_to_counter(first, 1)};
  while (text.pieces.first_left() >= stride) crypt_and_hash_eight<rounds>(text, expanded, text.pieces.at());
  return tags_equal(finish<rounds, false>(text, expanded, first, lengths), job.tag);
}

template <int rounds>
SIGNET_GCM_TARGET void encrypt_block(const std::uint8_t* expanded, std::uint8_t out[16],
                                     const std::uint8_t in[16]) noexcept {
  vst1q_u8(out, encrypt_one<rounds>(expanded, vld1q_u8(in)));
}

constexpr AeadKernel aes_128 = {"aes-gcm-armv8", expand<10>, seal<10>, open<10>, encrypt_block<10>};
constexpr AeadKernel aes_256 = {"aes-gcm-armv8", expand<14>, seal<14>, open<14>, encrypt_block<14>};

}  // namespace

const AeadKernel& aes_128_gcm_armv8(Armv8Token) noexcept { return aes_128; }
const AeadKernel& aes_256_gcm_armv8(Armv8Token) noexcept { return aes_256; }

}  // namespace signet::crypto
#endif

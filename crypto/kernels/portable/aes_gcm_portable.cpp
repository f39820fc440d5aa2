// AES-GCM (NIST SP 800-38D section 7) of the portable AES and GHASH: C = P + E(K, J0 + 1...), T = E(K, J0) +
// GHASH. In: an expanded key of round keys and H; any lengths; the overlap contract of aead.hpp. Constant
// time.
#include <signet/crypto/kernels/aead_kernels.hpp>
#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/portable/aes_portable.hpp>
#include <signet/crypto/kernels/portable/chunks_portable.hpp>
#include <signet/crypto/kernels/portable/ghash_portable.hpp>

namespace signet::crypto {
namespace {

constexpr std::size_t hash_key_at = aes_max_round_keys_bytes;
static_assert(hash_key_at + aes_block_bytes <= expanded_key_bytes);

/// The blocks E(K, nonce || counter), four a call; the first call begins with E(K, J0).
class CounterStream {
 public:
  CounterStream(const std::uint8_t* expanded, int rounds, const std::uint8_t* nonce) noexcept
      : nonce_(nonce) {
    aes_load_keys_portable(keys_, expanded, rounds);
  }

  /// E(K, J0), the tag's mask.
  u128 mask() noexcept {
    std::uint8_t blocks[chunk_bytes];
    next(blocks);
    const u128 result = load_word<u128>(blocks);
    base::wipe(blocks);
    counter_ = 2;
    return result;
  }

  void next(std::uint8_t blocks[chunk_bytes]) noexcept {
    for (std::size_t i = 0; i < chunk_bytes; i += aes_block_bytes) {
      std::memcpy(blocks + i, nonce_, 12);
      base::store_be32(blocks + i + 12, counter_++);
    }
    aes_encrypt4_portable(blocks, keys_);
  }

  void wipe() noexcept { base::wipe_object(keys_); }

 private:
  AesPlaneKeys keys_;
  const std::uint8_t* nonce_;
  std::uint32_t counter_ = 1;
};

template <int rounds>
void encrypt_block(const std::uint8_t* expanded, std::uint8_t out[16], const std::uint8_t in[16]) noexcept {
  AesPlaneKeys keys;
  std::uint8_t blocks[64] = {};
  aes_load_keys_portable(keys, expanded, rounds);
  std::memcpy(blocks, in, aes_block_bytes);
  aes_encrypt4_portable(blocks, keys);
  std::memcpy(out, blocks, aes_block_bytes);
  base::wipe(blocks);
  base::wipe_object(keys);
}

template <int rounds>
void expand(std::uint8_t* expanded, const std::uint8_t* key) noexcept {
  constexpr std::uint8_t zero[aes_block_bytes] = {};
  aes_expand_portable(expanded, key, rounds);
  encrypt_block<rounds>(expanded, expanded + hash_key_at, zero);
}

template <int rounds>
void seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-portable");
  CounterStream stream(expanded, rounds, job.nonce);
  GhashPortable ghash(expanded + hash_key_at);
  const u128 mask = stream.mask();
  ghash.update(job.aad);
  seal_chunks(stream, ghash, job);
  store_word(job.tag, mask ^ ghash.finish(job.aad.size(), job.src.size() + job.tail_bytes));
  stream.wipe();
  ghash.wipe();
}

template <int rounds>
bool open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  SIGNET_KERNEL_RAN("aes-gcm-portable");
  CounterStream stream(expanded, rounds, job.nonce);
  GhashPortable ghash(expanded + hash_key_at);
  const u128 mask = stream.mask();
  ghash.update(job.aad);
  open_chunks(stream, ghash, job);
  const u128 tag = mask ^ ghash.finish(job.aad.size(), job.src.size());
  stream.wipe();
  ghash.wipe();
  return tags_equal(tag, job.tag);
}

}  // namespace

const AeadKernel aes_128_gcm_portable = {"aes-gcm-portable", expand<10>, seal<10>, open<10>,
                                         encrypt_block<10>};
const AeadKernel aes_256_gcm_portable = {"aes-gcm-portable", expand<14>, seal<14>, open<14>,
                                         encrypt_block<14>};

}  // namespace signet::crypto

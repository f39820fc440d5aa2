// ChaCha20-Poly1305 (RFC 8439 section 2.8) of the portable halves: block 0 keys the authenticator, the others
// the text. In: an expanded key that is the key; any lengths; the overlap contract of aead.hpp. Constant
// time.
#include <signet/crypto/kernels/aead_kernels.hpp>
#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/portable/chunks_portable.hpp>
#include <signet/crypto/kernels/portable/poly1305_portable.hpp>

namespace signet::crypto {
namespace {

class BlockStream {
 public:
  BlockStream(const std::uint8_t* key, const std::uint8_t* nonce) noexcept : key_(key), nonce_(nonce) {}
  void next(std::uint8_t block[chunk_bytes]) noexcept { chacha20_block(block, key_, counter_++, nonce_); }

  /// RFC 8439 section 2.6: the first 32 octets of block 0.
  Poly1305Portable make_mac() noexcept {
    std::uint8_t block[chunk_bytes];
    next(block);
    const Poly1305Portable mac(block);
    base::wipe(block);
    return mac;
  }

 private:
  const std::uint8_t* key_;
  const std::uint8_t* nonce_;
  std::uint32_t counter_ = 0;
};

void expand(std::uint8_t* expanded, const std::uint8_t* key) noexcept { std::memcpy(expanded, key, 32); }

void seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  SIGNET_KERNEL_RAN("chacha20-poly1305-portable");
  BlockStream stream(expanded, job.nonce);
  Poly1305Portable mac = stream.make_mac();
  mac.update(job.aad);
  seal_chunks(stream, mac, job);
  mac.update_words(job.aad.size(), job.src.size() + job.tail_bytes);
  store_word(job.tag, mac.finish());
  mac.wipe();
}

bool open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  SIGNET_KERNEL_RAN("chacha20-poly1305-portable");
  BlockStream stream(expanded, job.nonce);
  Poly1305Portable mac = stream.make_mac();
  mac.update(job.aad);
  open_chunks(stream, mac, job);
  mac.update_words(job.aad.size(), job.src.size());
  const u128 tag = mac.finish();
  mac.wipe();
  return tags_equal(tag, job.tag);
}

}  // namespace

const AeadKernel chacha20_poly1305_portable = {"chacha20-poly1305-portable", expand, seal, open, nullptr};

}  // namespace signet::crypto

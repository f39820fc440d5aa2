// The AEADs with secret keys and secret plaintext: lengths around every kernel's block, runs and tails.
#include <vector>

#include "marks.hpp"

#include <signet/crypto/aead.hpp>

namespace signet::secrets {
namespace {

using crypto::AeadId;
using crypto::AeadKey;

constexpr std::string_view ciphertext_is_sent = "ciphertext and tag are sent to the peer";
constexpr std::string_view answer_shows = "a wrong tag ends the connection with an alert";

constexpr std::size_t lengths[] = {0, 1, 15, 16, 17, 64, 100, 255, 256, 300, 513, 1'350, 4'099};
constexpr std::uint8_t nonce[crypto::aead_nonce_bytes] = {1, 2, 3};
constexpr std::uint8_t header[] = {23, 3, 3, 0, 17};

struct Sealed {
  std::vector<std::uint8_t> text;
  std::uint8_t tag[crypto::aead_tag_bytes];
};

// The plaintext and its tail, the inner type of TLS 1.3, are secret.
Sealed seal(const AeadKey& key, std::size_t length) {
  Sealed sealed{std::vector<std::uint8_t>(length + 1, 0x5a), {}};
  std::uint8_t tail = 23;
  mark_secret(sealed.text);
  mark_secret({&tail, 1});
  key.seal(sealed.text.data(), sealed.tag, nonce, header, {sealed.text.data(), length}, {&tail, 1});
  reveal_bytes(sealed.text, ciphertext_is_sent);
  reveal(sealed.tag, ciphertext_is_sent);
  return sealed;
}

bool opens(const AeadKey& key, Sealed sealed) {
  bool genuine = key.open(sealed.text.data(), nonce, header, sealed.text, sealed.tag);
  reveal(genuine, answer_shows);
  return genuine;
}

void run(AeadId id, const crypto::AeadKernel& kernel, std::string_view name) {
  begin(name, crypto::aead_kernel_name(kernel));
  const Secret<crypto::max_aead_key_bytes> secret(11);
  AeadKey key;
  key.init(id, base::Bytes(secret.octets).first(crypto::aead_key_bytes(id)), kernel);
  for (const std::size_t length : lengths) {
    Sealed sealed = seal(key, length);
    require(opens(key, sealed), "opening what was sealed");
    sealed.tag[15] ^= 1;
    require(!opens(key, sealed), "refusing a wrong tag");
  }
}

}  // namespace

void run_ciphers() {
  constexpr std::pair<AeadId, std::string_view> all[] = {{AeadId::aes_128_gcm, "AES-128-GCM"},
                                                         {AeadId::aes_256_gcm, "AES-256-GCM"},
                                                         {AeadId::chacha20_poly1305, "ChaCha20-Poly1305"}};
  for (const auto& [id, name] : all) {
    for (const auto* kernel : crypto::aead_kernels(id)) run(id, *kernel, name);
  }
}

}  // namespace signet::secrets

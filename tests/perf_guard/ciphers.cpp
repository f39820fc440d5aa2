#include <vector>

#include "counted.hpp"

#include <signet/crypto/aead.hpp>

namespace signet::counted {
namespace {

struct CipherRows {
  crypto::AeadId id;
  std::string_view key, seal, open;  // names
};

// As of a record of TLS: its header is the additional data.
constexpr std::size_t aad_bytes = 5;

void count_cipher(const CipherRows& rows) {
  const std::string_view kernel = crypto::aead_kernel_name(*crypto::aead_kernels(rows.id).front());
  const auto nonce = text(longest).subspan(100).first<crypto::aead_nonce_bytes>();
  const base::Bytes aad = text(aad_bytes);
  std::vector<std::uint8_t> sealed(longest), opened(longest);
  std::uint8_t tag[crypto::aead_tag_bytes];
  crypto::AeadKey key;
  const std::size_t key_bytes = crypto::aead_key_bytes(rows.id);
  count({rows.key, key_bytes, kernel}, [&] { key.init(rows.id, text(key_bytes)); });
  for (const std::size_t n : lengths) {
    count({rows.seal, n, kernel}, [&] { key.seal(sealed.data(), tag, nonce, aad, text(n), {}); });
    count({rows.open, n, kernel}, [&] {
      require(key.open(opened.data(), nonce, aad, {sealed.data(), n}, tag), rows.open);
    });
  }
}

}  // namespace

void count_ciphers() {
  constexpr CipherRows all[] = {
      {crypto::AeadId::aes_128_gcm, "AES-128-GCM key", "AES-128-GCM seal", "AES-128-GCM open"},
      {crypto::AeadId::aes_256_gcm, "AES-256-GCM key", "AES-256-GCM seal", "AES-256-GCM open"},
      {crypto::AeadId::chacha20_poly1305, "ChaCha20-Poly1305 key", "ChaCha20-Poly1305 seal",
       "ChaCha20-Poly1305 open"},
  };
  for (const CipherRows& rows : all) count_cipher(rows);
}

}  // namespace signet::counted

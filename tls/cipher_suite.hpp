// The cipher suites and groups that we speak (RFC 8446 sections B.4 and 4.2.7).
#pragma once

#include <optional>
#include <string_view>

#include <signet/crypto/aead.hpp>
#include <signet/crypto/hash.hpp>

namespace signet::tls {

enum class CipherSuite : std::uint16_t {
  none = 0,
  aes_128_gcm_sha256 = 0x1301,
  aes_256_gcm_sha384 = 0x1302,
  chacha20_poly1305_sha256 = 0x1303,
};

enum class NamedGroup : std::uint16_t { none = 0, secp256r1 = 0x0017, x25519 = 0x001d };

enum class SignatureScheme : std::uint16_t { none = 0, ecdsa_secp256r1_sha256 = 0x0403 };

constexpr bool known(CipherSuite s) noexcept {
  return s == CipherSuite::aes_128_gcm_sha256 || s == CipherSuite::aes_256_gcm_sha384 ||
         s == CipherSuite::chacha20_poly1305_sha256;
}

constexpr crypto::AeadId aead_of(CipherSuite s) noexcept {
  return s == CipherSuite::aes_128_gcm_sha256   ? crypto::AeadId::aes_128_gcm
         : s == CipherSuite::aes_256_gcm_sha384 ? crypto::AeadId::aes_256_gcm
                                                : crypto::AeadId::chacha20_poly1305;
}

constexpr crypto::HashId hash_of(CipherSuite s) noexcept {
  return s == CipherSuite::aes_256_gcm_sha384 ? crypto::HashId::sha384 : crypto::HashId::sha256;
}

/// The length of a key share of the group; 0 for one we do not speak.
constexpr std::size_t key_share_bytes(NamedGroup g) noexcept {
  return g == NamedGroup::x25519 ? 32 : g == NamedGroup::secp256r1 ? 65 : 0;
}

/// The IANA name, "TLS_AES_128_GCM_SHA256" or "x25519"; "none" otherwise.
[[nodiscard]] std::string_view name_of(CipherSuite suite) noexcept;
[[nodiscard]] std::string_view name_of(NamedGroup group) noexcept;

}  // namespace signet::tls

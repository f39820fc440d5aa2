#include <signet/tls/cipher_suite.hpp>

namespace signet::tls {

std::string_view name_of(CipherSuite suite) noexcept {
  switch (suite) {
    case CipherSuite::aes_128_gcm_sha256:
      return "TLS_AES_128_GCM_SHA256";
    case CipherSuite::aes_256_gcm_sha384:
      return "TLS_AES_256_GCM_SHA384";
    case CipherSuite::chacha20_poly1305_sha256:
      return "TLS_CHACHA20_POLY1305_SHA256";
    case CipherSuite::none:
      break;
  }
  return "none";
}

std::string_view name_of(NamedGroup group) noexcept {
  switch (group) {
    case NamedGroup::secp256r1:
      return "secp256r1";
    case NamedGroup::x25519:
      return "x25519";
    case NamedGroup::none:
      break;
  }
  return "none";
}

}  // namespace signet::tls

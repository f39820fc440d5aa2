// What a server chooses from a ClientHello (RFC 8446 section 4.1.1). Knows no connection: a function of the
// two.
#pragma once

#include <array>

#include <signet/base/result.hpp>
#include <signet/tls/messages/client_hello.hpp>
#include <signet/tls/record_layout.hpp>
#include <signet/tls/server_settings.hpp>

namespace signet::tls {

struct Choice {
  CipherSuite suite = CipherSuite::none;
  NamedGroup group = NamedGroup::none;
  base::Bytes share;  ///< the client's key share of that group; empty: ask for one by HelloRetryRequest
  std::string_view protocol;  ///< from the settings; empty when ALPN is not answered
  std::uint16_t max_plaintext = max_plaintext_bytes;
  bool record_size_limit_offered = false;
};

/// Our preferences: AES-128-GCM, AES-256-GCM, ChaCha20-Poly1305, the last one first for a client that lists
/// it first; X25519 before P-256, but never a retry when an acceptable share is there. Fails with the reason
/// for which the handshake cannot go on.
[[nodiscard]] base::Result<Choice, Failure> negotiate(const ServerSettings& settings,
                                                      const ClientHello& hello) noexcept;

using HelloFingerprint = std::array<std::uint8_t, crypto::Sha256::digest_bytes>;

/// A digest of everything in a ClientHello that a second one may not change after a HelloRetryRequest (RFC
/// 8446 section 4.1.2).
[[nodiscard]] HelloFingerprint fingerprint(const ClientHello& hello) noexcept;

}  // namespace signet::tls

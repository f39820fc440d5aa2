// ServerHello and HelloRetryRequest, one format (RFC 8446 sections 4.1.3 and 4.1.4).
#pragma once

#include <array>

#include <signet/tls/extensions.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

/// The random that makes a ServerHello a HelloRetryRequest: SHA-256 of that name.
extern const std::array<std::uint8_t, 32> hello_retry_random;

/// What the last eight octets of a ServerHello's random say of a server that could do better (RFC 8446
/// section 4.1.3).
enum class Downgrade : std::uint8_t { none, to_tls12, to_tls11_or_below };

struct ServerHello {
  static constexpr HandshakeType type = HandshakeType::server_hello;

  ProtocolVersion legacy_version = ProtocolVersion::tls12;
  base::Bytes random;           ///< 32 octets
  base::Bytes session_id_echo;  ///< at most 32 octets
  CipherSuite suite = CipherSuite::none;
  bool has_extensions = true;
  Extensions extensions;

  [[nodiscard]] bool is_retry() const noexcept;
  [[nodiscard]] Downgrade downgrade() const noexcept;
  /// Parses a message without its header. Reasons: message_malformed, message_trailing_octets,
  /// server_compression_wrong, and those of Extensions::parse.
  [[nodiscard]] static base::Result<ServerHello, Failure> parse(base::Bytes body) noexcept;
  void write(Writer& writer) const noexcept;
};

}  // namespace signet::tls

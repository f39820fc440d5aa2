// ClientHello (RFC 8446 section 4.1.2), of TLS 1.3 clients and of older ones.
#pragma once

#include <signet/tls/extensions.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

struct ClientHello {
  static constexpr HandshakeType type = HandshakeType::client_hello;

  ProtocolVersion legacy_version = ProtocolVersion::tls12;
  base::Bytes random;      ///< 32 octets
  base::Bytes session_id;  ///< at most 32 octets
  WordList<CipherSuite> cipher_suites;
  base::Bytes compression_methods;
  /// False for a hello that ends before its extensions, as old clients send.
  bool has_extensions = true;
  Extensions extensions;

  [[nodiscard]] bool offers(ProtocolVersion version) const noexcept {
    return extensions.has(ExtensionId::supported_versions) && extensions.supported_versions.contains(version);
  }
  /// Parses a message without its header; views point into `body`. Reasons: message_malformed,
  /// message_trailing_octets, compression_offered (when TLS 1.3 is offered), and those of Extensions::parse.
  [[nodiscard]] static base::Result<ClientHello, Failure> parse(base::Bytes body) noexcept;
  /// Writes the message with its header.
  void write(Writer& writer) const noexcept;
};

/// The start of the ClientHello `message`, header included, that its binders are computed over (RFC 8446
/// section 4.2.11.2). `hello` was parsed from it and has pre_shared_key.
[[nodiscard]] base::Bytes without_binders(base::Bytes message, const ClientHello& hello) noexcept;

}  // namespace signet::tls

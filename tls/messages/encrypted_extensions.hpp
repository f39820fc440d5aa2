// EncryptedExtensions (RFC 8446 section 4.3.1).
#pragma once

#include <signet/tls/extensions.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

struct EncryptedExtensions {
  static constexpr HandshakeType type = HandshakeType::encrypted_extensions;

  Extensions extensions;

  /// Reasons: message_malformed, message_trailing_octets, and those of Extensions::parse.
  [[nodiscard]] static base::Result<EncryptedExtensions, Failure> parse(base::Bytes body) noexcept;
  void write(Writer& writer) const noexcept;
};

}  // namespace signet::tls

// Certificate (RFC 8446 section 4.4.2).
#pragma once

#include <signet/tls/extensions.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

/// One certificate and its extensions, as they lie in the message.
struct CertificateEntry {
  base::Bytes certificate;  ///< DER, not empty
  List<RawExtension> extensions;
  static CertificateEntry read(Reader& reader) noexcept;
  void write(Writer& writer) const noexcept;
};

struct CertificateMessage {
  static constexpr HandshakeType type = HandshakeType::certificate;

  base::Bytes request_context;     ///< of the CertificateRequest; empty for a server
  List<CertificateEntry> entries;  ///< the leaf first; may be empty

  /// Reasons: message_malformed, message_trailing_octets, and those of Extensions::parse for each entry.
  [[nodiscard]] static base::Result<CertificateMessage, Failure> parse(base::Bytes body) noexcept;
  void write(Writer& writer) const noexcept;
};

/// Writes the message from certificates in DER, the leaf first, without extensions.
void write_certificate_message(Writer& writer, base::Bytes request_context,
                               std::span<const base::Bytes> certificates) noexcept;

}  // namespace signet::tls

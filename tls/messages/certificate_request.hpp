// CertificateRequest (RFC 8446 section 4.3.2).
#pragma once

#include <signet/tls/extensions.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

struct CertificateRequest {
  static constexpr HandshakeType type = HandshakeType::certificate_request;

  base::Bytes request_context;  ///< empty during the handshake
  Extensions extensions;        ///< has signature_algorithms

  /// Reasons: message_malformed, message_trailing_octets, signature_algorithms_missing, and those of
  /// Extensions::parse.
  [[nodiscard]] static base::Result<CertificateRequest, Failure> parse(base::Bytes body) noexcept;
  void write(Writer& writer) const noexcept;
};

}  // namespace signet::tls

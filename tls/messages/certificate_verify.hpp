// CertificateVerify and what it signs (RFC 8446 section 4.4.3).
#pragma once

#include <array>

#include <signet/crypto/hash.hpp>
#include <signet/tls/extensions.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

struct CertificateVerify {
  static constexpr HandshakeType type = HandshakeType::certificate_verify;

  SignatureScheme scheme = SignatureScheme::none;
  base::Bytes signature;  ///< not looked at

  /// Reasons: message_malformed, message_trailing_octets.
  [[nodiscard]] static base::Result<CertificateVerify, Failure> parse(base::Bytes body) noexcept;
  void write(Writer& writer) const noexcept;
};

/// Whose CertificateVerify it is.
enum class Signer : std::uint8_t { client, server };

/// The octets that are signed: 64 blanks, who signs, a zero, the transcript's digest.
class SignedContent {
 public:
  /// `transcript_digest` has at most 64 octets.
  SignedContent(Signer signer, base::Bytes transcript_digest) noexcept;
  [[nodiscard]] base::Bytes bytes() const noexcept { return base::Bytes(octets_).first(size_); }

 private:
  static constexpr std::size_t pad_bytes = 64;
  static constexpr std::size_t context_bytes = 33;
  std::array<std::uint8_t, pad_bytes + context_bytes + 1 + crypto::max_digest_bytes> octets_;
  std::size_t size_;
};

}  // namespace signet::tls

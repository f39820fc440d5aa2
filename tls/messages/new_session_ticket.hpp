// NewSessionTicket (RFC 8446 section 4.6.1).
#pragma once

#include <signet/tls/extensions.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

struct NewSessionTicket {
  static constexpr HandshakeType type = HandshakeType::new_session_ticket;

  std::uint32_t lifetime_seconds = 0;
  std::uint32_t age_add = 0;
  base::Bytes nonce;   ///< at most 255 octets
  base::Bytes ticket;  ///< not empty
  Extensions extensions;

  /// Reasons: message_malformed, message_trailing_octets, and those of Extensions::parse.
  [[nodiscard]] static base::Result<NewSessionTicket, Failure> parse(base::Bytes body) noexcept;
  void write(Writer& writer) const noexcept;
};

}  // namespace signet::tls

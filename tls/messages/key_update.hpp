// KeyUpdate (RFC 8446 section 4.6.3).
#pragma once

#include <signet/base/result.hpp>
#include <signet/tls/failure.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

struct KeyUpdate {
  static constexpr HandshakeType type = HandshakeType::key_update;
  static constexpr std::size_t message_bytes = handshake_header_bytes + 1;

  bool update_requested = false;

  /// Reasons: message_malformed, message_trailing_octets, key_update_malformed.
  [[nodiscard]] static base::Result<KeyUpdate, Failure> parse(base::Bytes body) noexcept;
  void write(Writer& writer) const noexcept;
};

}  // namespace signet::tls

// The four octets before every handshake message (RFC 8446 section 4).
#pragma once

#include <optional>

#include <signet/tls/wire.hpp>

namespace signet::tls {

enum class HandshakeType : std::uint8_t {
  client_hello = 1,
  server_hello = 2,
  new_session_ticket = 4,
  end_of_early_data = 5,
  encrypted_extensions = 8,
  certificate = 11,
  certificate_request = 13,
  certificate_verify = 15,
  finished = 20,
  key_update = 24,
  message_hash = 254,
};

constexpr std::size_t handshake_header_bytes = 4;

/// Whether RFC 8446 has such a message on the wire.
[[nodiscard]] bool known(HandshakeType type) noexcept;
/// "ClientHello"; "unknown" for a type that RFC 8446 does not name.
[[nodiscard]] std::string_view name_of(HandshakeType type) noexcept;

struct HandshakeHeader {
  HandshakeType type;        // as sent, known or not
  std::uint32_t body_bytes;  // below 2^24

  /// The header at the front of `bytes`; nothing when fewer than four octets are there.
  [[nodiscard]] static std::optional<HandshakeHeader> peek(base::Bytes bytes) noexcept;
  [[nodiscard]] std::size_t message_bytes() const noexcept { return handshake_header_bytes + body_bytes; }
};

/// Begins a message; its length is written when the scope ends.
[[nodiscard]] Writer::Scope open_message(Writer& writer, HandshakeType type) noexcept;

}  // namespace signet::tls

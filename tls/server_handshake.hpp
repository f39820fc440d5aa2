// The server's handshake of TLS 1.3 (RFC 8446 section 2): which message is served when, and what it is
// answered.
#pragma once

#include <signet/tls/core.hpp>
#include <signet/tls/handshake_area.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

using HandshakeResult = base::Result<void, Failure>;

/// One step's view of a running handshake; holds no state of its own.
class ServerHandshake {
 public:
  ServerHandshake(Core& core, HandshakeArea& area, const ServerSettings& settings, KeyCache& keys,
                  base::SendBuffer& out) noexcept
      : core_(core), area_(area), settings_(settings), keys_(keys), out_(out) {}

  /// Whether a message of `type` is served in `state`; any other is message_unexpected.
  [[nodiscard]] static bool serves(ServerState state, HandshakeType type) noexcept;
  /// Serves one whole message, its header included. `last`: nothing follows it in what was opened so far.
  [[nodiscard]] HandshakeResult on_message(HandshakeType type, base::Bytes message, bool last) noexcept;
  /// send_finished: the rest of our flight, and the keys for application data.
  [[nodiscard]] HandshakeResult finish_flight() noexcept;

 private:
  [[nodiscard]] HandshakeResult on_client_hello(base::Bytes message) noexcept;
  [[nodiscard]] HandshakeResult check_second_hello(const ClientHello& hello, const Choice& choice) noexcept;
  [[nodiscard]] HandshakeResult ask_for_share(const ClientHello& hello, const Choice& choice) noexcept;
  [[nodiscard]] HandshakeResult answer_hello(const ClientHello& hello, const Choice& choice) noexcept;
  [[nodiscard]] HandshakeResult send_server_hello(const ClientHello& hello, const Choice& choice,
                                                  base::Bytes share) noexcept;
  void derive_handshake_keys(const Secret& shared) noexcept;
  void derive_application_keys() noexcept;
  [[nodiscard]] HandshakeResult send_encrypted_extensions(const Choice& choice) noexcept;
  [[nodiscard]] HandshakeResult on_finished(base::Bytes message) noexcept;

  // Writes a message and adds it to the transcript.
  template <class Message>
  [[nodiscard]] HandshakeResult send(const Message& message) noexcept;
  [[nodiscard]] HandshakeResult send_bytes(base::Bytes message) noexcept;
  [[nodiscard]] HandshakeResult send_change_cipher_spec(const ClientHello& hello) noexcept;

  Core& core_;
  HandshakeArea& area_;
  const ServerSettings& settings_;
  KeyCache& keys_;
  base::SendBuffer& out_;
};

/// The costly step of wait_signature: CertificateVerify's signature, verified before it can be sent.
void sign_flight(HandshakeArea& area) noexcept;

}  // namespace signet::tls

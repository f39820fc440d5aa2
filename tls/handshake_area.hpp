// The working memory of one server handshake: leased while it runs, given back wiped.
#pragma once

#include <memory>
#include <new>
#include <optional>

#include <signet/crypto/p256.hpp>
#include <signet/tls/key_schedule.hpp>
#include <signet/tls/negotiation.hpp>
#include <signet/tls/transcript.hpp>

namespace signet::tls {

/// Where a server handshake stands: what it does next, or which message it waits for.
enum class ServerState : std::uint8_t {
  wait_client_hello,
  wait_second_client_hello,  ///< a HelloRetryRequest was sent
  wait_signature,            ///< our flight is written up to the Certificate
  send_finished,
  wait_finished,
  done,
};

/// Early data that we declined and pass over (RFC 8446 section 4.2.10).
enum class EarlyData : std::uint8_t {
  none,
  until_second_hello,  ///< after a HelloRetryRequest: every protected record
  until_opened,        ///< records under a key that we do not have, up to the first one that opens
};

class HandshakeArea {
 public:
  HandshakeArea() noexcept = default;
  HandshakeArea(const HandshakeArea&) = delete;
  HandshakeArea& operator=(const HandshakeArea&) = delete;

  ServerState state = ServerState::wait_client_hello;
  EarlyData early_data = EarlyData::none;
  std::uint32_t early_data_bytes = 0;  // skipped so far
  bool offered_early_data = false;
  std::uint16_t change_cipher_specs = 0;

  std::shared_ptr<const Identity> identity;  // the one that this handshake began with
  Transcript transcript{crypto::HashId::sha256};

  HelloFingerprint first_hello{};  // and the group we asked for, when a second one is due
  NamedGroup retry_group = NamedGroup::none;

  std::optional<HandshakeSecret> handshake_secret;
  std::optional<LabelKey> server_secret;  // our handshake traffic secret, prepared
  std::optional<LabelKey> client_secret;
  Secret client_application;  // installed once the client's Finished is there
  Secret expected_finished;

  std::uint8_t signature[crypto::max_ecdsa_der_bytes]{};
  std::size_t signature_bytes = 0;
  bool signing_failed = false;

  /// Removes everything; the area is as new.
  void wipe() noexcept {
    this->~HandshakeArea();
    base::wipe({reinterpret_cast<std::uint8_t*>(this), sizeof(HandshakeArea)});
    new (this) HandshakeArea();
  }
};

}  // namespace signet::tls

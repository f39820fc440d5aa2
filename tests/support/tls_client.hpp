// A TLS 1.3 client for tests, made of the same messages, key schedule and records as the server. It checks
// what a real one checks (the CertificateVerify under the leaf's key, the Finished), and can be told to send
// anything.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <signet/tls/core.hpp>
#include <signet/tls/key_exchange.hpp>
#include <signet/tls/messages/client_hello.hpp>
#include <signet/tls/messages/handshake_header.hpp>
#include <signet/tls/transcript.hpp>

namespace signet::test {

using Octets = std::vector<std::uint8_t>;

struct ClientOptions {
  std::vector<tls::CipherSuite> suites{tls::CipherSuite::aes_128_gcm_sha256};
  std::vector<tls::NamedGroup> groups{tls::NamedGroup::x25519, tls::NamedGroup::secp256r1};
  std::vector<tls::NamedGroup> shares{tls::NamedGroup::x25519};
  std::vector<tls::SignatureScheme> schemes{tls::SignatureScheme::ecdsa_secp256r1_sha256};
  std::vector<tls::ProtocolVersion> versions{tls::ProtocolVersion::tls13};
  std::vector<std::string> protocols;
  std::string server_name = "localhost";
  std::size_t session_id_bytes = 32;  // compatibility mode
  std::uint16_t record_size_limit = 0;
  bool early_data = false;  // offer a made-up PSK and early data
  Octets others;            // whole encoded extensions to add
};

class TlsClient {
 public:
  explicit TlsClient(ClientOptions options);
  ~TlsClient();

  /// Octets to send, taken out: the ClientHello at first.
  [[nodiscard]] Octets take_output();
  /// Octets from the server, in any pieces.
  void receive(base::Bytes octets);

  [[nodiscard]] bool established() const { return established_; }
  [[nodiscard]] bool peer_closed() const { return peer_closed_; }
  [[nodiscard]] bool retried() const { return retried_; }
  [[nodiscard]] std::optional<tls::Alert> alert() const { return alert_; }
  /// What was wrong with the server; empty when nothing was.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  [[nodiscard]] const Octets& received() const { return received_; }
  void forget_received() { received_.clear(); }
  [[nodiscard]] tls::CipherSuite suite() const { return core_.suite; }
  [[nodiscard]] tls::NamedGroup group() const { return core_.group; }
  [[nodiscard]] const std::string& protocol() const { return protocol_; }
  [[nodiscard]] std::size_t largest_record() const { return largest_record_; }
  [[nodiscard]] std::size_t key_updates_seen() const { return key_updates_seen_; }
  [[nodiscard]] const Octets& leaf() const { return leaf_; }
  [[nodiscard]] const tls::Core& core() const { return core_; }
  [[nodiscard]] base::Bytes session_id() const { return session_id_; }

  /// One record of `content` under the keys in use (in the clear before there are any), with `padding` zeros.
  void send(tls::ContentType type, base::Bytes content, std::size_t padding = 0);
  void send(std::string_view text) { send(tls::ContentType::application_data, base::as_bytes(text)); }
  /// A record that is never protected.
  void send_plain(tls::ContentType type, base::Bytes content);
  void send_key_update(bool request);
  void close();
  /// A whole ClientHello message, as the constructor made it.
  [[nodiscard]] const Octets& client_hello() const { return client_hello_; }
  /// The Finished message that is due once the server's flight is there; it is sent by receive() unless held
  /// back.
  void hold_finished() { hold_finished_ = true; }
  [[nodiscard]] Octets finished_message() const;
  void send_held_finished();

 private:
  void write_hello();
  void make_shares(const std::vector<tls::NamedGroup>& groups);
  void on_record(base::Bytes record);
  void on_content(tls::ContentType type, base::Bytes content);
  void serve_messages();
  void on_message(tls::HandshakeType type, base::Bytes message);
  void on_server_hello(base::Bytes message);
  void on_retry(tls::NamedGroup group, base::Bytes message);
  void on_certificate_verify(base::Bytes body);
  void on_finished(base::Bytes message);
  void on_key_update(base::Bytes body);
  void fail(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
  }

  ClientOptions options_;
  tls::KeyCache keys_;
  tls::Core core_;
  Octets client_hello_, output_, input_, messages_, received_, leaf_, session_id_;
  Octets random_;
  std::vector<std::unique_ptr<tls::EphemeralKey>> shares_;
  std::optional<tls::Transcript> transcript_;
  std::optional<tls::HandshakeSecret> handshake_;
  tls::Secret client_secret_, server_secret_;
  tls::Digest finished_digest_;
  std::string protocol_, fault_;
  std::optional<tls::Alert> alert_;
  std::size_t largest_record_ = 0;
  std::size_t key_updates_seen_ = 0;
  std::uint8_t expected_message_ = 0;  // index into the order of the server's flight
  bool established_ = false, peer_closed_ = false, retried_ = false, hold_finished_ = false;
  tls::Secret client_application_, server_application_;
};

}  // namespace signet::test

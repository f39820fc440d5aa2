// A server connection and the test client on the two ends of no wire at all, with the residue of the server's
// memory counted after every step.
#pragma once

#include <memory>
#include <vector>

#include <signet/tests/support/tls_client.hpp>
#include <signet/tls/connection.hpp>
#include <signet/tls/development_certificate.hpp>
#include <signet/tls/handshake_area.hpp>

namespace signet::test {

/// One development identity for all tests of a run.
[[nodiscard]] std::shared_ptr<const tls::Identity> test_identity();

/// Octets in which an area differs from one that was never used.
[[nodiscard]] std::size_t area_residue(const tls::HandshakeArea& area);

struct TlsPair {
  explicit TlsPair(ClientOptions options = {}, std::size_t piece = 0);
  ~TlsPair();

  /// Gives the server everything that the client wants to send, in pieces of `piece` octets (0: at once), and
  /// the client what the server answers, until neither has anything to say.
  void run();
  /// Gives the server these octets alone, at once.
  void feed(base::Bytes octets);
  /// As feed(), and `cut` octets before the rest.
  void feed_cut(base::Bytes octets, std::size_t cut);
  /// Seals `text` as application data and hands it to the client.
  void say(std::string_view text);
  /// Fills the send buffer with sealed records that nobody takes, until there is no room for another.
  void fill_output();
  /// Sends what is sealed to the client.
  void flush();
  void close();

  /// Secret or plaintext octets that are left where none should be; checked after every step.
  [[nodiscard]] std::size_t residue() const;

  tls::ServerSettings settings;
  tls::KeyCache keys;
  std::unique_ptr<base::RecvBuffer> in;
  std::unique_ptr<base::SendBuffer> out;
  std::unique_ptr<tls::Connection> server;
  std::unique_ptr<tls::HandshakeArea> area;
  bool area_lent = false;
  TlsClient client;
  Octets received;                       // application data that the server got
  Octets sent;                           // all that the server sent
  std::vector<tls::Event::Kind> events;  // other than wait and data
  std::optional<tls::Failure> failure;
  std::size_t piece;
  std::size_t worst_residue = 0;

 private:
  void step();
  void drain_plaintext();
};

}  // namespace signet::test

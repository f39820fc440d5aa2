// A server connection under a fuzzer: driven as a channel drives one, with its promises checked at every
// step.
//
// Checked: each next() consumes input, makes output, answers a wait that can be served, or ends; asking again
// with nothing new changes nothing; what failed stays failed; waiting for input leaves room for it; no octet
// is read that did not arrive (AddressSanitizer watches the rest of the receive buffer); what is sent
// consists of records; and no secret stays where none should be.
#pragma once

#include <memory>
#include <optional>

#include <signet/tests/fuzz/input.hpp>
#include <signet/tls/connection.hpp>
#include <signet/tls/handshake_area.hpp>
#include <signet/tls/server_settings.hpp>

namespace signet::fuzz {

/// The settings of most targets: the tests' identity, two protocols.
[[nodiscard]] tls::ServerSettings usual_settings();
/// Limits that a short input reaches.
[[nodiscard]] tls::Limits small_limits();

class Engine {
 public:
  explicit Engine(const tls::ServerSettings& settings);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// From here on plaintext stays in the buffer until there are 4 KiB of it, as for a reader that wants a
  /// whole head.
  void hold_plaintext() { holds_plaintext_ = true; }

  /// Gives the connection `octets` in pieces of `piece` (0: at once). After its end, only looks that nothing
  /// changes.
  void feed(base::Bytes octets, std::size_t piece);
  /// Seals `count` times `octet` as application data.
  void say(std::uint8_t octet, std::size_t count);
  /// The same from its place: what is sealed is not written into the send buffer first.
  void say_from(base::Bytes text);
  void close();
  /// Reads the plaintext that is held, as far as there is any.
  void consume_plaintext();

  /// What was sealed since the last call.
  [[nodiscard]] Octets take_output();
  /// All application data so far.
  [[nodiscard]] const Octets& received() const { return received_; }

  [[nodiscard]] bool established() const { return connection_->established(); }
  /// Failed, or the peer said close_notify.
  [[nodiscard]] bool over() const { return failure_ || peer_closed_; }
  [[nodiscard]] const std::optional<tls::Failure>& failure() const { return failure_; }

 private:
  // What one call of next() can change.
  struct Standing {
    std::size_t raw, plaintext, pending;
    bool operator==(const Standing&) const = default;
  };
  [[nodiscard]] Standing standing() const;
  void receive(base::Bytes piece);
  void step();
  /// Whether to ask again.
  [[nodiscard]] bool serve(const tls::Event& event, const Standing& before);
  [[nodiscard]] bool serve_wait(tls::Wait wait, const Standing& before);
  void on_handshake_done(const Standing& before);
  void check_asking_again(const tls::Event& event);
  void check_rest();
  void flush();

  tls::ServerSettings settings_;
  tls::KeyCache keys_;
  std::unique_ptr<base::RecvBuffer> in_;
  std::unique_ptr<base::SendBuffer> out_;
  std::unique_ptr<tls::HandshakeArea> area_;
  std::unique_ptr<tls::Connection> connection_;
  std::optional<tls::Failure> failure_;
  Octets output_, received_;
  unsigned areas_ = 0, signatures_ = 0;
  bool area_lent_ = false, handshake_done_ = false, peer_closed_ = false, holds_plaintext_ = false;
};

}  // namespace signet::fuzz

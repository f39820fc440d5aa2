// A TLS server connection without a socket: octets in, octets out, one event at a time.
//
// The caller owns the buffers and lends them. next() consumes input, makes output, or answers what it waits for, so a
// loop over it always ends. Records are opened within the receive buffer and sealed within the send buffer.
#pragma once

#include <signet/base/recv_buffer.hpp>
#include <signet/base/send_buffer.hpp>
#include <signet/tls/cipher_suite.hpp>
#include <signet/tls/failure.hpp>
#include <signet/tls/key_cache.hpp>
#include <signet/tls/limits.hpp>

namespace signet::tls {

class HandshakeArea;
struct ServerSettings;

/// What a connection needs before next() can go on.
enum class Wait : std::uint8_t {
  input,      ///< more octets in the receive buffer
  flush,      ///< the send buffer emptied
  signature,  ///< a call of sign(): the costly step, for the caller to schedule
  area,       ///< a handshake area by lend_area()
};

struct Event {
  enum class Kind : std::uint8_t {
    data,            ///< in.plaintext() has application data
    handshake_done,  ///< once; the area may be taken back
    peer_closed,     ///< the peer's close_notify: no more data comes
    failed,          ///< over; an alert was written to the send buffer where one is due
    wait,
  };
  Kind kind;
  Wait wait;        // for Kind::wait
  Failure failure;  // for Kind::failed
};

/// What an established connection must keep: at most 320 octets.
class Connection {
 public:
  /// `settings` must outlive the connection.
  Connection(const ServerSettings& settings, KeyCache& keys) noexcept;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Goes on until there is something to say. `out` is empty or has the record room this connection gave it.
  [[nodiscard]] Event next(base::RecvBuffer& in, base::SendBuffer& out) noexcept;

  /// Whether next() will answer wait{area}: nothing can be done without one.
  [[nodiscard]] bool needs_area() const noexcept;
  /// `area` is the connection's until take_area().
  void lend_area(HandshakeArea& area) noexcept { area_ = &area; }
  [[nodiscard]] HandshakeArea* take_area() noexcept;
  /// Makes the signature that wait{signature} asked for; next() goes on from there.
  void sign() noexcept;

  [[nodiscard]] bool established() const noexcept { return phase_ == Phase::established; }

  // After the handshake.

  /// Seals the open cell of `out` as application data; nothing to do when it is empty. May put a KeyUpdate behind it.
  void seal(base::SendBuffer& out) noexcept;
  /// Seals up to a record of `data` from its place into `out`, whose open cell must be empty; answers how many octets
  /// went in, 0 when there is no room.
  [[nodiscard]] std::size_t seal_from(base::SendBuffer& out, base::Bytes data) noexcept;
  /// Says close_notify, once. What is in the open cell is sealed before it.
  void close(base::SendBuffer& out) noexcept;

  /// The record room of what is written next; the send buffer must be told when it is leased.
  [[nodiscard]] base::RecordRoom record_room() const noexcept;
  /// Octets that the record at the front of `in` still lacks, when it began to arrive and is not whole; else 0.
  [[nodiscard]] static std::size_t missing(base::RecvBuffer& in) noexcept;

  // What was negotiated; valid once established.
  [[nodiscard]] CipherSuite suite() const noexcept { return suite_; }
  [[nodiscard]] NamedGroup group() const noexcept { return group_; }
  [[nodiscard]] bool alpn_negotiated() const noexcept { return alpn_; }

  /// Wipes every secret, the cached expansions too.
  void wipe() noexcept;

 private:
  // filled in by tls/connection.cpp's author
};

}  // namespace signet::tls

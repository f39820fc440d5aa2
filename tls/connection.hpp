// A TLS server connection without a socket: octets in, octets out, one event at a time.
//
// The caller owns the buffers and lends them. next() consumes input, makes output, or answers what it waits
// for, so a loop over it always ends. Records are opened within the receive buffer and sealed within the send
// buffer.
#pragma once

#include <signet/base/recv_buffer.hpp>
#include <signet/base/send_buffer.hpp>
#include <signet/tls/core.hpp>
#include <signet/tls/limits.hpp>
#include <signet/tls/messages/key_update.hpp>

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

  /// Seals the open cell of `out` as application data; nothing to do when it is empty. May put a KeyUpdate
  /// behind it.
  void seal(base::SendBuffer& out) noexcept;
  /// Seals up to a record of `data` from its place into `out`, whose open cell must be empty; answers how
  /// many octets went in, 0 when a record of that length has no room now.
  [[nodiscard]] std::size_t seal_from(base::SendBuffer& out, base::Bytes data) noexcept;
  /// Says close_notify, once, behind what is in the open cell. Without room in `out` it is not said yet: the
  /// caller comes again when what is there was sent.
  void close(base::SendBuffer& out) noexcept;

  /// The record room of what is written next; the send buffer must be told when it is leased.
  [[nodiscard]] base::RecordRoom record_room() const noexcept { return core_.record_room(); }
  /// Octets that the record at the front of `in` still lacks, when it began to arrive and is not whole; else
  /// 0.
  [[nodiscard]] static std::size_t missing(base::RecvBuffer& in) noexcept;

  // What was negotiated; valid once established.
  [[nodiscard]] CipherSuite suite() const noexcept { return core_.suite; }
  [[nodiscard]] NamedGroup group() const noexcept { return core_.group; }

  /// Exported keying material (RFC 8446 section 7.5); false before the handshake is done or for a label over
  /// 249 octets.
  [[nodiscard]] bool export_keying_material(base::MutBytes out, std::string_view label,
                                            base::Bytes context) const noexcept;

  /// Wipes every secret, the cached expansions too. An area that is still lent stays with take_area().
  void wipe() noexcept;

 private:
  enum class Phase : std::uint8_t { handshake, established, failed };
  // What became of the octets that were there: more are needed, they were served, or there is application
  // data.
  enum class Progress : std::uint8_t { none, served, data };
  using Step = base::Result<Progress, Failure>;

  [[nodiscard]] Step advance_handshake(base::RecvBuffer& in, base::SendBuffer& out) noexcept;
  [[nodiscard]] Step serve_message(base::RecvBuffer& in, base::SendBuffer& out) noexcept;
  [[nodiscard]] Step take_record(base::RecvBuffer& in) noexcept;
  [[nodiscard]] Step take_plain_record(base::RecvBuffer& in, const RecordHeader& header) noexcept;
  [[nodiscard]] Step take_protected_record(base::RecvBuffer& in, const RecordHeader& header) noexcept;
  [[nodiscard]] Step skip_early_data(base::RecvBuffer& in, const RecordHeader& header) noexcept;
  [[nodiscard]] Step on_application_data(std::size_t bytes) noexcept;
  [[nodiscard]] Step on_change_cipher_spec(base::Bytes content) noexcept;
  [[nodiscard]] Step on_alert(base::Bytes content) noexcept;
  [[nodiscard]] Step on_late_handshake(base::Bytes content) noexcept;
  [[nodiscard]] Step on_key_update() noexcept;
  [[nodiscard]] bool send_owed_update(base::SendBuffer& out) noexcept;
  [[nodiscard]] bool send_alert(base::SendBuffer& out, Alert alert) noexcept;
  [[nodiscard]] Event fail(base::SendBuffer& out, Failure failure) noexcept;
  [[nodiscard]] ContentType open_cell_type() const noexcept {
    return phase_ == Phase::handshake ? ContentType::handshake : ContentType::application_data;
  }

  const ServerSettings* settings_;
  KeyCache* keys_;
  HandshakeArea* area_ = nullptr;
  Core core_;
  Failure failure_;
  Phase phase_ = Phase::handshake;
  bool peer_closed_ = false;
  bool close_sent_ = false;
  bool update_owed_ = false;     // a KeyUpdate of ours is due before anything else is sent
  std::uint8_t late_bytes_ = 0;  // of a KeyUpdate that is not whole yet
  std::uint8_t late_[KeyUpdate::message_bytes]{};
  std::uint16_t empty_records_ = 0;
  std::uint16_t warning_alerts_ = 0;
  std::uint16_t key_updates_ = 0;
};

static_assert(sizeof(Connection) <= 320, "what an established connection keeps");

}  // namespace signet::tls

// A connection as services see it: plaintext comes, plaintext goes. Below are a socket, a TLS connection or
// none, the leases of buffers and the timers.
//
// The worker calls the service's one function whenever there may be something to do: new plaintext, room to
// send again, a lease that came, the peer's end, an expired timer. It does what it can and returns; what it
// must remember between calls hangs on app (null while the connection is idle) or in scratch().
//
//   while there is plaintext, or read() brings some:   look at plaintext(), consume()
//                                                      output(): write to its window, wrote()
//                                                      or write_from(octets that stay where they are)
//
// What was written leaves in one send after the service has returned.
#pragma once

#include <span>

#include <signet/http/awaited.hpp>
#include <signet/server/body_buffer.hpp>
#include <signet/server/counters.hpp>
#include <signet/server/interest.hpp>
#include <signet/server/io/address.hpp>
#include <signet/server/io/timers.hpp>
#include <signet/server/lent.hpp>
#include <signet/tls/connection.hpp>

namespace signet::server {

class Channel;
class Worker;
struct QueueTag;   // ready, or waiting for a lease or a signature
struct AllTag;     // all channels of a worker
struct PhaseTag;   // handshake, idle, header, body or linger
struct RecordTag;  // a TLS record that is not whole
struct WriteTag;   // sealed octets that the peer does not take

/// What runs on a worker's channels.
struct Service {
  /// Does what can be done now.
  void (*serve)(Channel&) noexcept = nullptr;
  /// The channel is over: removes what app points to. Not called when app is null. May be null.
  void (*end)(Channel&) noexcept = nullptr;
  /// Another thread sent this to the channel's exchange, for which set_awaited() was called. False when it
  /// came too late: then the message is still the caller's. May be null when no exchange is ever awaited.
  bool (*deliver)(Channel&, base::Posted&) noexcept = nullptr;
  /// The service's own, shared by all workers, immutable while they run.
  const void* context = nullptr;
  /// Application protocols for ALPN, in the order of preference; empty: not answered.
  std::span<const std::string_view> protocols;
};

/// What the peer is expected to do next; each has its timer, but nothing.
enum class Expect : std::uint8_t {
  nothing,  ///< it is our turn
  handshake,
  idle,    ///< a request, or none
  header,  ///< the rest of a request head
  body,    ///< more of a request body
  linger,  ///< its end, after ours
};

class Channel final : public base::Link<QueueTag>,
                      public base::Link<AllTag>,
                      public TimerLink<PhaseTag>,
                      public TimerLink<RecordTag>,
                      public TimerLink<WriteTag> {
 public:
  /// `core` is null for a connection without TLS.
  Channel(Worker& worker, tls::Connection* core, int fd, const Address& peer) noexcept;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // For services: input.

  /// Brings more plaintext than there is; false when none comes in this call of the service.
  [[nodiscard]] bool read() noexcept;
  /// As read(), but opens records to `place` as long as they fit there whole; answers in `taken` how many
  /// octets are there now. True with plaintext() or `taken`. There must be no plaintext.
  [[nodiscard]] bool read_to(base::MutBytes place, std::size_t& taken) noexcept;
  /// Whether a message of `n` octets, of which plaintext() is the beginning, can become whole where it is.
  [[nodiscard]] bool fits(std::uint64_t n) const noexcept;
  /// Received and not consumed; valid until the next read() or the service's return, longer while pinned.
  [[nodiscard]] base::MutBytes plaintext() noexcept;
  void consume(std::size_t n) noexcept {
    in_->consume(n);
    input_full_ = false;
  }
  /// Keeps plaintext() where it is, beyond the service's return too. There must be some.
  void pin() noexcept { in_->pin(); }
  void unpin() noexcept { in_->unpin(); }
  /// The peer sends nothing more.
  [[nodiscard]] bool input_over() const noexcept { return input_over_; }
  /// No more can be received until some plaintext is consumed: a message that is still not whole is too long.
  [[nodiscard]] bool input_full() const noexcept { return input_full_; }
  /// While held, nothing is read: what the peer sends waits in the socket, until we did our part.
  void hold_input(bool held) noexcept { input_held_ = held; }
  /// See Scratch; there must be plaintext.
  [[nodiscard]] Scratch& scratch() noexcept { return in_->scratch; }

  // For services: output.

  /// The send buffer, with room for at least `least` octets (at most a record's) in its open cell. Null when
  /// there is none now: the service returns, and is called again when there is.
  [[nodiscard]] base::SendBuffer* output(std::size_t least) noexcept;
  /// Seals octets from their place, behind what was written; answers how many went in. Fewer than given: the
  /// service returns, and is called again when there is room.
  [[nodiscard]] std::size_t write_from(base::Bytes octets) noexcept;
  /// Ends the connection in order: what was written, close_notify, FIN; then the peer's end is awaited for a
  /// while, so that no reset overtakes what was written. Input is of no interest from here on.
  void close() noexcept;
  /// Ends it at once; what was written goes as far as the socket takes it.
  void end(Cause cause) noexcept;
  [[nodiscard]] bool closing() const noexcept { return phase_ > Phase::open; }

  // For services: time.

  /// The peer's turn: starts the timer, unless it runs for the same already.
  void expect(Expect what) noexcept;
  /// As expect(), but starts the timer again in any case.
  void expect_anew(Expect what) noexcept;
  /// The timer that expired, in the one call of the service that follows; what the service does not close
  /// then ends.
  [[nodiscard]] Expect expired() const noexcept { return expired_; }
  /// The worker drains: this exchange is the last one.
  [[nodiscard]] bool draining() const noexcept;
  [[nodiscard]] Ticks now() const noexcept;

  // For services: what other threads do.

  /// Messages to this exchange are delivered from here on; 0: to none.
  void set_awaited(std::uint64_t exchange) noexcept;
  [[nodiscard]] http::Awaiting& awaiting() noexcept;
  /// This session's place among the worker's.
  [[nodiscard]] std::uint32_t index() const noexcept;
  /// The service is called again in this turn or the next.
  void resume() noexcept;

  /// Whether the worker has memory for `buffer` to be filled up to `bytes` octets. Where it has none, bodies
  /// that got nothing for longest give way.
  [[nodiscard]] bool count_body(BodyBuffer& buffer, std::size_t bytes) noexcept;
  /// Octets came to `buffer`, or left from it: it is the last to give way.
  void note_body(BodyBuffer& buffer) noexcept;
  [[nodiscard]] std::size_t body_memory_limit() const noexcept;
  /// Whether the certificate covers `host`, with or without a port; also without TLS, and with a certificate
  /// that has no names at all.
  [[nodiscard]] bool is_for(std::string_view host) noexcept;

  [[nodiscard]] const void* context() const noexcept;
  [[nodiscard]] Counters& counters() noexcept;
  [[nodiscard]] const Address& peer() const noexcept { return peer_; }
  /// Null for a connection without TLS.
  [[nodiscard]] const tls::Connection* core() const noexcept { return core_; }

  /// The service's state between calls; null while the connection is idle.
  void* app = nullptr;

  /// For base::Pool; nothing secret is kept here.
  void wipe() noexcept {}

 private:
  friend class Worker;

  enum class Phase : std::uint8_t { handshake, open, closing, lingering, over };
  enum class Queue : std::uint8_t { none, ready, area, input, output, signature };
  enum class Step : std::uint8_t { data, input, stop };

  // Called by the worker.
  void on_event(std::uint32_t events) noexcept;
  void run() noexcept;
  void sign() noexcept;
  void become_ready() noexcept;
  [[nodiscard]] base::RecordRoom record_room() const noexcept;
  void on_phase_timer() noexcept;
  void on_record_timer() noexcept;
  void on_write_timer() noexcept;
  void close_if_idle() noexcept;
  /// An exchange that waits for another thread may rather end.
  void tell_of_drain() noexcept {
    if (app != nullptr && input_held_) resume();
  }
  /// It holds a part of a message, of which it owes the rest: not requests that wait behind an answer.
  [[nodiscard]] bool may_give_way() const noexcept {
    return phase_ < Phase::closing && queue_ == Queue::none && expect_ != Expect::nothing && !has_unsent();
  }
  /// Its handshake waits for the peer's octets, or for the peer to take ours.
  [[nodiscard]] bool awaits_handshake() const noexcept {
    return phase_ == Phase::handshake && queue_ == Queue::none;
  }
  void end_app() noexcept;
  void dismantle() noexcept;

  // Input.
  [[nodiscard]] bool pull() noexcept { return pull({}); }
  [[nodiscard]] bool pull(base::MutBytes outside) noexcept;
  [[nodiscard]] Step advance() noexcept;
  [[nodiscard]] Step on_wait(tls::Wait wait) noexcept;
  [[nodiscard]] bool receive() noexcept;
  [[nodiscard]] bool lend_both() noexcept;
  [[nodiscard]] bool lend_output() noexcept;
  [[nodiscard]] bool lend_area() noexcept;
  void on_input_end() noexcept;
  void on_established() noexcept;
  void on_failure(const tls::Failure& failure) noexcept;
  void answer_plain_http() noexcept;
  void give_back_area() noexcept;
  [[nodiscard]] Handshaking* area() noexcept;

  // Output.
  [[nodiscard]] bool has_unsent() const noexcept { return out_ != nullptr && !out_->pending().empty(); }
  bool flush() noexcept;
  void pass_on_output() noexcept;
  void give_back_output() noexcept;
  void seal() noexcept;
  [[nodiscard]] std::size_t seal_from(base::Bytes octets) noexcept;
  [[nodiscard]] bool send_some() noexcept;
  [[nodiscard]] std::uint32_t acknowledged() const noexcept;

  // The end of a call.
  void begin_turn() noexcept;
  void serve() noexcept;
  void again() noexcept;
  void settle() noexcept;
  void read_last_words() noexcept;
  void finish_close() noexcept;
  void linger() noexcept;
  void settle_area() noexcept;
  void settle_input() noexcept;
  void settle_output() noexcept;
  void settle_timers() noexcept;
  void settle_interest() noexcept;
  void enqueue(Queue queue) noexcept;
  void leave_queue() noexcept;

  Worker* worker_;
  tls::Connection* core_;
  Received* in_ = nullptr;
  Sending* out_ = nullptr;
  int fd_;
  std::uint32_t written_ = 0;  // octets given to the kernel, modulo 2^32
  std::uint32_t acknowledged_ =
      0;  // of those, when the write timer last looked; in lingering: octets thrown away
  Address peer_;
  Phase phase_;
  Queue queue_ = Queue::none;
  Expect expect_ = Expect::nothing;
  Expect expired_ = Expect::nothing;
  Cause final_ = Cause::closed;      // what an end in order will be counted as
  std::uint8_t interest_ = EPOLLIN;  // what epoll was asked
  std::uint8_t reads_left_ = 0;      // of this turn
  std::uint8_t writes_left_ = 0;
  std::uint8_t host_name_ = 0;     // of the certificate's, the one that covered the last Host
  std::uint8_t write_stalls_ = 0;  // looks of the write timer in a row that saw no progress
  bool received_ : 1 = false;      // there was a recv in this turn
  bool heard_ : 1 = false;         // an octet came, ever
  bool begun_ : 1 = false;         // a TLS record was consumed, ever
  bool input_over_ : 1 = false;
  bool input_full_ : 1 = false;
  bool input_held_ : 1 = false;
  bool output_over_ : 1 = false;
  bool blocked_ : 1 = false;  // in this turn the kernel did not take all, and somebody stopped for it
};

static_assert(sizeof(Channel) <= 192);

}  // namespace signet::server

// What a worker counts, and why connections end.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <signet/tls/failure.hpp>

namespace signet::server {

/// One line a cause: name, whether it is the peer's or our fault and so worth a line in the log, text.
#define SIGNET_END_CAUSES(C)                                                         \
  C(closed, false, "closed in order")                                                \
  C(peer_closed, false, "the peer closed")                                           \
  C(probe, false, "the peer closed before it sent an octet")                         \
  C(peer_gone, false, "the peer went away")                                          \
  C(truncated, true, "the peer closed in the middle of a message")                   \
  C(tls_failure, true, "TLS failure")                                                \
  C(handshake_timeout, true, "handshake timeout")                                    \
  C(header_timeout, true, "header timeout: the request head took too long")          \
  C(record_timeout, true, "record timeout: a TLS record took too long")              \
  C(body_timeout, true, "body timeout: the request body stalled")                    \
  C(write_timeout, true, "write timeout: the peer acknowledges nothing")             \
  C(idle_timeout, false, "idle timeout: no request")                                 \
  C(linger_timeout, false, "the peer did not close after us")                        \
  C(linger_excess, true, "the peer kept sending after the end")                      \
  C(gave_way, true, "held a partial message longest while others needed its buffer") \
  C(slow_reader, true, "read its answer too slowly while others needed the buffer")  \
  C(slow_handshake, true, "kept a handshake area longest while others needed one")   \
  C(no_memory, true, "no memory")                                                    \
  C(body_failed, true, "the answer's body could not go on")                          \
  C(stopped, false, "the server stopped")

enum class Cause : std::uint8_t {
#define SIGNET_END_CAUSE(name, fault, text) name,
  SIGNET_END_CAUSES(SIGNET_END_CAUSE)
#undef SIGNET_END_CAUSE
      count
};

/// "header_timeout", for logs and tests.
[[nodiscard]] std::string_view name_of(Cause cause) noexcept;
/// For a person.
[[nodiscard]] std::string_view text_of(Cause cause) noexcept;
[[nodiscard]] bool is_fault(Cause cause) noexcept;

/// One worker's; read by others only once its thread is over.
struct Counters {
  static constexpr std::size_t most_reasons = 256;

  std::uint64_t accepted = 0;
  std::uint64_t handed_over = 0;
  std::uint64_t handshakes = 0;
  std::uint64_t requests = 0;
  std::uint64_t late_answers = 0;   ///< from other threads, delivered
  std::uint64_t late_no_ops = 0;    ///< to exchanges that were over, or answered
  std::uint64_t accept_pauses = 0;  ///< no descriptor, no memory, or all workers full
  std::uint64_t dropped =
      0;  ///< accepted and closed: the place for it was gone, or the kernel refused to watch it
  std::uint64_t lines_suppressed = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(Cause::count)> ended{};
  std::array<std::uint64_t, most_reasons> tls_failures{};  ///< by tls::Reason

  [[nodiscard]] std::uint64_t& of(Cause cause) noexcept { return ended[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] std::uint64_t& of(tls::Reason reason) noexcept {
    return tls_failures[static_cast<std::size_t>(reason)];
  }
  void add(const Counters& other) noexcept;
  /// "accepted=3 handshakes=3 ...": what is not zero of the causes and reasons.
  [[nodiscard]] std::string text() const;
};

}  // namespace signet::server

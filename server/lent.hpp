// What a worker lends - receive buffers, send buffers, handshake areas - each with its holder.
#pragma once

#include <cstddef>

#include <signet/base/list.hpp>
#include <signet/base/recv_buffer.hpp>
#include <signet/base/send_buffer.hpp>
#include <signet/server/io/timers.hpp>
#include <signet/tls/handshake_area.hpp>

namespace signet::server {

class Channel;
struct GiveWayTag;

/// The holder's side of a lease. Linked while its peer alone keeps it: such a holder may give way to others.
struct Lent : base::Link<GiveWayTag> {
  explicit Lent(Channel& of) noexcept : owner(&of) {}

  Channel* owner;
  Ticks since = 0;  ///< when it was linked
  bool hot = true;  ///< lent for a turn, not held between turns
};

/// Where a service keeps how far it got with a partial message: zero when the buffer is lent, and with the
/// input wherever that moves. Plain data only.
struct Scratch {
  static constexpr std::size_t bytes = 64;
  alignas(8) std::byte octets[bytes] = {};
};

struct Received final : Lent, base::RecvBuffer {
  explicit Received(Channel& of) noexcept : Lent(of) {}

  Scratch scratch;
};

struct Sending final : Lent, base::SendBuffer {
  Sending(Channel& of, base::RecordRoom room) noexcept : Lent(of), SendBuffer(room) {}
};

// The area comes last: its wipe clears its padding too.
struct Handshaking final : Lent, tls::HandshakeArea {
  explicit Handshaking(Channel& of) noexcept : Lent(of) {}
};

}  // namespace signet::server

// A receive buffer as a worker lends it, with what the service remembers of the input in it.
#pragma once

#include <cstddef>

#include <signet/base/list.hpp>
#include <signet/base/recv_buffer.hpp>

namespace signet::server {

class Channel;
struct HeldTag;

/// Where a service keeps how far it got with a partial message: zero when the buffer is lent, and with the
/// input wherever that moves. Plain data only.
struct Scratch {
  static constexpr std::size_t bytes = 64;
  alignas(8) std::byte octets[bytes] = {};
};

struct Received final : base::RecvBuffer, base::Link<HeldTag> {
  explicit Received(Channel& of) noexcept : owner(&of) {}

  Channel* owner;
  Scratch scratch;
  bool held = false;  ///< in the list of held ones, not hot
};

}  // namespace signet::server

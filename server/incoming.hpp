// A request's body that comes apart from its head: longer than the receive buffer holds, in chunks, or for a
// route that takes it piece by piece.
#pragma once

#include <signet/http/chunked.hpp>
#include <signet/http/dispatch.hpp>
#include <signet/server/body_buffer.hpp>

namespace signet::server {

class Channel;
struct Exchange;

struct Incoming {
  explicit Incoming(Channel& channel) noexcept : buffer(channel) {}

  http::ChunkedDecoder chunks;
  BodyBuffer buffer;        // for a handler that gets the whole body
  http::Receiver receiver;  // else: for one that takes it piece by piece
  std::uint64_t left = 0;   // octets of the body that are not yet taken; without chunks
  std::uint64_t most = 0;   // the longest body that is accepted
  std::uint64_t total = 0;  // octets of the body so far
  std::size_t shown = 0;    // in front of the input: octets that the receiver did not take
  bool chunked = false;
  bool whole = false;   // the last octet of the body was seen
  bool paused = false;  // the receiver waits for its waker
};

enum class Receiving : std::uint8_t {
  whole,    ///< the request is ready, or answered already
  more,     ///< the peer has to send more
  waiting,  ///< the receiver has to take more, or there is no buffer for 100 Continue
};

/// Makes ready for a body behind `exchange`'s head, of which `head_bytes` lie in front of the input. It stays
/// there when it fits, else it goes its own way, and the head is copied out of the input. An answer instead
/// when it cannot be taken.
void expect_body(Channel& channel, Exchange& exchange, std::size_t head_bytes) noexcept;
/// Takes what is there and reads on.
[[nodiscard]] Receiving receive_body(Channel& channel, Exchange& exchange) noexcept;

}  // namespace signet::server

// What epoll is asked to tell of a connection: one function, so that nothing spins and nothing sleeps through
// its data.
#pragma once

#include <cstdint>

#include <sys/epoll.h>

namespace signet::server {

/// What matters of a connection's state.
struct Condition {
  bool input_over = false;  ///< the peer's end was read; level-triggered epoll would report it for ever
  bool waits =
      false;  ///< for an area, a buffer, a signature or a late answer: more input could not be served
  bool unsent = false;  ///< sealed octets wait for the peer to read
};

/// EPOLLOUT exactly when sealed octets wait, EPOLLIN exactly when input could be served. EPOLLHUP and
/// EPOLLERR come unasked.
[[nodiscard]] constexpr std::uint32_t interest(const Condition& now) noexcept {
  if (now.unsent) return EPOLLOUT;
  return now.input_over || now.waits ? 0U : EPOLLIN;
}

}  // namespace signet::server

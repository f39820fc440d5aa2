// What a worker lends: handshake areas, receive buffers, send buffers. Where none is free, channels wait in
// order.
#pragma once

#include <signet/base/pool.hpp>
#include <signet/base/send_buffer.hpp>
#include <signet/server/received.hpp>
#include <signet/tls/handshake_area.hpp>

namespace signet::server {

struct QueueTag;

/// Channels that wait for one kind of lease, first come, first served.
using WaitQueue = base::List<Channel, QueueTag>;

/// A bounded pool and who waits for it. A newcomer never overtakes: while anyone waits, lend() lends nothing,
/// and the end of the turn serves the queue.
template <class T>
class Lease {
 public:
  [[nodiscard]] bool reserve(std::size_t slots) noexcept { return pool_.reserve(slots); }

  /// One, or null: the caller then enters the queue.
  template <class... Arguments>
  [[nodiscard]] T* lend(Arguments&&... arguments) noexcept {
    return waiters_.empty() ? pool_.take(std::forward<Arguments>(arguments)...) : nullptr;
  }
  /// One for the channel at the head of the queue, which has left it.
  template <class... Arguments>
  [[nodiscard]] T* lend_to_waiter(Arguments&&... arguments) noexcept {
    return pool_.take(std::forward<Arguments>(arguments)...);
  }
  /// Wiped; null is allowed.
  void give_back(T* object) noexcept { pool_.give(object); }

  [[nodiscard]] WaitQueue& waiters() noexcept { return waiters_; }
  [[nodiscard]] bool can_serve() noexcept { return !waiters_.empty() && pool_.free() > 0; }
  [[nodiscard]] const base::Pool<T>& pool() const noexcept { return pool_; }
  void trim() noexcept { pool_.trim(); }

 private:
  base::Pool<T> pool_;
  WaitQueue waiters_;
};

/// Receive buffers, of which some are hot (lent for a turn) and some held (they keep a part of a message
/// between turns). Each kind has its bound; memory is one pool, so that a buffer that may not move becomes
/// held where it is.
class ReceiveLease {
 public:
  [[nodiscard]] bool reserve(std::size_t hot, std::size_t held) noexcept {
    hot_most_ = hot;
    held_most_ = held;
    return pool_.reserve(hot + held);
  }

  /// A hot one, or null: the caller then enters the queue.
  [[nodiscard]] Received* lend(Channel& channel) noexcept {
    return waiters_.empty() ? lend_to_waiter(channel) : nullptr;
  }
  [[nodiscard]] Received* lend_to_waiter(Channel& channel) noexcept {
    return hot() < hot_most_ ? pool_.take(channel) : nullptr;
  }
  /// Makes a hot one held, and answers where its contents are now. There must be room: held_full() is false.
  [[nodiscard]] Received* hold(Received& hot) noexcept;
  /// Wiped.
  void give_back(Received& buffer) noexcept;

  [[nodiscard]] bool held_full() const noexcept { return held_count_ == held_most_; }
  /// Held ones, the oldest first.
  [[nodiscard]] base::List<Received, HeldTag>& held() noexcept { return held_; }

  [[nodiscard]] std::size_t hot() const noexcept { return pool_.used() - held_count_; }
  [[nodiscard]] std::size_t hot_most() const noexcept { return hot_most_; }
  [[nodiscard]] std::size_t held_count() const noexcept { return held_count_; }
  [[nodiscard]] std::size_t held_most() const noexcept { return held_most_; }
  [[nodiscard]] WaitQueue& waiters() noexcept { return waiters_; }
  [[nodiscard]] bool can_serve() noexcept { return !waiters_.empty() && hot() < hot_most_; }
  void trim() noexcept { pool_.trim(); }

 private:
  base::Pool<Received> pool_;
  base::List<Received, HeldTag> held_;
  WaitQueue waiters_;
  std::size_t hot_most_ = 0;
  std::size_t held_most_ = 0;
  std::size_t held_count_ = 0;
};

using AreaLease = Lease<tls::HandshakeArea>;
using SendLease = Lease<base::SendBuffer>;

}  // namespace signet::server

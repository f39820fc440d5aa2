// What a worker lends: handshake areas, receive buffers, send buffers. Where none is free, channels wait in
// order.
#pragma once

#include <algorithm>

#include <signet/base/pool.hpp>
#include <signet/server/lent.hpp>

namespace signet::server {

struct QueueTag;

/// Channels that wait for one kind of lease, first come, first served.
using WaitQueue = base::List<Channel, QueueTag>;

/// A bounded pool and who waits for it. Some of it is hot (lent for a turn), some held (kept between turns).
/// Each kind has its bound; memory is one pool, so that what may not move becomes held where it is. Held ones
/// beyond their bound take the places of hot ones, until somebody gives way.
///
/// A newcomer never overtakes: while anyone waits, lend() lends nothing, and the end of the turn serves the
/// queue.
template <class T>
class Lease {
 public:
  [[nodiscard]] bool reserve(std::size_t hot, std::size_t held) noexcept {
    hot_most_ = hot;
    held_most_ = held;
    return pool_.reserve(hot + held);
  }

  /// A hot one, or null: the caller then enters the queue.
  template <class... Arguments>
  [[nodiscard]] T* lend(Channel& to, Arguments&&... arguments) noexcept {
    return waiters_.empty() ? lend_to_waiter(to, std::forward<Arguments>(arguments)...) : nullptr;
  }
  /// One for the channel at the head of the queue, which has left it.
  template <class... Arguments>
  [[nodiscard]] T* lend_to_waiter(Channel& to, Arguments&&... arguments) noexcept {
    return hot() < hot_most_ ? pool_.take(to, std::forward<Arguments>(arguments)...) : nullptr;
  }
  /// Wiped.
  void give_back(T& lent) noexcept {
    make_hot(lent);
    pool_.give(&lent);
  }

  /// Makes a hot one held, in its place.
  void make_held(T& lent) noexcept {
    if (lent.hot) held_count_++;
    lent.hot = false;
  }
  /// Makes a held one hot again, which does not give way.
  void make_hot(T& lent) noexcept {
    if (!lent.hot) held_count_--;
    lent.hot = true;
    lent.unlink();
  }

  /// From now on it may give way, behind those that may already; or it may not.
  void let_give_way(T& lent, bool may, Ticks now) noexcept {
    if (!may) return lent.unlink();
    if (lent.linked()) return;
    lent.since = now;
    give_way_.push_back(lent);
  }
  /// That which may give way for longest; null when none may.
  [[nodiscard]] T* first_to_give_way() noexcept { return give_way_.empty() ? nullptr : &give_way_.front(); }

  [[nodiscard]] std::size_t hot() const noexcept { return pool_.used() - held_count_; }
  [[nodiscard]] std::size_t hot_most() const noexcept { return hot_most_; }
  [[nodiscard]] std::size_t hot_free() const noexcept {
    return std::min(hot_most_ - std::min(hot(), hot_most_), pool_.free());
  }
  [[nodiscard]] std::size_t held_count() const noexcept { return held_count_; }
  [[nodiscard]] std::size_t held_most() const noexcept { return held_most_; }
  [[nodiscard]] std::size_t held_free() const noexcept {
    return held_most_ - std::min(held_count_, held_most_);
  }
  /// Held ones are in the places of hot ones.
  [[nodiscard]] bool overfull() const noexcept { return held_count_ > held_most_; }

  [[nodiscard]] WaitQueue& waiters() noexcept { return waiters_; }
  [[nodiscard]] bool can_serve() const noexcept { return !waiters_.empty() && hot_free() > 0; }
  [[nodiscard]] bool is_short() const noexcept { return !waiters_.empty() && hot_free() == 0; }
  [[nodiscard]] const base::Pool<T>& pool() const noexcept { return pool_; }
  void trim() noexcept { pool_.trim(); }

 protected:
  base::Pool<T> pool_;

 private:
  base::List<T, GiveWayTag> give_way_;
  WaitQueue waiters_;
  std::size_t hot_most_ = 0;
  std::size_t held_most_ = 0;
  std::size_t held_count_ = 0;
};

class ReceiveLease final : public Lease<Received> {
 public:
  /// Makes a hot one held, and answers where its contents are now.
  [[nodiscard]] Received* hold(Received& hot) noexcept;
};

using AreaLease = Lease<Handshaking>;
using SendLease = Lease<Sending>;

}  // namespace signet::server

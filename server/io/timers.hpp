// Timers of equal period: a first-in-first-out list, since what was armed first expires first.
#pragma once

#include <cstdint>

#include <signet/base/list.hpp>

namespace signet::server {

/// Milliseconds of a clock that never goes back; they wrap after 49 days, so they are compared by difference.
using Ticks = std::uint32_t;
using Clock = Ticks (*)() noexcept;

/// The kernel's monotonic clock, to its tick (some milliseconds): read once a turn.
[[nodiscard]] Ticks monotonic_ticks() noexcept;

/// Whether `at` is now or past.
[[nodiscard]] constexpr bool reached(Ticks at, Ticks now) noexcept {
  return static_cast<std::int32_t>(now - at) >= 0;
}

/// A place in the timers of one kind; an owner derives from one for each kind that may run at once.
template <class Tag>
struct TimerLink : base::Link<Tag> {
  Ticks deadline = 0;
};

/// All running timers of one period.
template <class Owner, class Tag>
class Timers {
 public:
  explicit Timers(Ticks period) noexcept : period_(period) {}

  /// Starts the timer, or starts it again.
  void arm(TimerLink<Tag>& timer, Ticks now) noexcept {
    timer.unlink();
    timer.deadline = now + period_;
    running_.push_back(timer);
  }

  /// The owner whose timer expired first, which is stopped thereby; null when none has by `now`.
  [[nodiscard]] Owner* expired(Ticks now) noexcept {
    if (running_.empty() || !reached(deadline(running_.front()), now)) return nullptr;
    return &running_.pop_front();
  }

  /// Shortens `wait` to the milliseconds until the next expiry; a negative one is endless.
  void shorten(int& wait, Ticks now) noexcept {
    if (running_.empty()) return;
    const Ticks at = deadline(running_.front());
    const int left = reached(at, now) ? 0 : static_cast<int>(at - now);
    if (wait < 0 || left < wait) wait = left;
  }

  [[nodiscard]] bool empty() const noexcept { return running_.empty(); }
  [[nodiscard]] Ticks period() const noexcept { return period_; }

 private:
  static Ticks deadline(Owner& owner) noexcept { return static_cast<TimerLink<Tag>&>(owner).deadline; }

  Ticks period_;
  base::List<Owner, Tag> running_;
};

}  // namespace signet::server

// A bound on log lines that strangers can cause.
#pragma once

#include <signet/server/io/timers.hpp>

namespace signet::server {

/// Ten lines a second.
class LogLimit {
 public:
  static constexpr unsigned lines_a_second = 10;

  /// Whether another line may be written now.
  [[nodiscard]] bool allows(Ticks now) noexcept {
    if (now - begun_ >= 1000) {
      begun_ = now;
      written_ = 0;
    }
    return written_++ < lines_a_second;
  }

 private:
  Ticks begun_ = 0;
  unsigned written_ = 0;
};

}  // namespace signet::server

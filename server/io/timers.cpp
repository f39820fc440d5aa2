#include <time.h>

#include <signet/server/io/timers.hpp>

namespace signet::server {

Ticks monotonic_ticks() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<Ticks>(now.tv_sec * 1000 + now.tv_nsec / 1'000'000);
}

}  // namespace signet::server

// epoll, level-triggered, for one thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <sys/epoll.h>

namespace signet::server {

class Loop {
 public:
  /// What one wait() can tell of; what is left comes with the next.
  static constexpr std::size_t most_events = 256;

  Loop() noexcept = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();

  /// False when the kernel refuses; errno says why.
  [[nodiscard]] bool open() noexcept;

  /// Reports `events` of `fd` with `tag` from now on. False when the kernel has no memory for it.
  [[nodiscard]] bool watch(int fd, std::uint32_t events, void* tag) noexcept;
  /// As watch(), for a descriptor that is watched.
  void change(int fd, std::uint32_t events, void* tag) noexcept;
  /// Ends the watch; closing the descriptor does as well.
  void forget(int fd) noexcept;

  /// Waits for at most `milliseconds` (negative: endlessly) and answers what happened; valid until the next
  /// call.
  [[nodiscard]] std::span<const epoll_event> wait(int milliseconds) noexcept;

 private:
  int epoll_ = -1;
  std::array<epoll_event, most_events> events_{};
};

}  // namespace signet::server

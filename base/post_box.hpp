// What other threads hand to a worker: a queue through the messages themselves, so that nothing is too much
// for it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace signet::base {

/// A message to one exchange of one session of a worker. The sender fills it in and owns it until post() took
/// it.
struct Posted {
  Posted* next = nullptr;
  std::uint64_t exchange = 0;  ///< of all exchanges that the worker ever awaited something for, from 1
  std::uint32_t session = 0;   ///< the session's place among the worker's
  bool answers = false;        ///< the exchange's answer; else it is told to go on
  /// Removes the message; for the one who has it and cannot deliver it.
  void (*drop)(Posted&) noexcept = nullptr;
};

/// The worker's end and its senders share one; it outlives the worker as long as there are senders.
class PostBox {
 public:
  /// `signal(target)` is called, by the sender's thread, when a message comes to an empty box.
  /// Messages together may hold `most_held` octets.
  PostBox(void (*signal)(int target) noexcept, int target, std::size_t most_held) noexcept
      : signal_(signal), target_(target), most_held_(most_held) {}
  PostBox(const PostBox&) = delete;
  PostBox& operator=(const PostBox&) = delete;

  /// From any thread. False when the box is shut: the message stays the sender's.
  [[nodiscard]] bool post(Posted& message) noexcept;
  /// All that came, the oldest first; null when nothing did.
  [[nodiscard]] Posted* take_all() noexcept;
  /// A message will hold so many octets; false when all of them would hold too many. From any thread.
  [[nodiscard]] bool hold(std::size_t bytes) noexcept;
  /// It holds them no more. From any thread.
  void release(std::size_t bytes) noexcept { held_ -= bytes; }
  [[nodiscard]] std::size_t held() const noexcept { return held_; }

  /// Nothing is accepted any more, and signal() is not called again.
  void shut() noexcept;

 private:
  std::mutex mutex_;
  void (*signal_)(int) noexcept;
  int target_;
  std::size_t most_held_;
  std::atomic<std::size_t> held_ = 0;
  bool shut_ = false;
  Posted* first_ = nullptr;
  Posted** end_ = &first_;
};

}  // namespace signet::base

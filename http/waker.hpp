// From any thread: tells a stream or an upload that waits that it can go on.
#pragma once

#include <atomic>
#include <memory>

#include <signet/http/awaited.hpp>

namespace signet::http {

/// Copies wake the same exchange. To wake one that is over, or does not wait, does nothing.
class Waker {
 public:
  Waker() noexcept = default;
  /// For the library, on the worker's thread. Allocates; without memory std::bad_alloc.
  explicit Waker(Awaited& exchange);

  /// The function that waits is called again, on its worker's thread. Any thread, any number of times.
  void wake() const noexcept;

 private:
  struct Message final : base::Posted {
    std::shared_ptr<base::PostBox> box;
    std::atomic<bool> under_way = false;
    std::shared_ptr<Message> self;  // keeps it alive while it is under way
  };
  static void drop(base::Posted& message) noexcept;

  std::shared_ptr<Message> message_;
};

}  // namespace signet::http

// How an exchange is reached by other threads, once its handler has returned.
#pragma once

#include <cstdint>
#include <memory>

#include <signet/base/post_box.hpp>

namespace signet::http {

/// A worker's part: its box, and how many of its exchanges were ever awaited.
struct Awaiting {
  std::shared_ptr<base::PostBox> box;
  std::uint64_t exchanges = 0;
  bool draining = false;  ///< the worker ends soon
};

/// An exchange's part. It gets a number of its own when a handler first asks for something that another
/// thread will use; a session whose exchange is another one by then, or none, takes no message with that
/// number.
class Awaited {
 public:
  Awaited() noexcept = default;
  Awaited(Awaiting& worker, std::uint32_t session) noexcept : worker_(&worker), session_(session) {}

  /// The same exchange's address, for a request that is answered late: it cannot be made late again.
  [[nodiscard]] static Awaited copy_of(const Awaited& other) noexcept {
    Awaited copy = other;
    copy.copy_ = true;
    return copy;
  }
  [[nodiscard]] bool is_copy() const noexcept { return copy_; }

  /// Writes this exchange's address on `message`. For the worker's thread.
  void address(base::Posted& message) noexcept {
    if (exchange_ == 0 && worker_ != nullptr) exchange_ = ++worker_->exchanges;
    message.session = session_;
    message.exchange = exchange_;
  }
  /// Null where there is no worker: in tests of handlers.
  [[nodiscard]] std::shared_ptr<base::PostBox> box() const noexcept {
    return worker_ == nullptr ? nullptr : worker_->box;
  }
  /// For the worker's thread.
  [[nodiscard]] bool draining() const noexcept { return worker_ != nullptr && worker_->draining; }
  /// 0 while nobody was told of it.
  [[nodiscard]] std::uint64_t exchange() const noexcept { return exchange_; }

 private:
  Awaiting* worker_ = nullptr;
  std::uint64_t exchange_ = 0;
  std::uint32_t session_ = 0;
  bool copy_ = false;
};

}  // namespace signet::http

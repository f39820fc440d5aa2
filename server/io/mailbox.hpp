// Messages to a worker's loop from other threads: a bounded queue and a descriptor that becomes readable.
#pragma once

#include <array>
#include <mutex>

#include <signet/server/io/address.hpp>

namespace signet::server {

struct Message {
  enum class Kind : std::uint8_t {
    connection,  ///< `fd` is yours
    drain,
    stop,
    report,
  };
  Kind kind;
  int fd = -1;
  Address peer{};
};

class Mailbox {
 public:
  static constexpr std::size_t most = 1024;

  Mailbox() noexcept = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  [[nodiscard]] bool open() noexcept;
  /// Readable while messages wait.
  [[nodiscard]] int fd() const noexcept { return event_; }

  /// From any thread. False when the queue is full or shut: the message, and its descriptor, stay the
  /// caller's.
  [[nodiscard]] bool send(const Message& message) noexcept;
  /// The oldest one; false when there is none.
  [[nodiscard]] bool take(Message& message) noexcept;
  [[nodiscard]] bool is_shut() noexcept;
  /// Nothing is accepted any more.
  void shut() noexcept;

 private:
  std::mutex mutex_;
  std::array<Message, most> ring_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  bool shut_ = false;
  int event_ = -1;
};

}  // namespace signet::server

// Memory for request bodies that a receive buffer cannot hold: allocated for one request, bounded for a worker.
#pragma once

#include <cstddef>

#include <signet/base/bytes.hpp>

namespace signet::server {

/// What a worker's body buffers may take in all.
class BodyMemory {
 public:
  explicit BodyMemory(std::size_t limit) noexcept : limit_(limit) {}

  /// False when `bytes` more would be over the limit.
  [[nodiscard]] bool reserve(std::size_t bytes) noexcept {
    if (bytes > limit_ - used_) return false;
    used_ += bytes;
    return true;
  }
  void release(std::size_t bytes) noexcept { used_ -= bytes; }

  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

 private:
  std::size_t limit_;
  std::size_t used_ = 0;
};

/// One body: its octets, room for more, and padding for a JSON parser behind them.
class BodyBuffer {
 public:
  BodyBuffer() noexcept = default;
  BodyBuffer(const BodyBuffer&) = delete;
  BodyBuffer& operator=(const BodyBuffer&) = delete;
  /// Wipes it and gives the memory back.
  ~BodyBuffer() { clear(); }

  /// Room for `bytes` octets in all, what is there included. False when the worker's limit or the system's memory does
  /// not allow it; then nothing has changed.
  [[nodiscard]] bool reserve(BodyMemory& memory, std::size_t bytes) noexcept;
  /// Appends; there must be room.
  void append(base::Bytes octets) noexcept;

  /// Room behind the body, and `slack` octets of padding: of these only `slack` may be written beyond the room.
  [[nodiscard]] base::MutBytes rest(std::size_t slack) noexcept {
    return {data_ + size_, capacity_ - size_ + slack};
  }
  /// `n` octets were written to rest().
  void wrote(std::size_t n) noexcept { size_ += n; }
  [[nodiscard]] base::MutBytes octets() noexcept { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

 private:
  void clear() noexcept;

  BodyMemory* memory_ = nullptr;
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace signet::server

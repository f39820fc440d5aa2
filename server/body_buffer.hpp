// Memory for request bodies that a receive buffer cannot hold: allocated for one request, bounded for a
// worker.
#pragma once

#include <cstddef>

#include <signet/base/bytes.hpp>
#include <signet/base/list.hpp>
#include <signet/server/lent.hpp>

namespace signet::server {

class BodyMemory;

/// One body: its octets, room for more, and padding for a JSON parser behind them. Address space is taken for
/// all of it at once, but the worker's memory only as it fills, so that a length that is merely announced
/// keeps nobody out.
class BodyBuffer final : public Lent {
 public:
  explicit BodyBuffer(Channel& of) noexcept : Lent(of) {}
  BodyBuffer(const BodyBuffer&) = delete;
  BodyBuffer& operator=(const BodyBuffer&) = delete;
  /// Wipes it and gives the memory back.
  ~BodyBuffer() { clear(); }

  /// Room for `bytes` octets in all, what is there included. False without memory; then nothing has changed.
  [[nodiscard]] bool allocate(std::size_t bytes) noexcept;
  /// Takes from the worker's memory what filling it up to `bytes` octets needs, and somewhat more; at most
  /// what is allocated. False when that would be over the limit.
  [[nodiscard]] bool count(BodyMemory& memory, std::size_t bytes) noexcept;

  /// Appends; there must be counted room.
  void append(base::Bytes octets) noexcept;
  /// Counted room behind the body, and `slack` octets that may be written beyond it.
  [[nodiscard]] base::MutBytes rest(std::size_t slack) noexcept {
    return {data_ + size_, counted_ - size_ + slack};
  }
  /// `n` octets were written to rest().
  void wrote(std::size_t n) noexcept { size_ += n; }

  [[nodiscard]] base::MutBytes octets() noexcept { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t counted() const noexcept { return counted_; }

  /// Wipes it and gives the memory back; it is as new.
  void clear() noexcept;

 private:
  BodyMemory* memory_ = nullptr;
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t counted_ = 0;
  std::size_t capacity_ = 0;
};

/// What a worker's body buffers may take in all, and which of them got nothing for longest.
class BodyMemory {
 public:
  explicit BodyMemory(std::size_t limit) noexcept : limit_(limit) {}

  /// False when `bytes` more would be over the limit.
  [[nodiscard]] bool take(std::size_t bytes) noexcept {
    if (bytes > limit_ - used_) return false;
    used_ += bytes;
    return true;
  }
  void give(std::size_t bytes) noexcept { used_ -= bytes; }

  /// `buffer` grows, or is sent: it goes behind all others.
  void note_progress(BodyBuffer& buffer, Ticks now) noexcept {
    buffer.unlink();
    buffer.since = now;
    kept_.push_back(buffer);
  }
  /// Of those that the peer keeps, since it sends no more or does not read the answer from there, the one
  /// without progress for longest; null when there is none.
  [[nodiscard]] BodyBuffer* longest() noexcept { return kept_.empty() ? nullptr : &kept_.front(); }

  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

 private:
  std::size_t limit_;
  std::size_t used_ = 0;
  base::List<BodyBuffer, GiveWayTag> kept_;
};

}  // namespace signet::server

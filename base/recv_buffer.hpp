// What was received, and the plaintext that was opened within it.
//
//   0         plain_begin        plain_end     raw_begin            raw_end            capacity  + padding
//   | done with | plaintext, contiguous | free gap | received, not yet opened | free room ... | never written |
//
// Everything moves left. A record's plaintext is opened into the received data: the first one at its own
// place, a later one at plain_end, which always lies before it, so plaintext is contiguous and is never
// copied. Octets of plaintext that were consumed, and the gap, hold only what `written` covers; wipe()
// removes it. While pinned, plaintext does not move and no record is opened over what was handed out. The
// padding is zero for readers that load past the end. Under AddressSanitizer what was consumed is poisoned
// until that place is written again, so that a view kept too long is found.
//
// A long message may have a place of its own: records that come while no plaintext is here, and that fit
// there whole, are opened to it.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/base/sanitizer.hpp>

namespace signet::base {

class RecvBuffer {
 public:
  /// One TLS record with its overhead and a request head of 16 KiB.
  static constexpr std::size_t capacity = 33 * 1024;
  /// simdjson reads as far behind its input as this.
  static constexpr std::size_t padding = 64;

  RecvBuffer() noexcept { std::memset(storage_ + capacity, 0, padding); }
  RecvBuffer(const RecvBuffer&) = delete;
  RecvBuffer& operator=(const RecvBuffer&) = delete;

  /// Free room behind what was received. Moves what is there to the front when fewer than `least` octets are
  /// left, of a pinned buffer what is not opened alone; may still be shorter than `least`, then the buffer is
  /// full.
  [[nodiscard]] MutBytes room(std::size_t least) noexcept;
  /// `n` octets were received into room().
  void received(std::size_t n) noexcept {
    raw_end_ += static_cast<std::uint32_t>(n);
    const std::size_t end = raw_end_ + padding;  // a reader of the last octets may load as much behind them
    if (end < capacity) poison(storage_ + end, capacity - end);
  }

  /// Received and not yet opened.
  [[nodiscard]] MutBytes raw() noexcept { return {storage_ + raw_begin_, raw_end_ - raw_begin_}; }
  /// Where the plaintext of the record at the front of raw() goes, when its ciphertext begins `header` octets
  /// in and `most` octets may be written.
  [[nodiscard]] std::uint8_t* target(std::size_t header, std::size_t most) noexcept {
    if (plain_begin_ == plain_end_ && !outside_.empty() && most <= outside_.size()) return outside_.data();
    return plain_begin_ == plain_end_ && !pinned_ ? storage_ + raw_begin_ + header : storage_ + plain_end_;
  }
  /// The first `record` octets of raw() became `plain` octets of plaintext at `at`, which target() answered;
  /// `written` octets were written there in all (padding and type included).
  void opened(std::size_t record, const std::uint8_t* at, std::size_t plain, std::size_t written) noexcept;
  /// The first `record` octets of raw() are of no further use.
  void skip(std::size_t record) noexcept {
    raw_begin_ += static_cast<std::uint32_t>(record);
    restart_if_empty();
  }
  /// Records are opened to `place` from here on, as long as they fit. Empty: within the buffer, as ever.
  void open_outside(MutBytes place) noexcept {
    outside_ = place;
    outside_bytes_ = 0;
  }
  /// Octets of plaintext that were opened there.
  [[nodiscard]] std::size_t outside_bytes() const noexcept { return outside_bytes_; }
  /// All of raw() is plaintext: a connection without records.
  void accept_plain() noexcept;

  /// Opened and not yet consumed.
  [[nodiscard]] MutBytes plaintext() noexcept { return {storage_ + plain_begin_, plain_end_ - plain_begin_}; }
  /// The reader is done with the first `n` octets of plaintext().
  void consume(std::size_t n) noexcept {
    poison(storage_ + plain_begin_, n);
    plain_begin_ += static_cast<std::uint32_t>(n);
    restart_if_empty();
  }

  /// While pinned, what plaintext() gave stays where it is.
  void pin() noexcept { pinned_ = true; }
  void unpin() noexcept {
    pinned_ = false;
    restart_if_empty();
  }
  [[nodiscard]] bool pinned() const noexcept { return pinned_; }

  /// Whether a message of `n` octets that begins with plaintext() can become whole here without moving, when
  /// up to `record` octets are received at once.
  [[nodiscard]] bool fits(std::uint64_t n, std::size_t record) const noexcept {
    return n <= capacity && plain_begin_ + n + record <= capacity;
  }

  /// Neither plaintext nor received octets are left.
  [[nodiscard]] bool empty() const noexcept { return plain_begin_ == plain_end_ && raw_begin_ == raw_end_; }
  /// Octets that a move would copy.
  [[nodiscard]] std::size_t held() const noexcept {
    return (plain_end_ - plain_begin_) + (raw_end_ - raw_begin_);
  }

  /// Takes over what `from` holds, by one copy; this one must be empty. `from` is empty afterwards.
  void take_from(RecvBuffer& from) noexcept;

  /// Removes all plaintext that was ever written, and empties the buffer.
  void wipe() noexcept;
  /// Octets that wipe() would clear.
  [[nodiscard]] std::size_t residue() const noexcept { return written_; }

 private:
  void restart_if_empty() noexcept {
    if (!pinned_ && empty()) plain_begin_ = plain_end_ = raw_begin_ = raw_end_ = 0;
  }
  void move_to_front() noexcept;
  void move_raw_to_plain() noexcept;

  std::uint32_t plain_begin_ = 0;
  std::uint32_t plain_end_ = 0;
  std::uint32_t raw_begin_ = 0;
  std::uint32_t raw_end_ = 0;
  std::uint32_t written_ = 0;  // plaintext was written to storage_[0..written_) and nowhere else
  bool pinned_ = false;
  MutBytes outside_;
  std::size_t outside_bytes_ = 0;
  alignas(64) std::uint8_t storage_[capacity + padding];
};

}  // namespace signet::base

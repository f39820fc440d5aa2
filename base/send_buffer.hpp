// What will be sent: plaintext is written into cells that already have room for a record's header and tag.
//
//   0       begin                    cell                                                        capacity
//   | sent  | sealed, waiting to go  | headroom | plaintext written | room ... | tailroom |  free ...       |
//                                    '---------------- the open cell ---------------------'
//
// A cell holds one record. Sealing turns the open cell into sealed octets, in place; the next cell begins
// behind them, so adjacent records leave in one send. Sealed octets are ciphertext: only the open cell can
// hold plaintext.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::base {

/// What a record adds around its plaintext, and how much plaintext it may carry.
struct RecordRoom {
  std::uint16_t headroom;
  std::uint16_t tailroom;
  std::uint32_t max_plaintext;
};

/// A connection without records.
constexpr RecordRoom no_record_room{0, 0, 16 * 1024};

class SendBuffer {
 public:
  /// 64 KiB of plaintext, sealed ahead at the most, with the overhead of its records.
  static constexpr std::size_t capacity = 65 * 1024;

  explicit SendBuffer(RecordRoom room) noexcept : room_(room) {}
  SendBuffer(const SendBuffer&) = delete;
  SendBuffer& operator=(const SendBuffer&) = delete;

  /// The records from here on have other room: keys changed. The open cell must be empty.
  void set_record_room(RecordRoom room) noexcept { room_ = room; }
  [[nodiscard]] const RecordRoom& record_room() const noexcept { return room_; }

  /// Room for plaintext in the open cell behind what was written; empty when the cell is full or there is no
  /// place for one.
  [[nodiscard]] MutBytes window() noexcept;
  /// `n` octets of window() were written.
  void wrote(std::size_t n) noexcept { cell_plain_ += static_cast<std::uint32_t>(n); }
  /// Takes back the last `n` octets that were written to the open cell.
  void unwrite(std::size_t n) noexcept;

  /// The plaintext of the open cell; the record's header goes to the headroom() octets before it.
  [[nodiscard]] MutBytes cell() noexcept {
    if (cell_plain_ == 0) return {};  // behind the last cell there may not even be headroom
    return {storage_ + end_ + room_.headroom, cell_plain_};
  }
  /// The open cell became a record of `record` octets.
  void sealed(std::size_t record) noexcept;

  /// Sealed and not yet sent.
  [[nodiscard]] Bytes pending() const noexcept { return {storage_ + begin_, end_ - begin_}; }
  /// The first `n` octets of pending() are with the kernel.
  void sent(std::size_t n) noexcept;

  /// Nothing waits and nothing is written.
  [[nodiscard]] bool empty() const noexcept { return begin_ == end_ && cell_plain_ == 0; }

  /// Removes the plaintext of the open cell, and empties the buffer.
  void wipe() noexcept;
  /// Octets that wipe() would clear.
  [[nodiscard]] std::size_t residue() const noexcept { return cell_plain_; }

 private:
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;         // of the sealed octets, and where the open cell begins
  std::uint32_t cell_plain_ = 0;  // octets of plaintext in the open cell
  RecordRoom room_;
  alignas(64) std::uint8_t storage_[capacity];
};

}  // namespace signet::base

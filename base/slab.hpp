// A bounded array of equal slots in reserved address space: memory is the kernel's until a slot is first
// used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace signet::base {

/// Slots are given out last in, first out. Not for several threads.
class Slab {
 public:
  Slab() noexcept = default;
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab();

  /// Reserves `slots` slots of `slot_bytes` (rounded up to 64). False when the address space is refused, or
  /// when called twice. At most 2^32 - 1 slots.
  [[nodiscard]] bool reserve(std::size_t slots, std::size_t slot_bytes) noexcept;

  /// A slot with unspecified contents, or null when all are in use.
  [[nodiscard]] void* take() noexcept;
  /// Gives back what take() answered, already wiped.
  void give(void* slot) noexcept;

  /// Returns the memory to the kernel if no slot is in use; for idle moments.
  void trim() noexcept;

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] std::size_t free() const noexcept { return capacity_ - used_; }
  [[nodiscard]] std::size_t index_of(const void* slot) const noexcept;
  /// The slot of that index, whether in use or not.
  [[nodiscard]] void* at(std::size_t index) const noexcept { return memory_ + index * slot_bytes_; }
  /// Slots that were ever in use since the last trim: those before this index.
  [[nodiscard]] std::size_t touched() const noexcept { return touched_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  std::uint8_t* memory_ = nullptr;
  std::size_t slot_bytes_ = 0;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::size_t touched_ = 0;
  std::uint32_t first_free_ = none;  // a free slot's first four octets name the next one
};

}  // namespace signet::base

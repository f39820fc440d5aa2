#include <cstring>

#include <sys/mman.h>

#include <signet/base/sanitizer.hpp>
#include <signet/base/slab.hpp>

namespace signet::base {

Slab::~Slab() {
  if (memory_ == nullptr) return;
  unpoison(memory_, capacity_ * slot_bytes_);
  munmap(memory_, capacity_ * slot_bytes_);
}

bool Slab::reserve(std::size_t slots, std::size_t slot_bytes) noexcept {
  if (memory_ != nullptr || slots == 0 || slots >= none) return false;
  slot_bytes_ = (slot_bytes + 63) / 64 * 64;
  void* memory = mmap(nullptr, slots * slot_bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  // Huge pages would make memory resident that no slot has used.
  madvise(memory, slots * slot_bytes_, MADV_NOHUGEPAGE);
  memory_ = static_cast<std::uint8_t*>(memory);
  capacity_ = slots;
  poison(memory_, capacity_ * slot_bytes_);
  return true;
}

void* Slab::take() noexcept {
  void* slot = nullptr;
  if (first_free_ != none) {
    slot = at(first_free_);
    unpoison(slot, slot_bytes_);
    std::memcpy(&first_free_, slot, sizeof first_free_);
  } else if (touched_ < capacity_) {
    slot = at(touched_++);
    unpoison(slot, slot_bytes_);
  } else {
    return nullptr;
  }
  used_++;
  return slot;
}

void Slab::give(void* slot) noexcept {
  std::memcpy(slot, &first_free_, sizeof first_free_);
  first_free_ = static_cast<std::uint32_t>(index_of(slot));
  poison(slot, slot_bytes_);
  used_--;
}

void Slab::trim() noexcept {
  if (used_ != 0 || touched_ == 0) return;
  madvise(memory_, touched_ * slot_bytes_, MADV_DONTNEED);
  first_free_ = none;
  touched_ = 0;
}

std::size_t Slab::index_of(const void* slot) const noexcept {
  return static_cast<std::size_t>(static_cast<const std::uint8_t*>(slot) - memory_) / slot_bytes_;
}

}  // namespace signet::base

// A bounded pool of T on a slab: cores, sessions, areas and buffers.
#pragma once

#include <new>
#include <utility>

#include <signet/base/slab.hpp>

namespace signet::base {

/// T::wipe() removes whatever secret or plaintext an object still holds; it runs when the object is given
/// back.
template <class T>
class Pool {
 public:
  /// As Slab::reserve.
  [[nodiscard]] bool reserve(std::size_t slots) noexcept { return slab_.reserve(slots, sizeof(T)); }

  /// A new T, or null when the pool is empty.
  template <class... Arguments>
  [[nodiscard]] T* take(Arguments&&... arguments) noexcept {
    void* slot = slab_.take();
    return slot == nullptr ? nullptr : new (slot) T(std::forward<Arguments>(arguments)...);
  }

  /// Wipes and destroys what take() answered; null is allowed.
  void give(T* object) noexcept {
    if (object == nullptr) return;
    object->wipe();
    object->~T();
    slab_.give(object);
  }

  void trim() noexcept { slab_.trim(); }
  [[nodiscard]] std::size_t capacity() const noexcept { return slab_.capacity(); }
  [[nodiscard]] std::size_t used() const noexcept { return slab_.used(); }
  [[nodiscard]] std::size_t free() const noexcept { return slab_.free(); }
  /// The object of that index, which must be in use.
  [[nodiscard]] T& at(std::size_t index) const noexcept { return *static_cast<T*>(slab_.at(index)); }
  [[nodiscard]] std::size_t index_of(const T* object) const noexcept { return slab_.index_of(object); }

 private:
  static_assert(alignof(T) <= 64, "slots are aligned to 64 octets");
  Slab slab_;
};

}  // namespace signet::base

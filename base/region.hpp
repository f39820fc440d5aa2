// A region: memory that lives as long as one request, taken in chunks and given back at once.
//
//   first chunk:  | Region itself | used ... | free ... |      later chunks:  | Header | used ... | free ... |
//
// An allocation that no chunk can hold gets one of its own from the allocator; such ones are bounded by the
// caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace signet::base {

class Region {
 public:
  /// A region in a chunk of the calling thread's cache, or null when there is no memory.
  [[nodiscard]] static Region* open() noexcept;
  /// One that may be used and closed by any thread, one at a time: its chunks come from the allocator.
  [[nodiscard]] static Region* open_for_any_thread() noexcept;
  /// Wipes what was used and gives all of it back. The region is gone.
  void close() noexcept;
  /// As close(), but the first chunk stays and the region is empty again.
  void reset() noexcept;

  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// `bytes` octets aligned to `alignment` (at most 64), not initialised; null when there is no memory.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept;

  /// A T in the region. Its destructor is the caller's to run if it has one.
  template <class T, class... Arguments>
  [[nodiscard]] T* make(Arguments&&... arguments) noexcept {
    void* place = allocate(sizeof(T), alignof(T));
    return place == nullptr ? nullptr : new (place) T(std::forward<Arguments>(arguments)...);
  }

  /// An array of `count` value-initialised T.
  template <class T>
  [[nodiscard]] T* make_array(std::size_t count) noexcept {
    static_assert(std::is_trivially_destructible_v<T>);
    void* place = allocate(sizeof(T) * count, alignof(T));
    return place == nullptr ? nullptr : new (place) T[count]();
  }

 private:
  struct Chunk {
    Chunk* next;
    std::size_t bytes;  // of the whole chunk, this header included
    std::size_t used;   // likewise
  };

  Region(Chunk& first, bool cached) noexcept : newest_(&first), first_(&first), cached_(cached) {}
  [[nodiscard]] static Region* open_in(void* memory, bool cached) noexcept;
  [[nodiscard]] static void* place_in(Chunk& chunk, std::size_t bytes, std::size_t alignment) noexcept;
  [[nodiscard]] Chunk* add_chunk(std::size_t least) noexcept;
  void release_later_chunks() noexcept;
  static void release(Chunk& chunk, bool cached) noexcept;

  Chunk* newest_;  // the one that is being filled; the last in the list is the first chunk
  Chunk* first_;
  bool cached_;  // chunks of the common size come from the thread's cache
};

}  // namespace signet::base

// A thread's cache of equal memory chunks, from which regions are made: no allocator call while it lasts.
#pragma once

#include <cstddef>

namespace signet::base {

constexpr std::size_t chunk_bytes = 16 * 1024;

/// Last in, first out, at most `most` kept. Under AddressSanitizer nothing is kept, so that its checks see
/// each use.
class ChunkCache {
 public:
  static constexpr std::size_t most = 256;

  ChunkCache() noexcept = default;
  ChunkCache(const ChunkCache&) = delete;
  ChunkCache& operator=(const ChunkCache&) = delete;
  ~ChunkCache() { trim(0); }

  /// chunk_bytes octets aligned to 64, or null when the system has none.
  [[nodiscard]] void* take() noexcept;
  /// Gives back a wiped chunk.
  void give(void* chunk) noexcept;
  /// Frees what is kept beyond `keep` chunks; for idle moments.
  void trim(std::size_t keep) noexcept;

  [[nodiscard]] std::size_t kept() const noexcept { return kept_; }
  /// Chunks taken and not given back.
  [[nodiscard]] std::size_t out() const noexcept { return out_; }

 private:
  struct Free {
    Free* next;
  };
  Free* first_ = nullptr;
  std::size_t kept_ = 0;
  std::size_t out_ = 0;
};

/// The calling thread's cache.
[[nodiscard]] ChunkCache& chunk_cache() noexcept;

}  // namespace signet::base

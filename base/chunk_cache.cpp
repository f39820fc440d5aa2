#include <cstdlib>
#include <new>

#include <signet/base/chunk_cache.hpp>
#include <signet/base/sanitizer.hpp>

namespace signet::base {
namespace {

#if defined(SIGNET_ASAN)
constexpr std::size_t bound = 0;
#else
constexpr std::size_t bound = ChunkCache::most;
#endif

}  // namespace

void* ChunkCache::take() noexcept {
  void* chunk = first_;
  if (first_ != nullptr) {
    first_ = first_->next;
    kept_--;
  } else {
    chunk = std::aligned_alloc(64, chunk_bytes);
  }
  if (chunk != nullptr) out_++;
  return chunk;
}

void ChunkCache::give(void* chunk) noexcept {
  out_--;
  if (kept_ >= bound) {
    std::free(chunk);
    return;
  }
  first_ = new (chunk) Free{first_};
  kept_++;
}

void ChunkCache::trim(std::size_t keep) noexcept {
  while (kept_ > keep) {
    Free* chunk = first_;
    first_ = chunk->next;
    kept_--;
    std::free(chunk);
  }
}

ChunkCache& chunk_cache() noexcept {
  thread_local ChunkCache cache;
  return cache;
}

}  // namespace signet::base

#include <cstdlib>

#include <signet/base/bytes.hpp>
#include <signet/base/chunk_cache.hpp>
#include <signet/base/region.hpp>

namespace signet::base {
namespace {

constexpr std::size_t round_up(std::size_t n, std::size_t to) noexcept { return (n + to - 1) / to * to; }

}  // namespace

Region* Region::open() noexcept { return open_in(chunk_cache().take(), true); }

Region* Region::open_for_any_thread() noexcept { return open_in(std::aligned_alloc(64, chunk_bytes), false); }

Region* Region::open_in(void* memory, bool cached) noexcept {
  if (memory == nullptr) return nullptr;
  auto* chunk = new (memory) Chunk{nullptr, chunk_bytes, sizeof(Chunk)};
  return new (place_in(*chunk, sizeof(Region), alignof(Region))) Region(*chunk, cached);
}

void Region::close() noexcept {
  release_later_chunks();
  release(*first_, cached_);  // it holds this object: nothing of it may be read afterwards
}

void Region::reset() noexcept {
  release_later_chunks();
  constexpr std::size_t kept = round_up(sizeof(Chunk), alignof(Region)) + sizeof(Region);
  wipe({reinterpret_cast<std::uint8_t*>(first_) + kept, first_->used - kept});
  first_->used = kept;
}

void* Region::allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (void* place = place_in(*newest_, bytes, alignment)) return place;
  Chunk* chunk = add_chunk(bytes + alignment);
  return chunk == nullptr ? nullptr : place_in(*chunk, bytes, alignment);
}

void* Region::place_in(Chunk& chunk, std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t begin = round_up(chunk.used, alignment);
  if (begin > chunk.bytes || bytes > chunk.bytes - begin) return nullptr;
  chunk.used = begin + bytes;
  return reinterpret_cast<std::uint8_t*>(&chunk) + begin;
}

Region::Chunk* Region::add_chunk(std::size_t least) noexcept {
  const bool fits = least <= chunk_bytes - sizeof(Chunk);
  const std::size_t bytes = fits ? chunk_bytes : round_up(least + sizeof(Chunk), 64);
  void* memory = fits && cached_ ? chunk_cache().take() : std::aligned_alloc(64, bytes);
  if (memory == nullptr) return nullptr;
  newest_ = new (memory) Chunk{newest_, bytes, sizeof(Chunk)};
  return newest_;
}

void Region::release_later_chunks() noexcept {
  while (newest_ != first_) {
    Chunk* chunk = newest_;
    newest_ = chunk->next;
    release(*chunk, cached_);
  }
}

void Region::release(Chunk& chunk, bool cached) noexcept {
  const bool common = chunk.bytes == chunk_bytes;
  wipe({reinterpret_cast<std::uint8_t*>(&chunk), chunk.used});
  if (common && cached) {
    chunk_cache().give(&chunk);
  } else {
    std::free(&chunk);
  }
}

}  // namespace signet::base

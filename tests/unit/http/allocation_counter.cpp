#include "allocation_counter.hpp"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<std::uint64_t> count{0};
}

namespace signet::http::test {
std::uint64_t allocations() noexcept { return count.load(std::memory_order_relaxed); }
}  // namespace signet::http::test

#if !defined(SIGNET_SANITIZED)
// glibc lets a program have its own malloc, and its shared libraries use it too.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t number, std::size_t bytes);
void* __libc_realloc(void* old, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
void* calloc(std::size_t number, std::size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(number, bytes);
}
void* realloc(void* old, std::size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, bytes);
}
}
#endif

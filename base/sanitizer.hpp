// Poisoning for AddressSanitizer, so that memory given back to a pool is watched like freed memory.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define SIGNET_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIGNET_ASAN 1
#endif
#endif

#if defined(SIGNET_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace signet::base {

inline void poison([[maybe_unused]] void* p, [[maybe_unused]] std::size_t n) noexcept {
#if defined(SIGNET_ASAN)
  ASAN_POISON_MEMORY_REGION(p, n);
#endif
}

inline void unpoison([[maybe_unused]] void* p, [[maybe_unused]] std::size_t n) noexcept {
#if defined(SIGNET_ASAN)
  ASAN_UNPOISON_MEMORY_REGION(p, n);
#endif
}

}  // namespace signet::base

// The features of an aarch64 processor, as Linux tells them.
#pragma once

#if defined(__aarch64__)
#include <sys/auxv.h>

#include <signet/crypto/cpu.hpp>

namespace signet::crypto::cpu {

/// Bit i is set when Feature i is there. The bits of AT_HWCAP are arch/arm64/include/uapi/asm/hwcap.h's.
[[nodiscard]] inline unsigned detect_aarch64() noexcept {
  const unsigned long capabilities = ::getauxval(AT_HWCAP);
  unsigned found = 0;
  const auto add = [&](unsigned bit, Feature f) {
    if ((capabilities >> bit & 1) != 0) found |= 1U << static_cast<unsigned>(f);
  };
  add(3, Feature::aes);
  add(4, Feature::pmull);
  add(6, Feature::sha2);
  return found;
}

}  // namespace signet::crypto::cpu
#endif

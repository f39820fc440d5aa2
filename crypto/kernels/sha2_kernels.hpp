// The compression functions of SHA-2 (FIPS 180-4 sections 6.2.2 and 6.4.2) and the lists of their kernels.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/cpu.hpp>

namespace signet::crypto {

/// `compress` takes `count` blocks of 64 octets, at any alignment, into the state. Constant time in both.
struct Sha256Kernel {
  std::string_view name;
  void (*compress)(std::uint32_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept;
};

/// `compress` takes `count` blocks of 128 octets, at any alignment, into the state. Constant time in both.
struct Sha512Kernel {
  std::string_view name;
  void (*compress)(std::uint64_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept;
};

/// The kernels that this processor can run, the one that is used first: "sha256-shani-avx", "sha256-shani"
/// (for the small processors that have no AVX), "sha256-portable".
/// The list is made at the first call, so features must be denied before it.
[[nodiscard]] std::span<const Sha256Kernel* const> sha256_kernels() noexcept;
/// Likewise: "sha512-avx2", "sha512-portable".
[[nodiscard]] std::span<const Sha512Kernel* const> sha512_kernels() noexcept;

extern const Sha256Kernel sha256_portable;
extern const Sha512Kernel sha512_portable;
#if defined(__x86_64__)
[[nodiscard]] const Sha256Kernel& sha256_shani_avx(
    cpu::Token<cpu::Feature::sha, cpu::Feature::avx2>) noexcept;
[[nodiscard]] const Sha256Kernel& sha256_shani(cpu::Token<cpu::Feature::sha>) noexcept;
[[nodiscard]] const Sha512Kernel& sha512_avx2(cpu::Token<cpu::Feature::avx2, cpu::Feature::bmi2>) noexcept;
#endif
#if defined(SIGNET_ARMV8_CRYPTO)
[[nodiscard]] const Sha256Kernel& sha256_armv8(cpu::Token<cpu::Feature::sha2>) noexcept;
#endif

}  // namespace signet::crypto

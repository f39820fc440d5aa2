// CPU features as tokens: a fast kernel can be reached only with the token that the check made.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// Kernels with target attributes need an arm_neon.h that declares all of its functions: g++'s, and clang's
// from 16 on.
#if defined(__aarch64__) && (!defined(__clang__) || __clang_major__ >= 16)
#define SIGNET_ARMV8_CRYPTO 1
#endif

namespace signet::crypto::cpu {

/// Those of x86_64, then those of aarch64; a processor of the one kind has none of the other's.
enum class Feature : std::uint8_t {
  aesni,
  pclmul,
  sha,
  avx2,
  bmi2,
  adx,
  vaes,
  vpclmul,
  avx512f,
  avx512bw,
  avx512ifma,
  aes,
  pmull,
  sha2,
};

/// Whether the processor and the operating system offer `feature` and it was not denied.
[[nodiscard]] bool available(Feature feature) noexcept;

/// Takes features away for this process: a comma-separated list of names as in Feature, as the environment
/// variable SIGNET_CPU_DENY gives it. For tests and load tools, before any key is made; servers never call
/// it. False when a name is unknown; the names before it have taken effect.
[[nodiscard]] bool deny(std::string_view names) noexcept;

/// Proof that all of the features are there.
template <Feature... features>
class Token {
 public:
  [[nodiscard]] static std::optional<Token> take() noexcept {
    if ((available(features) && ...)) return Token();
    return std::nullopt;
  }

 private:
  Token() noexcept = default;
};

}  // namespace signet::crypto::cpu

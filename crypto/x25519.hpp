// X25519 (RFC 7748). Constant time in the secret and the point.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/kernels/x25519_kernels.hpp>

namespace signet::crypto {

constexpr std::size_t x25519_bytes = 32;

/// The public key of `secret` (clamped inside). The forms with a kernel are for tests, which run every one.
void x25519_public_key(std::span<std::uint8_t, 32> public_key,
                       std::span<const std::uint8_t, 32> secret) noexcept;
void x25519_public_key(std::span<std::uint8_t, 32> public_key, std::span<const std::uint8_t, 32> secret,
                       const c25519::Kernel& kernel) noexcept;

/// The shared secret; false when it is all zero (RFC 8446 section 7.4.2), then `shared` is zero.
[[nodiscard]] bool x25519(std::span<std::uint8_t, 32> shared, std::span<const std::uint8_t, 32> secret,
                          std::span<const std::uint8_t, 32> peer) noexcept;
[[nodiscard]] bool x25519(std::span<std::uint8_t, 32> shared, std::span<const std::uint8_t, 32> secret,
                          std::span<const std::uint8_t, 32> peer, const c25519::Kernel& kernel) noexcept;

}  // namespace signet::crypto

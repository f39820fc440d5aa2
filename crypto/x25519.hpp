// X25519 (RFC 7748). Constant time in the secret and the point.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::crypto {

constexpr std::size_t x25519_bytes = 32;

/// The public key of `secret` (clamped inside).
void x25519_public_key(std::span<std::uint8_t, 32> public_key, std::span<const std::uint8_t, 32> secret) noexcept;

/// The shared secret; false when it is all zero (RFC 8446 section 7.4.2), then `shared` is zero.
[[nodiscard]] bool x25519(std::span<std::uint8_t, 32> shared, std::span<const std::uint8_t, 32> secret,
                          std::span<const std::uint8_t, 32> peer) noexcept;

}  // namespace signet::crypto

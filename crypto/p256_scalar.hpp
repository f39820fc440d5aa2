// Arithmetic modulo the group order n of P-256, for signatures. Constant time; what is computed on the way is
// wiped.
#pragma once

#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/p256_kernels.hpp>

namespace signet::crypto::p256 {

/// 32 octets big-endian, any value.
void load_be(std::uint64_t w[4], const std::uint8_t* octets) noexcept;
void store_be(std::uint8_t* octets, const std::uint64_t w[4]) noexcept;

/// Set when a < b.
[[nodiscard]] ct::Mask is_below(const std::uint64_t a[4], const std::uint64_t b[4]) noexcept;
[[nodiscard]] ct::Mask is_zero(const std::uint64_t a[4]) noexcept;
/// Set when 0 < a < n.
[[nodiscard]] ct::Mask is_valid_scalar(const Scalar& a) noexcept;

/// a mod n for any 256-bit a.
[[nodiscard]] Scalar reduce_once(const Scalar& a) noexcept;
/// (a + b) mod n.
[[nodiscard]] Scalar add(const Scalar& a, const Scalar& b) noexcept;
/// a * b mod n.
[[nodiscard]] Scalar mul(const Scalar& a, const Scalar& b) noexcept;
/// 1 / a mod n; zero for zero.
[[nodiscard]] Scalar invert(const Scalar& a) noexcept;

/// The integer that ECDSA makes of a digest: its leftmost 256 bits, modulo n (FIPS 186-5 section 6.4.1).
[[nodiscard]] Scalar from_digest(base::Bytes digest) noexcept;

}  // namespace signet::crypto::p256

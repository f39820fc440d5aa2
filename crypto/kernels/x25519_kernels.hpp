// The arithmetic behind X25519 (RFC 7748 section 5) and the list of its kernels.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/cpu.hpp>

namespace signet::crypto::c25519 {

/// A number of 256 bits, four words, least first.
struct Words {
  std::uint64_t w[4];
};

/// p = 2^255 - 19.
inline constexpr Words field_prime = {
    {0xffffffffffffffed, ~std::uint64_t{0}, ~std::uint64_t{0}, 0x7fffffffffffffff}};

/// A point (x, y) of edwards25519 as additions want it, each number below p.
struct TableEntry {
  Words sum;         // y + x
  Words difference;  // y - x
  Words product;     // 2 d x y
};

/// Odd multiples of the base point B: entry j of row i is (2j + 1) * 2^(5i) * B. Generated; re-derived by a
/// test.
constexpr int base_width = 5;
constexpr int base_rows = 52;
constexpr int base_entries = 16;
extern const TableEntry base_table[base_rows][base_entries];

/// One implementation. Scalars are 255 bits, clamped; constant time in them and in the point.
struct Kernel {
  std::string_view name;
  /// a * b mod p for any 256-bit operands, below p; for the tests of the field.
  void (*field_mul)(Words& r, const Words& a, const Words& b) noexcept;
  /// The u coordinate of scalar * (the point whose u is `u`, below 2^255), below p.
  void (*ladder)(Words& r, const Words& scalar, const Words& u) noexcept;
  /// The u coordinate of scalar * B, below p.
  void (*mul_base)(Words& r, const Words& scalar) noexcept;
};

/// The kernels that this processor can run, the one that is used first: "x25519-ifma", "x25519-adx",
/// "x25519-portable". The list is made at the first call, so features must be denied before it.
[[nodiscard]] std::span<const Kernel* const> kernels() noexcept;

extern const Kernel portable_kernel;
#if defined(__x86_64__)
[[nodiscard]] const Kernel& adx_kernel(
    cpu::Token<cpu::Feature::adx, cpu::Feature::bmi2, cpu::Feature::avx2>) noexcept;
using IfmaToken = cpu::Token<cpu::Feature::avx512f, cpu::Feature::avx512ifma, cpu::Feature::adx,
                             cpu::Feature::bmi2, cpu::Feature::avx2>;
[[nodiscard]] const Kernel& ifma_kernel(IfmaToken) noexcept;
#endif

}  // namespace signet::crypto::c25519

// The arithmetic of P-256's field and points, and the list of its kernels.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/cpu.hpp>

namespace signet::crypto::p256 {

/// An element of the field, below p, four words, least first, in Montgomery form: x stands for x * 2^256 mod
/// p.
struct Fe {
  std::uint64_t w[4];
};

/// p = 2^256 - 2^224 + 2^192 + 2^96 - 1.
inline constexpr Fe field_prime = {{0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001}};
inline constexpr Fe one = {{1, 0xffffffff00000000, 0xffffffffffffffff, 0x00000000fffffffe}};  // 2^256 mod p

inline constexpr Fe montgomery_r_squared = {
    {0x0000000000000003, 0xfffffffbffffffff, 0xfffffffffffffffe, 0x00000004fffffffd}};  // 2^512 mod p

/// A number below the group order n, four words, least first.
struct Scalar {
  std::uint64_t w[4];
};

inline constexpr Scalar group_order = {
    {0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}};

inline constexpr std::uint64_t prime_minus_order[4] = {0x0c46353d039cdaae, 0x4319055358e8617b,
                                                       0x0000000000000000, 0x0000000000000000};

/// A point that is not the point at infinity.
struct Affine {
  Fe x, y;
};

/// The point (x / z^2, y / z^3); the point at infinity when z is zero.
struct Jacobian {
  Fe x, y, z;
};

/// Odd multiples of the base point G: entry j of row i is (2j + 1) * 2^(7i) * G. Generated; re-derived by a
/// test.
constexpr int base_width = 7;
constexpr int base_rows = 37;
constexpr int base_entries = 64;
extern const Affine base_table[base_rows][base_entries];

/// Odd multiples of a public point, spread so that a verification needs few doublings: entry j of part i is
/// (2j + 1) * 2^(14 i) times the point.
constexpr int table_parts = 19;
constexpr int table_spacing_bits = 14;
constexpr int table_width = 7;
constexpr int table_entries = 32;
struct OddMultiples {
  Affine part[table_parts][table_entries];
};

/// One implementation. Field functions: results are below p, operands too, except the first one of `mul`,
/// which may be any 256-bit number; results may be the same object as operands. Constant time but for what
/// says _vartime.
struct Kernel {
  std::string_view name;
  void (*mul)(Fe& r, const Fe& a, const Fe& b) noexcept;  // a * b / 2^256
  void (*sqr)(Fe& r, const Fe& a) noexcept;
  void (*add)(Fe& r, const Fe& a, const Fe& b) noexcept;
  void (*sub)(Fe& r, const Fe& a, const Fe& b) noexcept;
  void (*half)(Fe& r, const Fe& a) noexcept;  // a / 2
  /// k * G for k in [1, n-1].
  void (*mul_base)(Affine& r, const Scalar& k) noexcept;
  /// k * p for k in [1, n-1].
  void (*mul_point)(Affine& r, const Affine& p, const Scalar& k) noexcept;
  /// u * G + v * q for any u and v below n.
  void (*mul_add_vartime)(Jacobian& r, const Scalar& u, const Scalar& v, const Affine& q) noexcept;
  /// The same where `q` is the point of a table.
  void (*mul_add_table_vartime)(Jacobian& r, const Scalar& u, const Scalar& v,
                                const OddMultiples& q) noexcept;
  void (*build_table_vartime)(OddMultiples& table, const Affine& q) noexcept;
};

/// The kernels that this processor can run, the one that is used first: "p256-adx", "p256-portable". The list
/// is made at the first call, so features must be denied before it.
[[nodiscard]] std::span<const Kernel* const> kernels() noexcept;

extern const Kernel portable_kernel;
#if defined(__x86_64__)
[[nodiscard]] const Kernel& adx_kernel(
    cpu::Token<cpu::Feature::adx, cpu::Feature::bmi2, cpu::Feature::avx2>) noexcept;
#endif

}  // namespace signet::crypto::p256

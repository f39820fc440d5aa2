// r = a * b / 2^256 mod p and its companions, p = 2^256 - 2^224 + 2^192 + 2^96 - 1 (the field of P-256).
//
// Operands are below p, except the first one of mul(), which may be any 256-bit number; results are below p
// and may be the same object as operands. Constant time.
#pragma once

#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/p256_kernels.hpp>

namespace signet::crypto::p256 {

struct FieldPortable {
  static constexpr std::string_view kernel_name = "p256-portable";
  using u64 = std::uint64_t;
  using u128 = unsigned __int128;

  static void mul(Fe& r, const Fe& a, const Fe& b) noexcept {
    u64 t[5] = {0, 0, 0, 0, 0};
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      const u64 overflow = add_product(t, a, b.w[i]);
      reduce_word(t, overflow);
    }
    subtract_prime(r, t);
  }
  static void sqr(Fe& r, const Fe& a) noexcept { mul(r, a, a); }

  static void add(Fe& r, const Fe& a, const Fe& b) noexcept {
    u64 t[5];
    u128 carry = 0;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      carry += u128{a.w[i]} + b.w[i];
      t[i] = static_cast<u64>(carry);
      carry >>= 64;
    }
    t[4] = static_cast<u64>(carry);
    subtract_prime(r, t);
  }

  static void sub(Fe& r, const Fe& a, const Fe& b) noexcept {
    u64 t[4];
    u64 borrow = 0;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      const u128 d = u128{a.w[i]} - b.w[i] - borrow;
      t[i] = static_cast<u64>(d);
      borrow = static_cast<u64>(d >> 64) & 1;
    }
    add_masked_prime(r, t, ct::Mask::from_bit(borrow).word());
  }

  /// Here the same as add(); see the kernel list.
  static void add_weak(Fe& r, const Fe& a, const Fe& b) noexcept { add(r, a, b); }

  /// a / 2: an odd a becomes even by adding p first.
  static void half(Fe& r, const Fe& a) noexcept {
    Fe even;
    const u64 carry = add_masked_prime(even, a.w, ct::Mask::from_bit(a.w[0] & 1).word());
    for (int i = 0; i < 3; i++) r.w[i] = (even.w[i] >> 1) | (even.w[i + 1] << 63);
    r.w[3] = (even.w[3] >> 1) | (carry << 63);
  }

  /// 3 a / 2.
  static void three_halves(Fe& r, const Fe& a) noexcept {
    Fe halved;
    half(halved, a);
    add(r, halved, a);
  }

  /// r = a where the mask is set, else b.
  static void choose(Fe& r, ct::Mask mask, const Fe& a, const Fe& b) noexcept {
    for (int i = 0; i < 4; i++) r.w[i] = mask.select(a.w[i], b.w[i]);
  }

  /// r = row[index] for index < count; every entry is read.
  static void select(Affine& r, const Affine* row, int count, u64 index) noexcept {
    r = {};
    for (int j = 0; j < count; j++) {
      const u64 mask = ct::Mask::equal(index, static_cast<u64>(j)).word();
#pragma GCC unroll 4
      for (int i = 0; i < 4; i++) {
        r.x.w[i] |= row[j].x.w[i] & mask;
        r.y.w[i] |= row[j].y.w[i] & mask;
      }
    }
  }

 private:
  // t += a * b; returns the word above t[4].
  static u64 add_product(u64 t[5], const Fe& a, u64 b) noexcept {
    u128 carry = 0;
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
      carry += u128{a.w[j]} * b + t[j];
      t[j] = static_cast<u64>(carry);
      carry >>= 64;
    }
    carry += t[4];
    t[4] = static_cast<u64>(carry);
    return static_cast<u64>(carry >> 64);
  }

  // t = (t + t[0] * p) / 2^64. As p = -1 mod 2^64 that clears the lowest word, and t[0] * p is
  // t[0] * (2^96 + 2^192 * p[3]) - t[0].
  static void reduce_word(u64 t[5], u64 overflow) noexcept {
    const u64 m = t[0];
    const u128 top = u128{m} * field_prime.w[3];
    u128 carry = u128{t[1]} + (m << 32);
    t[0] = static_cast<u64>(carry);
    carry = (carry >> 64) + t[2] + (m >> 32);
    t[1] = static_cast<u64>(carry);
    carry = (carry >> 64) + t[3] + static_cast<u64>(top);
    t[2] = static_cast<u64>(carry);
    carry = (carry >> 64) + t[4] + static_cast<u64>(top >> 64);
    t[3] = static_cast<u64>(carry);
    t[4] = overflow + static_cast<u64>(carry >> 64);
  }

  // r = t mod p for t < 2p.
  static void subtract_prime(Fe& r, const u64 t[5]) noexcept {
    u64 d[4];
    u64 borrow = 0;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      const u128 x = u128{t[i]} - field_prime.w[i] - borrow;
      d[i] = static_cast<u64>(x);
      borrow = static_cast<u64>(x >> 64) & 1;
    }
    const ct::Mask below = ct::Mask::from_bit(borrow & ~t[4] & 1);
    for (int i = 0; i < 4; i++) r.w[i] = below.select(t[i], d[i]);
  }

  static u64 add_masked_prime(Fe& r, const u64 t[4], u64 mask) noexcept {
    u128 carry = 0;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      carry += u128{t[i]} + (field_prime.w[i] & mask);
      r.w[i] = static_cast<u64>(carry);
      carry >>= 64;
    }
    return static_cast<u64>(carry);
  }
};

}  // namespace signet::crypto::p256

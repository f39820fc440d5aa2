// Scalar multiplications on P-256 over a field kernel F: of the base point, of any point, and of two points
// at once.
//
// The secret ones write an odd scalar k in signed odd digits, so that no digit is zero and no partial sum the
// point at infinity: digit i of width w is (bits wi to wi + w of k, the lowest set) - 2^w, the last one is
// the remaining bits, the lowest set. Then every digit is odd and below 2^w, and the sum of d_i 2^(wi) is k.
// An even k is replaced by the odd n - k and the result negated, under masks.
//
// Why no addition there meets equal or opposite points: sums go from the highest digit down. Before digit d_i
// the sum is A 2^(wi) with A positive and an odd multiple of 2^w, so A = +-d_i is impossible. Modulo n it
// takes (A -+ d_i) 2^(wi) = n, and n is odd, so i = 0. A + d_0 = n is k = n. A - d_0 = n makes d_0 = 2^w - n
// modulo 2^(w+1), which is 47 for w = 7 and 15 for w = 5, positive, so that k = n + 2 d_0. Both are out of
// range.
#pragma once

#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/p256_point.hpp>
#include <signet/crypto/kernels/portable/modular_inverse.hpp>

namespace signet::crypto::p256 {

inline constexpr InverseModulus field_inverse_modulus =
    make_inverse_modulus(field_prime.w[0], field_prime.w[1], field_prime.w[2], field_prime.w[3]);
inline constexpr Fe r_cubed = {
    {0xfffffffd0000000a, 0xffffffedfffffff7, 0x00000005fffffffc, 0x0000001800000001}};

/// r = 1 / a; zero for zero. Constant time.
template <class F>
void invert(Fe& r, const Fe& a) noexcept {
  modular_inverse(r.w, a.w, field_inverse_modulus);
  F::mul(r, r, r_cubed);  // the inverse of a * 2^256 lacks 2^512
}

/// r[j] = (2j + 1) * p, affine. Constant time.
template <class F, int count>
void odd_multiples(Affine (&r)[count], const Affine& p) noexcept {
  CommonZ pair;
  Fe ratio[count];
  double_common_z<F>(pair, p);
  for (int j = 1; j < count; j++) {
    add_common_z<F>(pair, ratio[j]);
    r[j] = {pair.x2, pair.y2};
  }
  Fe z_inverse;
  invert<F>(z_inverse, pair.z);
  for (int j = count - 1; j > 0; j--) {
    scale_to_affine<F>(r[j], r[j].x, r[j].y, z_inverse);
    F::mul(z_inverse, z_inverse, ratio[j]);
  }
  r[0] = p;
}

/// An odd scalar to be read in signed digits, and whether the result must be negated for it.
struct OddScalar {
  std::uint64_t w[5];  // w[4] = 0
  ct::Mask negated;
};

inline OddScalar make_odd(const Scalar& k) noexcept {
  OddScalar odd = {{0, 0, 0, 0, 0}, ~ct::Mask::from_bit(k.w[0] & 1)};
  std::uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned __int128 d = static_cast<unsigned __int128>(group_order.w[i]) - k.w[i] - borrow;
    borrow = static_cast<std::uint64_t>(d >> 64) & 1;
    odd.w[i] = odd.negated.select(static_cast<std::uint64_t>(d), k.w[i]);
  }
  return odd;
}

/// `width` + 1 bits of k from bit `at` on, at most 16. `at` is public and below 256.
inline std::uint64_t window(const OddScalar& k, int at, int width) noexcept {
  const int word = at / 64;
  const int shift = at % 64;
  const std::uint64_t high = shift == 0 ? 0 : k.w[word + 1] << (64 - shift);
  return ((k.w[word] >> shift) | high) & ((std::uint64_t{2} << width) - 1);
}

/// r = -r where the mask is set.
template <class F>
inline void negate_if(Fe& r, ct::Mask mask) noexcept {
  constexpr Fe zero = {{0, 0, 0, 0}};
  Fe negative;
  F::sub(negative, zero, r);
  F::choose(r, mask, negative, r);
  base::wipe_object(negative);
}

/// r = d * p for the digit of `width` bits that stands for `bits`, where row[j] = (2j + 1) * p. Every entry
/// of the row is read.
template <class F, int width>
inline void pick_digit(Affine& r, const Affine* row, std::uint64_t bits) noexcept {
  constexpr int count = 1 << (width - 1);
  const ct::Mask negative = ct::Mask::from_bit(~(bits >> width) & 1);
  const std::uint64_t half = (bits >> 1) & (count - 1);  // a digit 2 half + 1, or that less 2^width
  F::select(r, row, count, half ^ (negative.word() & (count - 1)));
  negate_if<F>(r.y, negative);
}

template <class F>
inline void finish_secret(Affine& r, const Jacobian& sum, const OddScalar& k) noexcept {
  Fe z_inverse;
  invert<F>(z_inverse, sum.z);
  scale_to_affine<F>(r, sum.x, sum.y, z_inverse);
  negate_if<F>(r.y, k.negated);
}

template <class F>
void mul_base(Affine& r, const Scalar& scalar) noexcept {
  SIGNET_KERNEL_RAN(F::kernel_name);
  OddScalar k = make_odd(scalar);
  Affine term;
  F::select(term, base_table[base_rows - 1], base_entries,
            window(k, (base_rows - 1) * base_width, base_width) >> 1);
  Jacobian sum = {term.x, term.y, one};
  for (int row = base_rows - 2; row >= 0; row--) {
    pick_digit<F, base_width>(term, base_table[row], window(k, row * base_width, base_width));
    add_mixed<F>(sum, sum, term);
  }
  finish_secret<F>(r, sum, k);
  base::wipe_object(k);
  base::wipe_object(sum);
  base::wipe_object(term);
}

template <class F>
void mul_point(Affine& r, const Affine& p, const Scalar& scalar) noexcept {
  SIGNET_KERNEL_RAN(F::kernel_name);
  constexpr int width = 5;
  Affine multiples[1 << (width - 1)];
  odd_multiples<F>(multiples, p);
  OddScalar k = make_odd(scalar);
  Affine term;
  Jacobian sum = {p.x, p.y, one};  // the digit at bit 255 is 1 always
  for (int at = 255 - width; at >= 0; at -= width) {
    for (int i = 0; i < width; i++) double_point<F>(sum, sum);
    pick_digit<F, width>(term, multiples, window(k, at, width));
    add_mixed<F>(sum, sum, term);
  }
  finish_secret<F>(r, sum, k);
  base::wipe_object(k);
  base::wipe_object(sum);
  base::wipe_object(term);
}

/// A scalar in the non-adjacent form of width w: digits odd or zero, below 2^(w-1), of w neighbours at most
/// one not zero. Not constant time.
struct Naf {
  std::int8_t digit[257] = {};

  Naf(const Scalar& k, int width) noexcept {
    const OddScalar padded = {{k.w[0], k.w[1], k.w[2], k.w[3], 0}, ct::Mask::from_bit(0)};
    int carry = 0;
    for (int at = 0; at < 257;) {
      const int bits = at == 256 ? carry : static_cast<int>(window(padded, at, width - 1)) + carry;
      if ((bits & 1) == 0) {
        at++;
        continue;
      }
      carry = bits >> (width - 1);
      digit[at] = static_cast<std::int8_t>(bits - (carry << width));
      at += width;
    }
  }
};

inline bool is_zero_vartime(const Fe& a) noexcept { return (a.w[0] | a.w[1] | a.w[2] | a.w[3]) == 0; }

/// sum += digit * p, where row[j] = (2j + 1) * p. Any points.
template <class F>
inline void add_digit_vartime(Jacobian& sum, const Affine* row, int digit) noexcept {
  Affine term = row[(digit < 0 ? -digit : digit) / 2];
  if (digit < 0) F::sub(term.y, Fe{{0, 0, 0, 0}}, term.y);
  if (is_zero_vartime(sum.z)) {
    sum = {term.x, term.y, one};
    return;
  }
  Jacobian next;
  const Differences d = add_mixed<F>(next, sum, term);
  if (!is_zero_vartime(d.x)) {
    sum = next;
  } else if (is_zero_vartime(d.y)) {
    double_point<F>(sum, sum);
  } else {
    sum.z = {{0, 0, 0, 0}};
  }
}

template <class F>
void mul_add_vartime(Jacobian& r, const Scalar& u, const Scalar& v, const Affine& q) noexcept {
  SIGNET_KERNEL_RAN(F::kernel_name);
  constexpr int width = 5;
  Affine multiples[1 << (width - 2)];
  odd_multiples<F>(multiples, q);
  const Naf base_naf(u, base_width + 1);
  const Naf point_naf(v, width);
  Jacobian sum = {one, one, {{0, 0, 0, 0}}};
  for (int at = 256; at >= 0; at--) {
    if (!is_zero_vartime(sum.z)) double_point<F>(sum, sum);
    if (base_naf.digit[at] != 0) add_digit_vartime<F>(sum, base_table[0], base_naf.digit[at]);
    if (point_naf.digit[at] != 0) add_digit_vartime<F>(sum, multiples, point_naf.digit[at]);
  }
  r = sum;
}

template <class F>
void mul_add_table_vartime(Jacobian& r, const Scalar& u, const Scalar& v, const OddMultiples& q) noexcept {
  SIGNET_KERNEL_RAN(F::kernel_name);
  constexpr int rows_a_part = table_spacing_bits / base_width;
  static_assert(table_spacing_bits % base_width == 0);
  const Naf base_naf(u, base_width + 1);
  const Naf point_naf(v, table_width);
  Jacobian sum = {one, one, {{0, 0, 0, 0}}};
  for (int level = table_spacing_bits - 1; level >= 0; level--) {
    if (!is_zero_vartime(sum.z)) double_point<F>(sum, sum);
    for (int part = 0, at = level; at < 257; part++, at += table_spacing_bits) {
      if (base_naf.digit[at] != 0)
        add_digit_vartime<F>(sum, base_table[rows_a_part * part], base_naf.digit[at]);
      if (point_naf.digit[at] != 0) add_digit_vartime<F>(sum, q.part[part], point_naf.digit[at]);
    }
  }
  r = sum;
}

template <class F>
void build_table_vartime(OddMultiples& table, const Affine& q) noexcept {
  SIGNET_KERNEL_RAN(F::kernel_name);
  Affine start = q;
  for (int part = 0; part < table_parts; part++) {
    odd_multiples<F>(table.part[part], start);
    Jacobian shifted = {start.x, start.y, one};
    for (int i = 0; i < table_spacing_bits; i++) double_point<F>(shifted, shifted);
    Fe z_inverse;
    invert<F>(z_inverse, shifted.z);
    scale_to_affine<F>(start, shifted.x, shifted.y, z_inverse);
  }
}

template <class F>
constexpr Kernel make_kernel() noexcept {
  return {F::kernel_name,
          F::mul,
          F::sqr,
          F::add,
          F::sub,
          F::half,
          mul_base<F>,
          mul_point<F>,
          mul_add_vartime<F>,
          mul_add_table_vartime<F>,
          build_table_vartime<F>};
}

}  // namespace signet::crypto::p256

// Scalar multiplications for X25519 over a field kernel F: the Montgomery ladder for any point (RFC 7748
// section 5) and additions from a table on the Edwards form for the base point. Constant time.
//
// The base point's scalar is written in signed odd digits of 5 bits, so that no digit is zero: digit i is
// (bits 5i to 5i + 5, the lowest set) - 32, and the last one the remaining bits, the lowest set. An even
// scalar is first made odd by adding the odd group order L, under a mask. The Edwards addition is complete,
// so no sum needs a case of its own.
#pragma once

#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/portable/modular_inverse.hpp>
#include <signet/crypto/kernels/x25519_kernels.hpp>

namespace signet::crypto::c25519 {

inline constexpr InverseModulus field_inverse_modulus =
    make_inverse_modulus(field_prime.w[0], field_prime.w[1], field_prime.w[2], field_prime.w[3]);
/// L = 2^252 + 27742317777372353535851937790883648493, the order of the base point.
inline constexpr Words group_order = {{0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 0x1000000000000000}};

/// r = x / z, fully reduced; zero when z is zero.
template <class F>
void divide(Words& r, const typename F::Element& x, const typename F::Element& z) noexcept {
  typename F::Element quotient;
  F::store(r, z);
  modular_inverse(r.w, r.w, field_inverse_modulus);
  F::load(quotient, r);
  F::mul(quotient, quotient, x);
  F::store(r, quotient);
  base::wipe_object(quotient);
}

template <class F>
struct LadderState {
  typename F::Element x2, z2, x3, z3;
};

// (x2 : z2) is added to (x3 : z3), whose difference has the u coordinate x1, and replaced by its double, or
// by the other one's where `second` is set. The sum does not change when the two are exchanged, so nothing
// needs to be swapped.
template <class F>
inline void ladder_step(LadderState<F>& s, const typename F::Element& x1, ct::Mask second) noexcept {
  typename F::Element a, aa, b, bb, c, d, e;
  F::add(a, s.x2, s.z2);
  F::sub(b, s.x2, s.z2);
  F::add(c, s.x3, s.z3);
  F::sub(d, s.x3, s.z3);
  F::choose(aa, second, c, a);
  F::choose(bb, second, d, b);
  F::mul(d, d, a);
  F::mul(c, c, b);
  F::sqr(aa, aa);
  F::sqr(bb, bb);
  F::add(a, d, c);
  F::sub(b, d, c);
  F::sqr(s.x3, a);
  F::sqr(b, b);
  F::sub(e, aa, bb);
  F::mul(s.x2, aa, bb);
  F::mul_121665(a, e);
  F::add(a, a, aa);
  F::mul(s.z3, b, x1);
  F::mul(s.z2, a, e);
}

template <class F>
void ladder(Words& r, const Words& scalar, const Words& u) noexcept {
  SIGNET_KERNEL_RAN(F::kernel_name);
  typename F::Element x1;
  LadderState<F> s;
  F::load(x1, u);
  F::load(s.x2, {{1, 0, 0, 0}});
  F::load(s.z2, {{0, 0, 0, 0}});
  F::load(s.z3, {{1, 0, 0, 0}});
  s.x3 = x1;
  std::uint64_t previous = 0;
  for (int at = 254; at >= 0; at--) {
    const std::uint64_t bit = (scalar.w[at / 64] >> (at % 64)) & 1;
    ladder_step<F>(s, x1, ct::Mask::from_bit(bit ^ previous));
    previous = bit;
  }
  // The scalar is clamped: its lowest bit is zero, so the first point is the answer.
  divide<F>(r, s.x2, s.z2);
  base::wipe_object(s);
  base::wipe_object(x1);
}

/// (x / z, y / z) on edwards25519, with x y = z t.
template <class F>
struct EdwardsPoint {
  typename F::Element x, y, z, t;
};

/// A table entry in the field's own form.
template <class F>
struct EdwardsTerm {
  typename F::Element sum, difference, product;
};

// The strongly unified addition of Hisil, Wong, Carter and Dawson for a = -1 ("Twisted Edwards curves
// revisited", section 3.1), where the second z is 1. 7 multiplications.
template <class F>
inline void add_term(EdwardsPoint<F>& p, const EdwardsTerm<F>& q) noexcept {
  typename F::Element a, b, c, d, e, f, g, h;
  F::sub(a, p.y, p.x);
  F::mul(a, a, q.difference);
  F::add(b, p.y, p.x);
  F::mul(b, b, q.sum);
  F::mul(c, p.t, q.product);
  F::add(d, p.z, p.z);
  F::sub(e, b, a);
  F::sub(f, d, c);
  F::add_loose(g, d, c);
  F::add(h, b, a);
  F::mul(p.x, e, f);
  F::mul(p.y, g, h);
  F::mul(p.t, e, h);
  F::mul(p.z, f, g);
}

// The entry of a row that stands for `bits` (six, the lowest one taken as set). Every entry is read. A
// negative digit swaps y + x with y - x and negates the product.
template <class F>
inline void pick_term(EdwardsTerm<F>& r, const TableEntry* row, std::uint64_t bits) noexcept {
  const ct::Mask negative = ct::Mask::from_bit(~(bits >> base_width) & 1);
  const std::uint64_t half = (bits >> 1) & (base_entries - 1);
  TableEntry entry;
  F::select(entry, row, base_entries, half ^ (negative.word() & (base_entries - 1)));
  typename F::Element sum, difference, opposite;
  F::load(sum, entry.sum);
  F::load(difference, entry.difference);
  F::load(r.product, entry.product);
  F::load(opposite, {{0, 0, 0, 0}});
  F::sub(opposite, opposite, r.product);
  F::choose(r.sum, negative, difference, sum);
  F::choose(r.difference, negative, sum, difference);
  F::choose(r.product, negative, opposite, r.product);
}

// scalar, or scalar + L when it is even; below 2^256 for a scalar of 255 bits.
inline Words make_odd(const Words& scalar) noexcept {
  const std::uint64_t even = ct::Mask::from_bit(~scalar.w[0] & 1).word();
  Words odd;
  unsigned __int128 carry = 0;
  for (int i = 0; i < 4; i++) {
    carry += static_cast<unsigned __int128>(scalar.w[i]) + (group_order.w[i] & even);
    odd.w[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return odd;
}

inline std::uint64_t window(const Words& k, int at) noexcept {
  const int word = at / 64;
  const int shift = at % 64;
  const std::uint64_t high = shift == 0 || word == 3 ? 0 : k.w[word + 1] << (64 - shift);
  return ((k.w[word] >> shift) | high) & ((2 << base_width) - 1);
}

// The first term as a point: z = 2 scaled so that x y = z t without a division.
template <class F>
inline void start_at(EdwardsPoint<F>& p, const EdwardsTerm<F>& term) noexcept {
  typename F::Element x, y, two;
  F::load(two, {{2, 0, 0, 0}});
  F::sub(x, term.sum, term.difference);  // 2x
  F::add(y, term.sum, term.difference);  // 2y
  F::mul(p.t, x, y);
  F::mul(p.x, x, two);
  F::mul(p.y, y, two);
  F::mul(p.z, two, two);
}

template <class F>
void mul_base(Words& r, const Words& scalar) noexcept {
  SIGNET_KERNEL_RAN(F::kernel_name);
  Words k = make_odd(scalar);
  EdwardsPoint<F> sum;
  EdwardsTerm<F> term;
  // The last digit, of bit 255 alone, is 1 whatever that bit is.
  pick_term<F>(term, base_table[base_rows - 1], 1 << base_width);
  start_at<F>(sum, term);
  for (int row = base_rows - 2; row >= 0; row--) {
    pick_term<F>(term, base_table[row], window(k, row * base_width));
    add_term<F>(sum, term);
  }
  typename F::Element numerator, denominator;  // u = (1 + y) / (1 - y)
  F::add(numerator, sum.z, sum.y);
  F::sub(denominator, sum.z, sum.y);
  divide<F>(r, numerator, denominator);
  base::wipe_object(k);
  base::wipe_object(sum);
  base::wipe_object(term);
}

template <class F>
void field_mul(Words& r, const Words& a, const Words& b) noexcept {
  typename F::Element x, y;
  F::load(x, a);
  F::load(y, b);
  F::mul(x, x, y);
  F::store(r, x);
}

template <class F>
constexpr Kernel make_kernel() noexcept {
  return {F::kernel_name, field_mul<F>, ladder<F>, mul_base<F>};
}

}  // namespace signet::crypto::c25519

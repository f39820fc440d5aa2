// Four or eight numbers mod p = 2^255 - 19 side by side, one in each 64-bit lane, on AVX-512 IFMA. Constant
// time.
//
// A number is five limbs, limb k of weight 2^(51k). The instructions read the low 52 bits of both factors and
// add the low or the high 52 bits of the product to a lane. A high half of limbs i and j weighs 2^(51(i+j) +
// 52): twice column i + j + 1. Column k + 5 counts 19 times in column k, as 2^255 = 19.
//
// Bounds, with two sizes of limbs: reduced, below 2^51 + 2^14, and wide, below 2^60. Factors are reduced, so
// a low half is below 2^52 and a high half below (2^51 + 2^14)^2 / 2^52 < 2^50 + 2^14. Products are wide, by
// the counts of halves in a column (a doubled one counts twice), in units of 2^52 and without the 2^14:
//
//   column       0    1    2    3    4    5    6    7    8    9
//   low halves   1    2    3    4    5    4    3    2    1    -
//   high halves  -    1    2    3    4    5    4    3    2    1   (half a unit each)
//   sum          1   2.5   4   5.5   7   6.5   5   3.5   2   0.5
//   folded     124.5 97.5 70.5 43.5 16.5
//
// so that each limb is below 124.6 * 2^52, which is less than 2^59 - 2^53.
#pragma once

#if defined(__x86_64__)
#include <signet/crypto/kernels/x25519_kernels.hpp>
#include <signet/crypto/kernels/x86_64/avx512_intrinsics.hpp>

#define SIGNET_IFMA_TARGET __attribute__((target("avx512f,avx512vl,avx512ifma")))
#define SIGNET_IFMA SIGNET_IFMA_TARGET __attribute__((always_inline)) static inline

namespace signet::crypto::c25519::ifma {

constexpr std::uint64_t limb_mask = (std::uint64_t{1} << 51) - 1;

/// Eight lanes.
struct X8 {
  using Lanes = __m512i;
  SIGNET_IFMA Lanes all(std::uint64_t v) noexcept { return _mm512_set1_epi64(static_cast<long long>(v)); }
  SIGNET_IFMA Lanes lo(Lanes sum, Lanes a, Lanes b) noexcept { return _mm512_madd52lo_epu64(sum, a, b); }
  SIGNET_IFMA Lanes hi(Lanes sum, Lanes a, Lanes b) noexcept { return _mm512_madd52hi_epu64(sum, a, b); }
  SIGNET_IFMA Lanes add(Lanes a, Lanes b) noexcept { return _mm512_add_epi64(a, b); }
  SIGNET_IFMA Lanes low51(Lanes a) noexcept { return _mm512_and_si512(a, all(limb_mask)); }
  SIGNET_IFMA Lanes above51(Lanes a) noexcept { return _mm512_srli_epi64(a, 51); }
  SIGNET_IFMA Lanes times16(Lanes a) noexcept { return _mm512_slli_epi64(a, 4); }
};

/// Four lanes.
struct X4 {
  using Lanes = __m256i;
  SIGNET_IFMA Lanes all(std::uint64_t v) noexcept { return _mm256_set1_epi64x(static_cast<long long>(v)); }
  SIGNET_IFMA Lanes lo(Lanes sum, Lanes a, Lanes b) noexcept { return _mm256_madd52lo_epu64(sum, a, b); }
  SIGNET_IFMA Lanes hi(Lanes sum, Lanes a, Lanes b) noexcept { return _mm256_madd52hi_epu64(sum, a, b); }
  SIGNET_IFMA Lanes add(Lanes a, Lanes b) noexcept { return _mm256_add_epi64(a, b); }
  SIGNET_IFMA Lanes low51(Lanes a) noexcept { return _mm256_and_si256(a, all(limb_mask)); }
  SIGNET_IFMA Lanes above51(Lanes a) noexcept { return _mm256_srli_epi64(a, 51); }
  SIGNET_IFMA Lanes times16(Lanes a) noexcept { return _mm256_slli_epi64(a, 4); }
};

template <class X>
struct Limbs {
  typename X::Lanes l[5];
};

/// Reduced limbs of wide ones: each gives less than 2^9 to the next, the highest 19 times that, less than
/// 2^14, to the lowest.
template <class X>
SIGNET_IFMA Limbs<X> reduce(const Limbs<X>& a) noexcept {
  return {{X::lo(X::low51(a.l[0]), X::above51(a.l[4]), X::all(19)),
           X::add(X::low51(a.l[1]), X::above51(a.l[0])), X::add(X::low51(a.l[2]), X::above51(a.l[1])),
           X::add(X::low51(a.l[3]), X::above51(a.l[2])), X::add(X::low51(a.l[4]), X::above51(a.l[3]))}};
}

template <class X>
SIGNET_IFMA typename X::Lanes twice(typename X::Lanes a) noexcept {
  return X::add(a, a);
}

/// a + 2b
template <class X>
SIGNET_IFMA typename X::Lanes add_twice(typename X::Lanes a, typename X::Lanes b) noexcept {
  return X::add(a, twice<X>(b));
}

template <class X>
SIGNET_IFMA typename X::Lanes times19(typename X::Lanes a) noexcept {
  return X::add(add_twice<X>(a, a), X::times16(a));
}

/// a * b, each limb below 2^59. The columns that fold come first, so that times19 runs beside the others.
template <class X>
SIGNET_IFMA Limbs<X> mul(const Limbs<X>& a, const Limbs<X>& b) noexcept {
  using Lanes = typename X::Lanes;
  const Lanes zero = X::all(0);
  const Lanes a0 = a.l[0], a1 = a.l[1], a2 = a.l[2], a3 = a.l[3], a4 = a.l[4];
  const Lanes b0 = b.l[0], b1 = b.l[1], b2 = b.l[2], b3 = b.l[3], b4 = b.l[4];
  // l: low halves, h: high halves; u and v where a column has two sums.
  Lanes h5 = X::hi(zero, a1, b3);
  Lanes h6 = X::hi(zero, a1, b4);
  Lanes h7 = X::hi(zero, a2, b4);
  Lanes h8 = X::hi(zero, a3, b4);
  const Lanes h9 = X::hi(zero, a4, b4);
  Lanes l5 = X::lo(zero, a1, b4);
  Lanes l6 = X::lo(zero, a2, b4);
  Lanes l7 = X::lo(zero, a3, b4);
  const Lanes l8 = X::lo(zero, a4, b4);
  Lanes v5 = X::hi(zero, a2, b2);
  h5 = X::hi(h5, a3, b1);
  h6 = X::hi(h6, a2, b3);
  h7 = X::hi(h7, a3, b3);
  h8 = X::hi(h8, a4, b3);
  l5 = X::lo(l5, a2, b3);
  l6 = X::lo(l6, a3, b3);
  l7 = X::lo(l7, a4, b3);
  Lanes v6 = X::hi(zero, a3, b2);
  h7 = X::hi(h7, a4, b2);
  Lanes u5 = X::lo(zero, a3, b2);
  l6 = X::lo(l6, a4, b2);
  v5 = X::hi(v5, a4, b0);
  v6 = X::hi(v6, a4, b1);
  u5 = X::lo(u5, a4, b1);
  h5 = X::hi(h5, a0, b4);
  const Lanes f4 = times19<X>(twice<X>(h9));
  const Lanes f3 = times19<X>(add_twice<X>(l8, h8));
  const Lanes f2 = times19<X>(add_twice<X>(l7, h7));
  const Lanes f1 = times19<X>(add_twice<X>(l6, X::add(v6, h6)));
  const Lanes f0 = times19<X>(add_twice<X>(X::add(u5, l5), X::add(v5, h5)));
  Lanes h2 = X::hi(zero, a1, b0);
  Lanes h3 = X::hi(zero, a1, b1);
  Lanes h4 = X::hi(zero, a1, b2);
  Lanes l1 = X::lo(zero, a1, b0);
  Lanes l2 = X::lo(zero, a1, b1);
  Lanes l3 = X::lo(zero, a1, b2);
  Lanes l4 = X::lo(zero, a1, b3);
  Lanes u4 = X::lo(zero, a2, b2);
  h3 = X::hi(h3, a2, b0);
  h4 = X::hi(h4, a2, b1);
  l2 = X::lo(l2, a2, b0);
  l3 = X::lo(l3, a2, b1);
  const Lanes h1 = X::hi(zero, a0, b0);
  const Lanes v4 = X::hi(zero, a0, b3);
  h2 = X::hi(h2, a0, b1);
  h3 = X::hi(h3, a0, b2);
  h4 = X::hi(h4, a3, b0);
  l4 = X::lo(l4, a3, b1);
  l3 = X::lo(l3, a3, b0);
  u4 = X::lo(u4, a4, b0);
  const Lanes l0 = X::lo(zero, a0, b0);
  l1 = X::lo(l1, a0, b1);
  l2 = X::lo(l2, a0, b2);
  l3 = X::lo(l3, a0, b3);
  l4 = X::lo(l4, a0, b4);
  return {{X::add(l0, f0), X::add(l1, add_twice<X>(f1, h1)), X::add(l2, add_twice<X>(f2, h2)),
           X::add(l3, add_twice<X>(f3, h3)), X::add(l4, X::add(u4, add_twice<X>(f4, X::add(v4, h4))))}};
}

/// a * a, each limb below 2^59. A limb twice would pass 52 bits, so what counts once, twice and four times
/// has sums of its own: o, t and q. A high half of different limbs counts four times.
template <class X>
SIGNET_IFMA Limbs<X> sqr(const Limbs<X>& a) noexcept {
  using Lanes = typename X::Lanes;
  const Lanes zero = X::all(0);
  const Lanes a0 = a.l[0], a1 = a.l[1], a2 = a.l[2], a3 = a.l[3], a4 = a.l[4];
  Lanes t5 = X::lo(zero, a1, a4);
  Lanes q6 = X::hi(zero, a1, a4);
  Lanes t7 = X::lo(zero, a3, a4);
  const Lanes q7 = X::hi(zero, a2, a4);
  const Lanes q8 = X::hi(zero, a3, a4);
  const Lanes t9 = X::hi(zero, a4, a4);
  const Lanes o6 = X::lo(zero, a3, a3);
  const Lanes t6 = X::lo(zero, a2, a4);
  t5 = X::lo(t5, a2, a3);
  q6 = X::hi(q6, a2, a3);
  const Lanes o8 = X::lo(zero, a4, a4);
  t7 = X::hi(t7, a3, a3);
  const Lanes u5 = X::hi(zero, a2, a2);
  Lanes q5 = X::hi(zero, a1, a3);
  q5 = X::hi(q5, a0, a4);
  const Lanes f4 = times19<X>(twice<X>(t9));
  const Lanes f3 = times19<X>(add_twice<X>(o8, twice<X>(q8)));
  const Lanes f2 = times19<X>(twice<X>(add_twice<X>(t7, q7)));
  const Lanes f1 = times19<X>(add_twice<X>(o6, add_twice<X>(t6, q6)));
  const Lanes f0 = times19<X>(twice<X>(add_twice<X>(X::add(t5, u5), q5)));
  Lanes q4 = X::hi(zero, a1, a2);
  const Lanes q2 = X::hi(zero, a0, a1);
  const Lanes q3 = X::hi(zero, a0, a2);
  const Lanes o2 = X::lo(zero, a1, a1);
  const Lanes o4 = X::lo(zero, a2, a2);
  q4 = X::hi(q4, a0, a3);
  Lanes t3 = X::hi(zero, a1, a1);
  const Lanes u3 = X::lo(zero, a1, a2);
  Lanes t4 = X::lo(zero, a1, a3);
  const Lanes o0 = X::lo(zero, a0, a0);
  const Lanes t1 = X::hi(zero, a0, a0);
  const Lanes t2 = X::lo(zero, a0, a2);
  t3 = X::lo(t3, a0, a3);
  t4 = X::lo(t4, a0, a4);
  const Lanes u1 = X::lo(zero, a0, a1);
  return {{X::add(o0, f0), add_twice<X>(add_twice<X>(f1, t1), u1),
           add_twice<X>(add_twice<X>(X::add(o2, f2), twice<X>(q2)), t2),
           add_twice<X>(add_twice<X>(f3, add_twice<X>(u3, q3)), t3),
           add_twice<X>(add_twice<X>(X::add(o4, f4), twice<X>(q4)), t4)}};
}

/// A factor k that is used often: row i is 2^(51i) k, reduced, so that a product by rows has one column to
/// fold.
struct Factor {
  Limbs<X4> row[5];
};

/// For k with limbs below 2^51. So is limb 0 of every row, and in the next one 19 at most are added to it.
SIGNET_IFMA void make_factor(Factor& r, const Limbs<X4>& k) noexcept {
  r.row[0] = k;
  for (int i = 1; i < 5; i++) {
    const Limbs<X4>& last = r.row[i - 1];
    const X4::Lanes low = X4::low51(X4::lo(X4::all(0), last.l[4], X4::all(19)));
    // The high half of 38 times a limb is 19 times the limb over 2^51.
    const X4::Lanes next = X4::hi(last.l[0], last.l[4], X4::all(38));
    r.row[i] = {{low, next, last.l[1], last.l[2], last.l[3]}};
  }
}

struct Columns {
  X4::Lanes lo[5], hi[4];  // hi[k] counts twice in lo[k + 1]
};

SIGNET_IFMA void add_row(Columns& c, X4::Lanes a, const Limbs<X4>& b) noexcept {
  c.hi[0] = X4::hi(c.hi[0], a, b.l[0]);
  c.hi[1] = X4::hi(c.hi[1], a, b.l[1]);
  c.hi[2] = X4::hi(c.hi[2], a, b.l[2]);
  c.hi[3] = X4::hi(c.hi[3], a, b.l[3]);
  c.lo[0] = X4::lo(c.lo[0], a, b.l[0]);
  c.lo[1] = X4::lo(c.lo[1], a, b.l[1]);
  c.lo[2] = X4::lo(c.lo[2], a, b.l[2]);
  c.lo[3] = X4::lo(c.lo[3], a, b.l[3]);
  c.lo[4] = X4::lo(c.lo[4], a, b.l[4]);
}

/// a * k + more, for `more` below 2^59: at most 5 low halves, 5 high ones twice and, in limb 0, two more low
/// halves, so below 2^59 + 2^56. The high halves of column 4, u and v, are at most three to a sum and so
/// below 2^52 as factors must be; they count 38 times in column 0.
SIGNET_IFMA Limbs<X4> mul_add(const Limbs<X4>& a, const Factor& k, const Limbs<X4>& more) noexcept {
  using X = X4;
  const X::Lanes zero = X::all(0);
  const X::Lanes n38 = X::all(38);
  const Limbs<X4>* const row = k.row;
  Columns c = {{zero, zero, zero, zero, zero}, {zero, zero, zero, zero}};
  X::Lanes u = X::hi(zero, a.l[1], row[1].l[4]);
  X::Lanes v = X::hi(zero, a.l[2], row[2].l[4]);
  u = X::hi(u, a.l[3], row[3].l[4]);
  v = X::hi(v, a.l[4], row[4].l[4]);
  add_row(c, a.l[1], row[1]);
  v = X::hi(v, a.l[0], row[0].l[4]);
  add_row(c, a.l[2], row[2]);
  add_row(c, a.l[3], row[3]);
  const X::Lanes folded_low = X::lo(X::lo(more.l[0], u, n38), v, n38);
  const X::Lanes folded_high = X::hi(X::hi(zero, u, n38), v, n38);
  add_row(c, a.l[4], row[4]);
  add_row(c, a.l[0], row[0]);
  return {{X::add(c.lo[0], folded_low),
           X::add(c.lo[1], X::add(add_twice<X>(more.l[1], folded_high), twice<X>(c.hi[0]))),
           X::add(c.lo[2], add_twice<X>(more.l[2], c.hi[1])),
           X::add(c.lo[3], add_twice<X>(more.l[3], c.hi[2])),
           X::add(c.lo[4], add_twice<X>(more.l[4], c.hi[3]))}};
}

}  // namespace signet::crypto::c25519::ifma

#endif

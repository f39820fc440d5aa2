// Point formulas on y^2 = x^3 - 3x + b in Jacobian coordinates, over a field kernel F.
//
// None of them branches, and none is complete: each says which points it must not be given. The
// multiplications of p256_multiply.hpp show why they never are. Constant time.
#pragma once

#include <signet/crypto/kernels/p256_kernels.hpp>

namespace signet::crypto::p256 {

/// r = 2p, also for the point at infinity. `r` may be `p`. 4 multiplications, 4 squarings. With the slope
/// 3 (x - z^2)(x + z^2) halved, the new z is y z instead of 2 y z, and no other doubling is left.
template <class F>
inline void double_point(Jacobian& r, const Jacobian& p) noexcept {
  Fe zz, yy, slope, s, t;
  F::sqr(zz, p.z);
  F::sqr(yy, p.y);
  F::mul(r.z, p.z, p.y);
  F::add_weak(t, p.x, zz);
  F::sub(zz, p.x, zz);
  F::mul(slope, t, zz);
  F::mul(s, p.x, yy);
  F::three_halves(slope, slope);
  F::sqr(yy, yy);
  F::sqr(r.x, slope);
  F::sub(r.x, r.x, s);
  F::sub(r.x, r.x, s);
  F::sub(s, s, r.x);
  F::mul(s, s, slope);
  F::sub(r.y, s, yy);
}

/// What an addition finds on its way: the points have the same x when x_difference is zero, then y tells.
struct Differences {
  Fe x, y;
};

/// r = p + q, where p is not the point at infinity, q or -q. `r` may be `p`. 8 multiplications, 3 squarings.
template <class F>
inline Differences add_mixed(Jacobian& r, const Jacobian& p, const Affine& q) noexcept {
  Fe zz, hh, hhh, v;
  Differences d;
  F::sqr(zz, p.z);
  F::mul(d.x, q.x, zz);
  F::mul(zz, zz, p.z);
  F::sub(d.x, d.x, p.x);
  F::mul(d.y, q.y, zz);
  F::sub(d.y, d.y, p.y);
  F::mul(r.z, p.z, d.x);
  F::sqr(hh, d.x);
  F::mul(hhh, hh, d.x);
  F::mul(v, p.x, hh);
  F::mul(hh, p.y, hhh);
  F::sqr(r.x, d.y);
  F::sub(r.x, r.x, hhh);
  F::sub(r.x, r.x, v);
  F::sub(r.x, r.x, v);
  F::sub(v, v, r.x);
  F::mul(v, v, d.y);
  F::sub(r.y, v, hh);
  return d;
}

/// Two points with one z in common.
struct CommonZ {
  Fe x1, y1, x2, y2, z;
};

/// Point 1 is 2p and point 2 is p, with p's y as the common z. 2 multiplications, 4 squarings (Meloni's co-Z
/// doubling with the slope halved, as above).
template <class F>
inline void double_common_z(CommonZ& r, const Affine& p) noexcept {
  Fe slope;
  r.z = p.y;
  F::sqr(r.y2, p.y);
  F::mul(r.x2, p.x, r.y2);
  F::sqr(r.y2, r.y2);
  F::sqr(slope, p.x);
  F::sub(slope, slope, one);
  F::three_halves(slope, slope);
  F::sqr(r.x1, slope);
  F::sub(r.x1, r.x1, r.x2);
  F::sub(r.x1, r.x1, r.x2);
  F::sub(r.y1, r.x2, r.x1);
  F::mul(r.y1, r.y1, slope);
  F::sub(r.y1, r.y1, r.y2);
}

/// Point 2 becomes 1 + 2, point 1 stays as it is under the new z, which is `ratio` times the old one. The
/// points must differ in x. 5 multiplications, 2 squarings (Meloni's co-Z addition).
template <class F>
inline void add_common_z(CommonZ& p, Fe& ratio) noexcept {
  Fe c, w1, w2, slope;
  F::sub(ratio, p.x1, p.x2);
  F::mul(p.z, p.z, ratio);
  F::sqr(c, ratio);
  F::mul(w1, p.x1, c);
  F::mul(w2, p.x2, c);
  F::sub(slope, p.y1, p.y2);
  F::sub(c, w1, w2);
  F::mul(p.y1, p.y1, c);
  p.x1 = w1;
  F::sqr(p.x2, slope);
  F::sub(p.x2, p.x2, w1);
  F::sub(p.x2, p.x2, w2);
  F::sub(w1, w1, p.x2);
  F::mul(w1, w1, slope);
  F::sub(p.y2, w1, p.y1);
}

/// r = p / z given 1 / z.
template <class F>
inline void scale_to_affine(Affine& r, const Fe& x, const Fe& y, const Fe& z_inverse) noexcept {
  Fe zz;
  F::sqr(zz, z_inverse);
  F::mul(r.x, x, zz);
  F::mul(zz, zz, z_inverse);
  F::mul(r.y, y, zz);
}

}  // namespace signet::crypto::p256

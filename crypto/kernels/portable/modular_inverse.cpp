// How it works. A division step takes (delta, f, g), f odd, to
//
//     (1 - delta, g, (g - f) / 2)                    when delta > 0 and g is odd
//     (1 + delta, f, (g + (g odd ? f : 0)) / 2)      otherwise
//
// and started from delta = 1/2, f = m and g = a it has made g zero and f = +-gcd(m, a) after at most 590
// steps for numbers of 256 bits. 62 steps depend on the lowest 62 bits alone, so they are done on words,
// gathered in a matrix of integers below 2^62, and then applied at once to the long numbers: to (f, g), and
// modulo m to (d, e), which keep d * a = f and e * a = g. At the end a^-1 is d times f's sign.
//
// Long numbers are five limbs of 62 bits in two's complement; the highest one carries the sign. Bounds: f and
// g stay in (-2^256, 2^256), d and e in (-2m, m), the entries of the matrix satisfy |u| + |v| <= 2^62 and |q|
// + |r| <= 2^62.
#include <signet/base/bytes.hpp>
#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/portable/modular_inverse.hpp>

namespace signet::crypto {
namespace {

using i64 = std::int64_t;
using u64 = std::uint64_t;
using i128 = __int128;

constexpr int batch_steps = 62;
constexpr int batch_count = 10;  // 620 steps; 590 are enough
constexpr u64 low62 = ~u64{0} >> 2;

struct Long {
  i64 limb[5];
};

/// 2^62 times the effect of a batch: f' = (u f + v g) / 2^62, g' = (q f + r g) / 2^62.
struct Matrix {
  i64 u, v, q, r;
};

u64 sign_mask(i64 v) noexcept { return ct::barrier(static_cast<u64>(v >> 63)); }
i64 low_limb(i128 v) noexcept { return static_cast<i64>(static_cast<u64>(v) & low62); }
i128 product(i64 a, i64 b) noexcept { return i128{a} * b; }

// `zeta` is -(delta + 1/2), so that delta > 0 is its sign.
i64 run_batch(Matrix& t, i64 zeta, u64 f, u64 g) noexcept {
  u64 u = 1, v = 0, q = 0, r = 1;
  for (int i = 0; i < batch_steps; i++) {
    const u64 positive = sign_mask(zeta);
    const u64 odd = ct::barrier(u64{0} - (g & 1));
    // g += odd ? (positive ? -f : f) : 0, and the matrix rows alike.
    g += ((f ^ positive) - positive) & odd;
    q += ((u ^ positive) - positive) & odd;
    r += ((v ^ positive) - positive) & odd;
    // f takes g's old value in a swap, which is the new g plus f.
    const u64 swap = positive & odd;
    zeta = static_cast<i64>((static_cast<u64>(zeta) ^ swap) - 1);
    f += g & swap;
    u += q & swap;
    v += r & swap;
    g >>= 1;
    u <<= 1;
    v <<= 1;
  }
  t = {static_cast<i64>(u), static_cast<i64>(v), static_cast<i64>(q), static_cast<i64>(r)};
  return zeta;
}

// (f, g) = t (f, g) / 2^62; the division is exact.
void apply_to_fg(Long& f, Long& g, const Matrix& t) noexcept {
  i128 cf = product(t.u, f.limb[0]) + product(t.v, g.limb[0]);
  i128 cg = product(t.q, f.limb[0]) + product(t.r, g.limb[0]);
  for (int i = 1; i < 5; i++) {
    cf = (cf >> 62) + product(t.u, f.limb[i]) + product(t.v, g.limb[i]);
    cg = (cg >> 62) + product(t.q, f.limb[i]) + product(t.r, g.limb[i]);
    f.limb[i - 1] = low_limb(cf);
    g.limb[i - 1] = low_limb(cg);
  }
  f.limb[4] = static_cast<i64>(cf >> 62);
  g.limb[4] = static_cast<i64>(cg >> 62);
}

// How many times m to add to `low` (the lowest limb of a row's sum) to make it divisible by 2^62, given that
// `multiple` times m is added already for the signs of d and e. In (-2^62, multiple].
i64 clearing_multiple(i64 multiple, i128 low, const InverseModulus& m) noexcept {
  const u64 excess = m.inverse_mod_2_62 * static_cast<u64>(low) + static_cast<u64>(multiple);
  return multiple - static_cast<i64>(excess & low62);
}

// (d, e) = t (d, e) / 2^62 mod m. A negative d or e counts as d + m, so that the range (-2m, m) is kept.
void apply_to_de(Long& d, Long& e, const Matrix& t, const InverseModulus& m) noexcept {
  const u64 d_negative = sign_mask(d.limb[4]);
  const u64 e_negative = sign_mask(e.limb[4]);
  const auto masked = [](i64 a, u64 mask) { return static_cast<i64>(static_cast<u64>(a) & mask); };
  i128 cd = product(t.u, d.limb[0]) + product(t.v, e.limb[0]);
  i128 ce = product(t.q, d.limb[0]) + product(t.r, e.limb[0]);
  const i64 md = clearing_multiple(masked(t.u, d_negative) + masked(t.v, e_negative), cd, m);
  const i64 me = clearing_multiple(masked(t.q, d_negative) + masked(t.r, e_negative), ce, m);
  cd += product(m.limb[0], md);
  ce += product(m.limb[0], me);
  for (int i = 1; i < 5; i++) {
    cd = (cd >> 62) + product(t.u, d.limb[i]) + product(t.v, e.limb[i]) + product(m.limb[i], md);
    ce = (ce >> 62) + product(t.q, d.limb[i]) + product(t.r, e.limb[i]) + product(m.limb[i], me);
    d.limb[i - 1] = low_limb(cd);
    e.limb[i - 1] = low_limb(ce);
  }
  d.limb[4] = static_cast<i64>(cd >> 62);
  e.limb[4] = static_cast<i64>(ce >> 62);
}

void carry(Long& a) noexcept {
  for (int i = 0; i < 4; i++) {
    a.limb[i + 1] += a.limb[i] >> 62;
    a.limb[i] = static_cast<i64>(static_cast<u64>(a.limb[i]) & low62);
  }
}

void add_if_negative(Long& a, const InverseModulus& m) noexcept {
  const u64 negative = sign_mask(a.limb[4]);
  for (int i = 0; i < 5; i++) a.limb[i] += static_cast<i64>(static_cast<u64>(m.limb[i]) & negative);
  carry(a);
}

void negate_if(Long& a, u64 mask) noexcept {
  for (i64& limb : a.limb) limb = static_cast<i64>((static_cast<u64>(limb) ^ mask) - mask);
  carry(a);
}

// From (-2m, m), negated when f is negative, to [0, m).
void normalise(Long& d, const Long& f, const InverseModulus& m) noexcept {
  add_if_negative(d, m);  // now in (-m, m)
  negate_if(d, sign_mask(f.limb[4]));
  add_if_negative(d, m);
}

}  // namespace

void modular_inverse(std::uint64_t r[4], const std::uint64_t a[4], const InverseModulus& m) noexcept {
  const auto limb = [](u64 v) { return static_cast<i64>(v & low62); };
  Long f = {{m.limb[0], m.limb[1], m.limb[2], m.limb[3], m.limb[4]}};
  Long g = {{limb(a[0]), limb(a[0] >> 62 | a[1] << 2), limb(a[1] >> 60 | a[2] << 4),
             limb(a[2] >> 58 | a[3] << 6), limb(a[3] >> 56)}};
  Long d = {{0, 0, 0, 0, 0}};
  Long e = {{1, 0, 0, 0, 0}};
  Matrix t;
  i64 zeta = -1;
  for (int i = 0; i < batch_count; i++) {
    const u64 f_low = static_cast<u64>(f.limb[0]) | static_cast<u64>(f.limb[1]) << 62;
    const u64 g_low = static_cast<u64>(g.limb[0]) | static_cast<u64>(g.limb[1]) << 62;
    zeta = run_batch(t, zeta, f_low, g_low);
    apply_to_de(d, e, t, m);
    apply_to_fg(f, g, t);
  }
  normalise(d, f, m);
  const auto word = [&d](int i) { return static_cast<u64>(d.limb[i]); };
  r[0] = word(0) | word(1) << 62;
  r[1] = word(1) >> 2 | word(2) << 60;
  r[2] = word(2) >> 4 | word(3) << 58;
  r[3] = word(3) >> 6 | word(4) << 56;
  base::wipe_object(f);
  base::wipe_object(g);
  base::wipe_object(d);
  base::wipe_object(e);
  base::wipe_object(t);
}

}  // namespace signet::crypto

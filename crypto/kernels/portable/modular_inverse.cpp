// How it works. A division step takes (delta, f, g), f odd, to
//
//     (1 - delta, g, (g - f) / 2)                    when delta > 0 and g is odd
//     (1 + delta, f, (g + (g odd ? f : 0)) / 2)      otherwise
//
// and started from delta = 1/2, f = m and g = a it has made g zero and f = +-gcd(m, a) after at most 590
// steps for numbers of 256 bits. 20 steps depend on the lowest 20 bits alone, so they are done on words,
// gathered in a matrix of integers; three such matrices are multiplied to one of 60 steps, which is then
// applied to the long numbers: to (f, g), and modulo m to (d, e), which keep d * a = f and e * a = g. At the
// end a^-1 is d times f's sign.
//
// Long numbers are five limbs of 60 bits in two's complement; the highest one carries the sign. Bounds: f and
// g stay in (-2^256, 2^256), d and e in (-2m, m), the entries of the matrix satisfy |u| + |v| <= 2^60 and |q|
// + |r| <= 2^60.
#include <signet/base/bytes.hpp>
#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/portable/modular_inverse.hpp>

namespace signet::crypto {
namespace {

using i64 = std::int64_t;
using u64 = std::uint64_t;
using i128 = __int128;

constexpr int limb_bits = 60;
constexpr int batch_count = 10;  // 600 steps; 590 are enough
constexpr int packed_steps = limb_bits / 3;
constexpr u64 limb_mask = ~u64{0} >> (64 - limb_bits);

struct Long {
  i64 limb[5];
};

/// 2^60 (or 2^20) times the effect of as many steps: f' = (u f + v g) / 2^60, g' = (q f + r g) / 2^60.
struct Matrix {
  i64 u, v, q, r;
};

u64 sign_mask(i64 v) noexcept { return ct::barrier(static_cast<u64>(v >> 63)); }
i64 low_limb(i128 v) noexcept { return static_cast<i64>(static_cast<u64>(v) & limb_mask); }
i128 product(i64 a, i64 b) noexcept { return i128{a} * b; }

// A row of a matrix beside the low bits of its number, so that one operation does all three: the number in
// [-2^19, 2^19) at bit 0, and at bits 20 and 42 the entries, which 20 steps keep in [-2^20, 2^20]. They start
// as multiples of 2^20, so that halving is exact; the sum of two numbers that is halved is even.
constexpr int first_entry_at = 20;
constexpr int second_entry_at = 42;

i64 pack(u64 number, u64 first, u64 second) noexcept {
  const i64 low = static_cast<i64>(number << 44) >> 44;
  return static_cast<i64>(static_cast<u64>(low) + (first << first_entry_at) + (second << second_entry_at));
}
i64 first_entry(i64 packed) noexcept {
  const u64 rounded = static_cast<u64>(packed) + (u64{1} << (first_entry_at - 1));
  return static_cast<i64>(rounded << (64 - second_entry_at)) >> (64 - second_entry_at + first_entry_at);
}
i64 second_entry(i64 packed) noexcept {
  const u64 half = (u64{1} << (second_entry_at - 1)) + (u64{1} << (first_entry_at - 1));
  return static_cast<i64>(static_cast<u64>(packed) + half) >> second_entry_at;
}

// One step. `zeta` is -(delta + 1/2), so that delta > 0 is its sign.
inline void step(i64& f, i64& g, i64& zeta) noexcept {
#if defined(__x86_64__)
  // With conditional moves four cycles, with masks six.
  i64 term = f, minus_f, turned = ~zeta, swap = g;
  __asm__(
      "mov %[f], %[minus_f]\n\t"
      "neg %[minus_f]\n\t"
      "test %[zeta], %[zeta]\n\t"
      "cmovs %[minus_f], %[term]\n\t"
      "xor %k[minus_f], %k[minus_f]\n\t"
      "test $1, %b[g]\n\t"
      "cmovz %[minus_f], %[term]\n\t"  // +-f for an odd g, else 0
      "shl $63, %[swap]\n\t"
      "and %[zeta], %[swap]\n\t"
      "cmovs %[g], %[f]\n\t"
      "cmovs %[turned], %[zeta]\n\t"
      "add %[term], %[g]\n\t"
      "sar $1, %[g]\n\t"
      "dec %[zeta]"
      : [f] "+&r"(f), [g] "+&r"(g), [zeta] "+&r"(zeta), [term] "+&r"(term), [minus_f] "=&r"(minus_f),
        [swap] "+&r"(swap)
      : [turned] "r"(turned)
      : "cc");
#else
  const u64 positive = sign_mask(zeta);
  const u64 odd = ct::barrier(u64{0} - (static_cast<u64>(g) & 1));
  // g += odd ? (positive ? -f : f) : 0; then f takes g's old value in a swap, which is the new g plus f.
  const u64 sum = static_cast<u64>(g) + (((static_cast<u64>(f) ^ positive) - positive) & odd);
  const u64 swap = positive & odd;
  f = static_cast<i64>(static_cast<u64>(f) + (sum & swap));
  g = static_cast<i64>(sum) >> 1;
  zeta = static_cast<i64>((static_cast<u64>(zeta) ^ swap) - 1);
#endif
}

// 20 steps.
i64 run_packed(Matrix& t, i64 zeta, u64 f_low, u64 g_low) noexcept {
  constexpr u64 scale = u64{1} << packed_steps;
  i64 f = pack(f_low, scale, 0);
  i64 g = pack(g_low, 0, scale);
  for (int i = 0; i < packed_steps; i++) step(f, g, zeta);
  t = {first_entry(f), second_entry(f), first_entry(g), second_entry(g)};
  return zeta;
}

Matrix multiply(const Matrix& a, const Matrix& b) noexcept {
  return {a.u * b.u + a.v * b.q, a.u * b.v + a.v * b.r, a.q * b.u + a.r * b.q, a.q * b.v + a.r * b.r};
}

// The lowest words of (f, g) after the steps of t, right in as many bits as they had less 20.
void apply_to_low(u64& f, u64& g, const Matrix& t) noexcept {
  const u64 old = f;
  f = (static_cast<u64>(t.u) * old + static_cast<u64>(t.v) * g) >> packed_steps;
  g = (static_cast<u64>(t.q) * old + static_cast<u64>(t.r) * g) >> packed_steps;
}

i64 run_batch(Matrix& t, i64 zeta, u64 f, u64 g) noexcept {
  Matrix last;
  zeta = run_packed(last, zeta, f, g);
  t = last;
  for (int i = 1; i < limb_bits / packed_steps; i++) {
    apply_to_low(f, g, last);
    zeta = run_packed(last, zeta, f, g);
    t = multiply(last, t);
  }
  base::wipe_object(last);
  return zeta;
}

// (f, g) = t (f, g) / 2^60; the division is exact.
void apply_to_fg(Long& f, Long& g, const Matrix& t) noexcept {
  i128 cf = product(t.u, f.limb[0]) + product(t.v, g.limb[0]);
  i128 cg = product(t.q, f.limb[0]) + product(t.r, g.limb[0]);
  for (int i = 1; i < 5; i++) {
    cf = (cf >> limb_bits) + product(t.u, f.limb[i]) + product(t.v, g.limb[i]);
    cg = (cg >> limb_bits) + product(t.q, f.limb[i]) + product(t.r, g.limb[i]);
    f.limb[i - 1] = low_limb(cf);
    g.limb[i - 1] = low_limb(cg);
  }
  f.limb[4] = static_cast<i64>(cf >> limb_bits);
  g.limb[4] = static_cast<i64>(cg >> limb_bits);
}

// How many times m to add to `low` (the lowest limb of a row's sum) to make it divisible by 2^60, given that
// `multiple` times m is added already for the signs of d and e. In (-2^60, multiple].
i64 clearing_multiple(i64 multiple, i128 low, const InverseModulus& m) noexcept {
  const u64 excess = m.inverse_mod_2_60 * static_cast<u64>(low) + static_cast<u64>(multiple);
  return multiple - static_cast<i64>(excess & limb_mask);
}

// (d, e) = t (d, e) / 2^60 mod m. A negative d or e counts as d + m, so that the range (-2m, m) is kept.
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
    cd = (cd >> limb_bits) + product(t.u, d.limb[i]) + product(t.v, e.limb[i]) + product(m.limb[i], md);
    ce = (ce >> limb_bits) + product(t.q, d.limb[i]) + product(t.r, e.limb[i]) + product(m.limb[i], me);
    d.limb[i - 1] = low_limb(cd);
    e.limb[i - 1] = low_limb(ce);
  }
  d.limb[4] = static_cast<i64>(cd >> limb_bits);
  e.limb[4] = static_cast<i64>(ce >> limb_bits);
}

void carry(Long& a) noexcept {
  for (int i = 0; i < 4; i++) {
    a.limb[i + 1] += a.limb[i] >> limb_bits;
    a.limb[i] = static_cast<i64>(static_cast<u64>(a.limb[i]) & limb_mask);
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
  const auto limb = [](u64 v) { return static_cast<i64>(v & limb_mask); };
  Long f = {{m.limb[0], m.limb[1], m.limb[2], m.limb[3], m.limb[4]}};
  Long g = {{limb(a[0]), limb(a[0] >> 60 | a[1] << 4), limb(a[1] >> 56 | a[2] << 8),
             limb(a[2] >> 52 | a[3] << 12), limb(a[3] >> 48)}};
  Long d = {{0, 0, 0, 0, 0}};
  Long e = {{1, 0, 0, 0, 0}};
  Matrix t;
  i64 zeta = -1;
  for (int i = 0; i < batch_count; i++) {
    zeta = run_batch(t, zeta, static_cast<u64>(f.limb[0]), static_cast<u64>(g.limb[0]));
    apply_to_fg(f, g, t);
    apply_to_de(d, e, t, m);
  }
  normalise(d, f, m);
  const auto word = [&d](int i) { return static_cast<u64>(d.limb[i]); };
  r[0] = word(0) | word(1) << 60;
  r[1] = word(1) >> 4 | word(2) << 56;
  r[2] = word(2) >> 8 | word(3) << 52;
  r[3] = word(3) >> 12 | word(4) << 48;
  base::wipe_object(f);
  base::wipe_object(g);
  base::wipe_object(d);
  base::wipe_object(e);
  base::wipe_object(t);
}

}  // namespace signet::crypto

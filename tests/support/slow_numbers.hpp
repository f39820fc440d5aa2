// Arithmetic modulo a 256-bit number and on P-256, as slow and plain as can be: what fast kernels are
// compared with.
#pragma once

#include <array>

#include <signet/tests/support/hex.hpp>

namespace signet::test {

/// A 256-bit number, least word first.
using Number = std::array<std::uint64_t, 4>;

/// From 64 hexadecimal digits or fewer.
inline Number number(std::string_view hex) {
  Number n{};
  for (const char c : hex) {
    for (int i = 3; i > 0; i--) {
      const auto at = static_cast<std::size_t>(i);
      n[at] = (n[at] << 4) | (n[at - 1] >> 60);
    }
    n[0] = (n[0] << 4) | hex_digit(c);
  }
  return n;
}

inline bool bit(const Number& n, int at) {
  return ((n[static_cast<std::size_t>(at / 64)] >> (at % 64)) & 1) != 0;
}

inline bool is_less(const Number& a, const Number& b) {
  for (std::size_t i = 4; i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

/// a + b modulo 2^256, and the carry.
inline Number wrapping_add(const Number& a, const Number& b, bool& carry) {
  Number r;
  carry = false;
  for (std::size_t i = 0; i < 4; i++) {
    const std::uint64_t partial = a[i] + b[i];
    r[i] = partial + (carry ? 1 : 0);
    carry = partial < a[i] || r[i] < partial;
  }
  return r;
}

inline Number wrapping_sub(const Number& a, const Number& b) {
  Number r;
  bool borrow = false;
  for (std::size_t i = 0; i < 4; i++) {
    const std::uint64_t partial = a[i] - b[i];
    r[i] = partial - (borrow ? 1 : 0);
    borrow = a[i] < b[i] || (borrow && partial == 0);
  }
  return r;
}

/// Numbers modulo `m`, which is above 2^254. Operands are below m; reduce() makes them so.
struct Modular {
  Number m;

  [[nodiscard]] Number reduce(Number a) const {
    while (!is_less(a, m)) a = wrapping_sub(a, m);
    return a;
  }
  [[nodiscard]] Number add(const Number& a, const Number& b) const {
    bool carry = false;
    const Number sum = wrapping_add(a, b, carry);
    return carry || !is_less(sum, m) ? wrapping_sub(sum, m) : sum;
  }
  [[nodiscard]] Number sub(const Number& a, const Number& b) const { return add(a, negate(b)); }
  [[nodiscard]] Number negate(const Number& a) const { return a == Number{} ? a : wrapping_sub(m, a); }
  [[nodiscard]] Number mul(const Number& a, const Number& b) const {
    Number r{};
    for (int i = 255; i >= 0; i--) {
      r = add(r, r);
      if (bit(b, i)) r = add(r, a);
    }
    return r;
  }
  /// a / 2 for an odd m.
  [[nodiscard]] Number half(Number a) const {
    bool carry = false;
    if (bit(a, 0)) a = wrapping_add(a, m, carry);
    for (std::size_t i = 0; i < 3; i++) a[i] = (a[i] >> 1) | (a[i + 1] << 63);
    a[3] = (a[3] >> 1) | (carry ? std::uint64_t{1} << 63 : 0);
    return a;
  }
  /// 1 / a for a prime m and an a that is not zero, by Euclid's algorithm with halvings: a * x = u and a * y
  /// = v hold throughout.
  [[nodiscard]] Number inverse(const Number& a) const {
    const Modular integers{};  // for u / 2 of an even u
    Number u = a, v = m, x{1}, y{};
    while (u != Number{1} && v != Number{1}) {
      for (; !bit(u, 0); u = integers.half(u)) x = half(x);
      for (; !bit(v, 0); v = integers.half(v)) y = half(y);
      if (is_less(u, v)) {
        v = wrapping_sub(v, u);
        y = sub(y, x);
      } else {
        u = wrapping_sub(u, v);
        x = sub(x, y);
      }
    }
    return u == Number{1} ? x : y;
  }
};

/// P-256 (SEC 2 section 2.4.2), by the affine addition law that school books have.
struct SlowP256 {
  struct Point {
    Number x{}, y{};
    bool infinity = false;
    bool operator==(const Point&) const = default;
  };

  Modular field{number("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")};
  Modular order{number("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")};
  Number b = number("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b");
  Point base{number("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
             number("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")};

  [[nodiscard]] Point negate(const Point& p) const { return {p.x, field.negate(p.y), p.infinity}; }

  [[nodiscard]] Point add(const Point& p, const Point& q) const {
    if (p.infinity) return q;
    if (q.infinity) return p;
    Number slope;
    if (p.x == q.x) {
      if (p.y != q.y || p.y == Number{}) return {{}, {}, true};
      const Number xx = field.mul(p.x, p.x);
      const Number numerator = field.sub(field.add(field.add(xx, xx), xx), Number{3});
      slope = field.mul(numerator, field.inverse(field.add(p.y, p.y)));
    } else {
      slope = field.mul(field.sub(q.y, p.y), field.inverse(field.sub(q.x, p.x)));
    }
    const Number x = field.sub(field.sub(field.mul(slope, slope), p.x), q.x);
    return {x, field.sub(field.mul(slope, field.sub(p.x, x)), p.y), false};
  }
  [[nodiscard]] Point mul(const Number& k, const Point& p) const {
    Point sum{{}, {}, true};
    for (int i = 255; i >= 0; i--) {
      sum = add(sum, sum);
      if (bit(k, i)) sum = add(sum, p);
    }
    return sum;
  }
};

/// A stream of numbers from a seed (xorshift64*), so that a failure repeats.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t word() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1d;
  }
  Number number() { return {word(), word(), word(), word()}; }

 private:
  std::uint64_t state_;
};

}  // namespace signet::test

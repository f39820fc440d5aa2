// The generated tables of odd multiples, re-derived by slow arithmetic, and the tables that are built for a
// key.
#include <memory>

#include <doctest/doctest.h>

#include <signet/crypto/kernels/p256_kernels.hpp>
#include <signet/crypto/kernels/x25519_kernels.hpp>
#include <signet/tests/support/slow_numbers.hpp>

using namespace signet;
using namespace signet::crypto;
using test::Modular;
using test::Number;

namespace {

const test::SlowP256 curve;
using Point = test::SlowP256::Point;

/// Out of Montgomery form.
Point slow_point(const p256::Affine& p) {
  static const Number r_inverse = curve.field.inverse(test::wrapping_sub({}, curve.field.m));  // 2^256 - p
  const auto plain = [](const p256::Fe& a) {
    return curve.field.mul({a.w[0], a.w[1], a.w[2], a.w[3]}, r_inverse);
  };
  return {plain(p.x), plain(p.y), false};
}

Point doubled(Point p, int times) {
  for (int i = 0; i < times; i++) p = curve.add(p, p);
  return p;
}

/// edwards25519 (RFC 8032 section 5.1) by its affine addition law.
struct SlowEdwards {
  struct Point {
    Number x, y;
  };
  Modular field{test::number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed")};
  Number d = test::number("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3");
  Point base{test::number("216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a"),
             test::number("6666666666666666666666666666666666666666666666666666666666666658")};

  [[nodiscard]] Point add(const Point& p, const Point& q) const {
    const Number xx = field.mul(p.x, q.x), yy = field.mul(p.y, q.y);
    const Number cross = field.mul(d, field.mul(xx, yy));
    const Number x = field.add(field.mul(p.x, q.y), field.mul(q.x, p.y));
    const Number y = field.add(yy, xx);
    return {field.mul(x, field.inverse(field.add({1}, cross))),
            field.mul(y, field.inverse(field.sub({1}, cross)))};
  }
};

}  // namespace

TEST_CASE("p256 table: every entry is (2j + 1) 2^(7i) G") {
  Point start = curve.base;
  for (int row = 0; row < p256::base_rows; row++) {
    const Point twice = curve.add(start, start);
    Point expected = start;
    for (int j = 0; j < p256::base_entries; j++) {
      REQUIRE(slow_point(p256::base_table[row][j]) == expected);
      expected = curve.add(expected, twice);
    }
    start = doubled(start, p256::base_width);
  }
}

TEST_CASE("edwards25519 table: every entry is (2j + 1) 2^(5i) B") {
  const SlowEdwards edwards;
  const auto words = [](const c25519::Words& a) { return Number{a.w[0], a.w[1], a.w[2], a.w[3]}; };
  const Modular& field = edwards.field;
  const Number twice_d = field.add(edwards.d, edwards.d);
  SlowEdwards::Point start = edwards.base;
  for (int row = 0; row < c25519::base_rows; row++) {
    const SlowEdwards::Point twice = edwards.add(start, start);
    SlowEdwards::Point expected = start;
    for (int j = 0; j < c25519::base_entries; j++) {
      const c25519::TableEntry& entry = c25519::base_table[row][j];
      REQUIRE(words(entry.sum) == field.add(expected.y, expected.x));
      REQUIRE(words(entry.difference) == field.sub(expected.y, expected.x));
      REQUIRE(words(entry.product) == field.mul(twice_d, field.mul(expected.x, expected.y)));
      expected = edwards.add(expected, twice);
    }
    for (int i = 0; i < c25519::base_width; i++) start = edwards.add(start, start);
  }
}

TEST_CASE("p256 table of a key: every entry is (2j + 1) 2^(14 i) Q, on every kernel") {
  const p256::Affine& q = p256::base_table[3][5];
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    const auto table = std::make_unique<p256::OddMultiples>();
    kernel->build_table_vartime(*table, q);
    Point start = slow_point(q);
    for (const auto& part : table->part) {
      const Point twice = curve.add(start, start);
      Point expected = start;
      for (const p256::Affine& entry : part) {
        REQUIRE(slow_point(entry) == expected);
        expected = curve.add(expected, twice);
      }
      start = doubled(start, p256::table_spacing_bits);
    }
  }
}

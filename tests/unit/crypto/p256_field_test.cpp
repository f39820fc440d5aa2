// The field of P-256 and the inversion by division steps, on every kernel, against slow arithmetic.
#include <doctest/doctest.h>

#include <signet/crypto/kernels/p256_kernels.hpp>
#include <signet/crypto/kernels/portable/modular_inverse.hpp>
#include <signet/crypto/p256_scalar.hpp>
#include <signet/tests/support/slow_numbers.hpp>

using namespace signet;
using namespace signet::crypto;
using p256::Fe;
using test::Modular;
using test::Number;

namespace {

const test::SlowP256 curve;

Fe fe(const Number& n) { return {{n[0], n[1], n[2], n[3]}}; }
Number plain(const Fe& a) { return {a.w[0], a.w[1], a.w[2], a.w[3]}; }

/// Numbers around 0, the modulus and 2^256, with long runs of ones and zeros, and random ones.
std::vector<Number> operands(const Number& m, std::uint64_t seed) {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  bool carry = false;
  std::vector<Number> list = {{},
                              {1},
                              {2},
                              test::wrapping_sub(m, {1}),
                              test::wrapping_sub(m, {2}),
                              m,
                              test::wrapping_add(m, {1}, carry),
                              {ones, ones, ones, ones},
                              {0, ones, 0, ones},
                              {ones, 0, ones, 0},
                              {0, 0, ones, ones},
                              {ones, ones, 0, 0},
                              {0x00000000ffffffff, 0xffffffff00000000, ones, 0},
                              {0, 0, 0, 1ULL << 63},
                              {1, 0, 0, 0xffffffff00000000}};
  test::Numbers random(seed);
  for (int i = 0; i < 10; i++) list.push_back(random.number());
  return list;
}

}  // namespace

TEST_CASE("p256 field: every kernel agrees with slow arithmetic") {
  const Modular& field = curve.field;
  const Number r_inverse = field.inverse(field.negate(test::wrapping_sub(field.m, plain(p256::one))));
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    for (const Number& any : operands(field.m, 1)) {
      for (const Number& other : operands(field.m, 2)) {
        const Number a = field.reduce(any);
        const Number b = field.reduce(other);
        Fe r;
        kernel->mul(r, fe(any), fe(b));  // the first operand may be any number
        CHECK(plain(r) == field.mul(field.mul(a, b), r_inverse));
        kernel->add(r, fe(a), fe(b));
        CHECK(plain(r) == field.add(a, b));
        kernel->sub(r, fe(a), fe(b));
        CHECK(plain(r) == field.sub(a, b));
      }
    }
  }
}

TEST_CASE("p256 field: squares and halves") {
  const Modular& field = curve.field;
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    for (const Number& any : operands(field.m, 3)) {
      const Fe a = fe(field.reduce(any));
      Fe square, product, half, sum;
      kernel->sqr(square, a);
      kernel->mul(product, a, a);
      CHECK(plain(square) == plain(product));
      kernel->half(half, a);
      CHECK(test::is_less(plain(half), field.m));
      kernel->add(sum, half, half);
      CHECK(plain(sum) == plain(a));
    }
  }
}

TEST_CASE("p256 field: results may be the operands") {
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    test::Numbers random(4);
    const Fe a = fe(curve.field.reduce(random.number()));
    const Fe b = fe(curve.field.reduce(random.number()));
    for (const auto operation : {kernel->mul, kernel->add, kernel->sub}) {
      Fe apart, first = a, second = b;
      operation(apart, a, b);
      operation(first, first, b);
      operation(second, a, second);
      CHECK(plain(first) == plain(apart));
      CHECK(plain(second) == plain(apart));
    }
    for (const auto operation : {kernel->sqr, kernel->half}) {
      Fe apart, same = a;
      operation(apart, a);
      operation(same, same);
      CHECK(plain(same) == plain(apart));
    }
  }
}

TEST_CASE("p256 scalars agree with slow arithmetic") {
  const Modular& order = curve.order;
  const auto scalar = [](const Number& n) { return p256::Scalar{{n[0], n[1], n[2], n[3]}}; };
  const auto value = [](const p256::Scalar& s) { return Number{s.w[0], s.w[1], s.w[2], s.w[3]}; };
  for (const Number& any : operands(order.m, 5)) {
    const Number a = order.reduce(any);
    CHECK(value(p256::reduce_once(scalar(any))) == a);
    CHECK((p256::is_valid_scalar(scalar(any)).bit() != 0) == (any == a && any != Number{}));
    CHECK(value(p256::invert(scalar(a))) == (a == Number{} ? a : order.inverse(a)));
    for (const Number& other : operands(order.m, 6)) {
      const Number b = order.reduce(other);
      CHECK(value(p256::add(scalar(a), scalar(b))) == order.add(a, b));
      CHECK(value(p256::mul(scalar(a), scalar(b))) == order.mul(a, b));
    }
  }
}

TEST_CASE("modular inverse: a times its inverse is 1 for both primes of the field kernels") {
  static constexpr InverseModulus p25519 = make_inverse_modulus(0xffffffffffffffed, ~0ULL, ~0ULL, ~0ULL >> 1);
  static constexpr InverseModulus p256_prime = make_inverse_modulus(~0ULL, 0xffffffff, 0, 0xffffffff00000001);
  const Modular fields[] = {curve.field, {{0xffffffffffffffed, ~0ULL, ~0ULL, ~0ULL >> 1}}};
  const InverseModulus* moduli[] = {&p256_prime, &p25519};
  for (std::size_t f = 0; f < 2; f++) {
    for (const Number& any : operands(fields[f].m, 7)) {
      Number r = fields[f].reduce(any);
      const Number a = r;
      modular_inverse(r.data(), r.data(), *moduli[f]);
      CHECK(test::is_less(r, fields[f].m));
      CHECK(fields[f].mul(a, r) == (a == Number{} ? a : Number{1}));
    }
  }
}

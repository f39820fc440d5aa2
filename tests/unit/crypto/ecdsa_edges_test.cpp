// ECDSA where r and s are at the ends of their ranges, on every kernel and with and without a table.
#include <memory>

#include <doctest/doctest.h>

#include <signet/crypto/p256.hpp>
#include <signet/crypto/p256_scalar.hpp>
#include <signet/tests/support/slow_numbers.hpp>

using namespace signet;
using namespace signet::crypto;
using test::Number;
using test::number;

namespace {

using Octets = std::vector<std::uint8_t>;
using Point = test::SlowP256::Point;

const test::SlowP256 curve;
const Number digest_number = number("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");

Octets octets_of(const Number& n) {
  Octets octets(32);
  p256::store_be(octets.data(), n.data());
  return octets;
}

Number sum_of(const Number& a, const Number& b) {
  bool carry = false;
  return test::wrapping_add(a, b, carry);
}

/// The key under which r and s make a verifier find `point`: (s * point - e * G) / r, modulo the order.
P256PublicKey key_that_finds(const Point& point, const Number& r, const Number& s) {
  const Number inverse = curve.order.inverse(curve.order.reduce(r));
  const auto key =
      curve.add(curve.mul(curve.order.mul(curve.order.reduce(s), inverse), point),
                curve.mul(curve.order.mul(curve.order.negate(digest_number), inverse), curve.base));
  Octets encoded(p256_point_bytes, 4);
  p256::store_be(encoded.data() + 1, key.x.data());
  p256::store_be(encoded.data() + 33, key.y.data());
  return P256PublicKey::parse_vartime(encoded).value();
}

/// Whether the verifier says `expected` of r and s that lead it to `point`.
void check_found(const Point& point, const Number& r, const Number& s, bool expected) {
  const P256PublicKey key = key_that_finds(point, r, s);
  const Octets digest = octets_of(digest_number);
  EcdsaSignature signature;
  p256::store_be(signature.r, r.data());
  p256::store_be(signature.s, s.data());
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    const auto table = std::make_unique<P256VerifyTable>(P256VerifyTable::build_vartime(key, *kernel));
    CHECK(p256_verify_vartime(key, digest, signature, *kernel) == expected);
    CHECK(table->verify_vartime(digest, signature) == expected);
  }
}

// x is 5, the smallest there is; n + 3; and n + r for the first r with which the lowest word carries.
const Point small_x = {Number{5}, number("459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc")};
const Point above_order = {number("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632554"),
                           number("484f0c0fda434ef0a808458914f328715d7a545e198ac7eee31dffe861b5d23f")};
const Point with_carry = {number("ffffffff00000000ffffffffffffffffbce6faada7179e850000000000000003"),
                          number("e55e87289461a25019c61580c2a1923a0eccacf6af361345d1d3a13427dc513e")};

}  // namespace

TEST_CASE("ecdsa edges: r + n carries from word to word") {
  check_found(with_carry, number("0c46353d039cdab2"), {11}, true);
}

TEST_CASE("ecdsa edges: r + n of the field's prime and more is no x coordinate") {
  const Number prime_less_order = test::wrapping_sub(curve.field.m, curve.order.m);
  check_found(small_x, {5}, {11}, true);
  check_found(small_x, sum_of(prime_less_order, {5}), {11}, false);                       // r + n = p + x
  check_found(small_x, sum_of(test::wrapping_sub({}, curve.order.m), {5}), {11}, false);  // r + n = 2^256 + x
}

TEST_CASE("ecdsa edges: r and s of the order and more are refused, though they are right modulo it") {
  check_found(above_order, {3}, {11}, true);
  check_found(above_order, above_order.x, {11}, false);
  check_found(small_x, {5}, sum_of(curve.order.m, {11}), false);
  check_found(small_x, sum_of(curve.order.m, {5}), {11}, false);
}

TEST_CASE("ecdsa edges: a zero is read from DER, and refused by the verifier") {
  const auto read = [](std::string_view hex) { return ecdsa_from_der_vartime(test::from_hex(hex)); };
  const P256PublicKey key = key_that_finds(small_x, {5}, {11});
  for (const char* hex : {"3006020100020101", "3006020101020100", "3006020100020100"}) {
    REQUIRE(read(hex));
    CHECK_FALSE(p256_verify_vartime(key, octets_of(digest_number), *read(hex)));
  }
}

// P-256 points, key pairs and ECDH on every kernel.
#include <doctest/doctest.h>

#include <signet/crypto/p256.hpp>
#include <signet/crypto/p256_scalar.hpp>
#include <signet/tests/support/slow_numbers.hpp>

using namespace signet;
using namespace signet::crypto;
using test::from_hex;
using test::Number;
using test::to_hex;

namespace {

const test::SlowP256 curve;

using Octets = std::vector<std::uint8_t>;

Octets octets(const Number& n) {
  Octets out(32);
  p256::store_be(out.data(), n.data());
  return out;
}

Octets octets(const test::SlowP256::Point& p) {
  Octets out = {4};
  for (const Number& n : {p.x, p.y}) {
    for (const std::uint8_t octet : octets(n)) out.push_back(octet);
  }
  return out;
}

Octets written(const P256PublicKey& key) {
  Octets out(p256_point_bytes);
  key.write(std::span<std::uint8_t, p256_point_bytes>(out));
  return out;
}

std::optional<P256PrivateKey> private_key(const Number& k, const p256::Kernel& kernel) {
  const Octets scalar = octets(k);
  return P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32>(scalar.data(), 32), kernel);
}

/// Where digits, carries and parity are at their ends: 1, 2, n-1, n-2, powers of two, all digits zero but the
/// highest, all digits of the largest absolute value.
std::vector<Number> edge_scalars() {
  std::vector<Number> list = {
      {1},
      {2},
      {3},
      test::wrapping_sub(curve.order.m, {1}),
      test::wrapping_sub(curve.order.m, {2}),
      test::wrapping_sub(curve.order.m, {3}),
      test::number("f000000000000000000000000000000000000000000000000000000000000000"),
      test::number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
      test::number("00000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffff")};
  for (const int power : {7, 14, 35, 63, 64, 128, 245, 251, 252, 254, 255}) {
    Number n{};
    n[static_cast<std::size_t>(power / 64)] = 1ULL << (power % 64);
    list.push_back(n);
  }
  return list;
}

}  // namespace

TEST_CASE("p256: edge scalars times the base point, on every kernel") {
  for (const Number& k : edge_scalars()) {
    const Octets expected = octets(curve.mul(k, curve.base));
    for (const p256::Kernel* kernel : p256::kernels()) {
      CAPTURE(kernel->name);
      const auto key = private_key(k, *kernel);
      REQUIRE(key);
      CHECK(to_hex(written(key->public_key())) == to_hex(expected));
      CHECK(to_hex(key->scalar()) == to_hex(octets(k)));
    }
  }
}

TEST_CASE("p256: edge scalars times a point, on every kernel") {
  const auto point = curve.mul({0x1234567}, curve.base);
  const auto peer = P256PublicKey::parse_vartime(octets(point));
  REQUIRE(peer);
  for (const Number& k : edge_scalars()) {
    const Octets expected = octets(curve.mul(k, point).x);
    for (const p256::Kernel* kernel : p256::kernels()) {
      CAPTURE(kernel->name);
      Octets shared(32);
      p256_ecdh(std::span<std::uint8_t, 32>(shared), private_key(k, *kernel).value(), *peer, *kernel);
      CHECK(to_hex(shared) == to_hex(expected));
    }
  }
}

TEST_CASE("p256: the kernels agree on random scalars") {
  test::Numbers random(8);
  for (int i = 0; i < 50; i++) {
    const Number k = curve.order.reduce(random.number());
    const Octets first = written(private_key(k, *p256::kernels().front())->public_key());
    CHECK(to_hex(first) == to_hex(written(private_key(k, p256::portable_kernel)->public_key())));
  }
}

TEST_CASE("p256: both sides of an ECDH agree") {
  test::Numbers random(9);
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    const auto a = private_key(curve.order.reduce(random.number()), *kernel);
    const auto b = private_key(curve.order.reduce(random.number()), *kernel);
    std::uint8_t ab[32], ba[32];
    p256_ecdh(ab, *a, b->public_key(), *kernel);
    p256_ecdh(ba, *b, a->public_key(), *kernel);
    CHECK(to_hex(ab) == to_hex(ba));
  }
}

TEST_CASE("p256: the first case of NIST's ECC CDH vectors") {
  const auto peer = P256PublicKey::parse_vartime(
      from_hex("04700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287"
               "db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac"));
  REQUIRE(peer);
  const auto key =
      private_key(test::number("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534"),
                  *p256::kernels().front());
  REQUIRE(key);
  CHECK(to_hex(written(key->public_key())) ==
        "04ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230"
        "28af61281fd35e2fa7002523acc85a429cb06ee6648325389f59edfce1405141");
  std::uint8_t shared[32];
  p256_ecdh(shared, *key, *peer);
  CHECK(to_hex(shared) == "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b");
}

TEST_CASE("p256: scalars out of range are refused") {
  bool carry = false;
  const Number ones = {~0ULL, ~0ULL, ~0ULL, ~0ULL};
  for (const Number& k : {Number{}, curve.order.m, test::wrapping_add(curve.order.m, {1}, carry), ones}) {
    CHECK_FALSE(private_key(k, *p256::kernels().front()));
  }
  CHECK(private_key({1}, *p256::kernels().front()));
}

TEST_CASE("p256: points are written as they were read") {
  const Octets point = octets(curve.base);
  const auto key = P256PublicKey::parse_vartime(point);
  REQUIRE(key);
  CHECK(to_hex(written(*key)) == to_hex(point));
}

TEST_CASE("p256: what is not a point in uncompressed form is refused") {
  const Octets point = octets(curve.base);
  const auto refuses = [](const Octets& octets_of_point) {
    return !P256PublicKey::parse_vartime(octets_of_point);
  };
  CHECK(refuses({}));
  CHECK(refuses({0}));  // the point at infinity
  CHECK(refuses(Octets(point.begin(), point.end() - 1)));
  CHECK(refuses(Octets(p256_point_bytes, 0)));
  Octets changed = point;
  changed.push_back(0);
  CHECK(refuses(changed));
  for (const unsigned first : {0U, 2U, 3U, 5U, 6U, 7U}) {
    changed = point;
    changed[0] = static_cast<std::uint8_t>(first);
    CHECK(refuses(changed));
  }
  for (std::size_t i = 1; i < point.size(); i++) {
    changed = point;
    changed[i] ^= 1;
    CHECK(refuses(changed));
  }
}

TEST_CASE("p256: coordinates are below p") {
  // x = 5 is on the curve; so would 5 + p be, were it taken modulo p.
  const auto& field = curve.field;
  const Number five = {5};
  const Number y = test::number("459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc");
  const Number right = field.add(field.sub(field.mul(field.mul(five, five), five), Number{15}), curve.b);
  REQUIRE(field.mul(y, y) == right);
  CHECK(P256PublicKey::parse_vartime(octets(test::SlowP256::Point{five, y})));
  bool carry = false;
  const Number over = test::wrapping_add(field.m, five, carry);
  CHECK_FALSE(P256PublicKey::parse_vartime(octets(test::SlowP256::Point{over, y})));
}

TEST_CASE("a private key that goes leaves nothing of it behind") {
  const Octets scalar = octets(Number{1234567});
  alignas(P256PrivateKey) std::uint8_t memory[sizeof(P256PrivateKey)] = {};
  auto* key = new (memory)
      P256PrivateKey(*P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32>(scalar.data(), 32)));
  REQUIRE(key->scalar()[31] == scalar[31]);
  key->~P256PrivateKey();
  const std::uint8_t* left = memory;
  __asm__ __volatile__("" : "+r"(left) : : "memory");  // what lies there, not what the compiler may assume
  CHECK(Octets(left, left + sizeof memory) == Octets(sizeof memory));
}

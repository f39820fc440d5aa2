// X25519 on every kernel: RFC 7748, and the ladder against the base point's table.
#include <utility>

#include <doctest/doctest.h>

#include <signet/crypto/x25519.hpp>
#include <signet/tests/support/slow_numbers.hpp>

using namespace signet;
using namespace signet::crypto;
using test::from_hex;
using test::Number;
using test::to_hex;

namespace {

using Octets = std::vector<std::uint8_t>;
using Key = std::span<const std::uint8_t, 32>;

Octets public_key(const Octets& secret, const c25519::Kernel& kernel) {
  Octets out(32);
  x25519_public_key(std::span<std::uint8_t, 32>(out), Key(secret.data(), 32), kernel);
  return out;
}

/// The shared secret; empty when it was refused, and then it must be zero.
Octets shared_secret(const Octets& secret, const Octets& peer, const c25519::Kernel& kernel) {
  Octets out(32, 0xff);
  if (x25519(std::span<std::uint8_t, 32>(out), Key(secret.data(), 32), Key(peer.data(), 32), kernel))
    return out;
  CHECK(out == Octets(32, 0));
  return {};
}

Octets octets(const Number& n) {
  Octets out;
  for (const std::uint64_t word : n) {
    for (int i = 0; i < 64; i += 8) out.push_back(static_cast<std::uint8_t>(word >> i));
  }
  return out;
}

const Octets base_point = octets({9});
const Number prime = test::number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");

}  // namespace

TEST_CASE("x25519: RFC 7748 section 5.2, single multiplications") {
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    CAPTURE(kernel->name);
    CHECK(to_hex(shared_secret(from_hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"),
                               from_hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"),
                               *kernel)) ==
          "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552");
    // The peer's highest bit is set here and must be passed over.
    CHECK(to_hex(shared_secret(from_hex("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d"),
                               from_hex("e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493"),
                               *kernel)) ==
          "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957");
  }
}

TEST_CASE("x25519: RFC 7748 section 5.2, 1 and 1,000 iterations") {
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    CAPTURE(kernel->name);
    Octets k = base_point;
    Octets u = base_point;
    for (int i = 1; i <= 1000; i++) {
      Octets next = shared_secret(k, u, *kernel);
      u = std::exchange(k, std::move(next));
      if (i == 1) CHECK(to_hex(k) == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079");
    }
    CHECK(to_hex(k) == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51");
  }
}

TEST_CASE("x25519: RFC 7748 section 6.1, the exchange") {
  const Octets alice = from_hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
  const Octets bob = from_hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
  const std::string_view shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    CAPTURE(kernel->name);
    const Octets from_alice = public_key(alice, *kernel);
    const Octets from_bob = public_key(bob, *kernel);
    CHECK(to_hex(from_alice) == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    CHECK(to_hex(from_bob) == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
    CHECK(to_hex(shared_secret(alice, from_bob, *kernel)) == shared);
    CHECK(to_hex(shared_secret(bob, from_alice, *kernel)) == shared);
  }
}

TEST_CASE("x25519: the table of the base point agrees with the ladder") {
  test::Numbers random(10);
  std::vector<Number> secrets = {{}, {~0ULL, ~0ULL, ~0ULL, ~0ULL}, {8}, {0, 0, 0, 1ULL << 62}};
  for (int i = 0; i < 20; i++) secrets.push_back(random.number());
  for (int at = 3; at < 254; at += 5) {
    Number n{};
    n[static_cast<std::size_t>(at / 64)] = 1ULL << (at % 64);
    secrets.push_back(n);
  }
  for (const Number& secret : secrets) {
    const Octets expected = shared_secret(octets(secret), base_point, c25519::portable_kernel);
    for (const c25519::Kernel* kernel : c25519::kernels()) {
      CAPTURE(kernel->name);
      CHECK(to_hex(public_key(octets(secret), *kernel)) == to_hex(expected));
      CHECK(to_hex(shared_secret(octets(secret), base_point, *kernel)) == to_hex(expected));
    }
  }
}

TEST_CASE("x25519: the bits that clamping sets do not matter") {
  test::Numbers random(11);
  const Octets secret = octets(random.number());
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    CAPTURE(kernel->name);
    for (const auto& [index, bit] :
         {std::pair<std::size_t, int>{0, 1}, {0, 2}, {0, 4}, {31, 64}, {31, 128}}) {
      Octets changed = secret;
      changed[index] = static_cast<std::uint8_t>(changed[index] ^ bit);
      CHECK(to_hex(public_key(changed, *kernel)) == to_hex(public_key(secret, *kernel)));
    }
    Octets changed = secret;
    changed[0] ^= 8;
    CHECK(to_hex(public_key(changed, *kernel)) != to_hex(public_key(secret, *kernel)));
  }
}

TEST_CASE("x25519: points of small order give zero and are refused") {
  bool carry = false;
  const Octets points[] = {
      octets({0}),
      octets({1}),
      from_hex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
      from_hex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
      octets(test::wrapping_sub(prime, {1})),
      octets(prime),
      octets(test::wrapping_add(prime, {1}, carry)),
  };
  test::Numbers random(12);
  const Octets secret = octets(random.number());
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    CAPTURE(kernel->name);
    for (Octets point : points) {
      CHECK(shared_secret(secret, point, *kernel).empty());
      point[31] |= 0x80;
      CHECK(shared_secret(secret, point, *kernel).empty());
    }
    CHECK_FALSE(shared_secret(secret, octets({2}), *kernel).empty());
  }
}

TEST_CASE("x25519: coordinates of p and more are taken modulo p") {
  test::Numbers random(13);
  const Octets secret = octets(random.number());
  bool carry = false;
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    CAPTURE(kernel->name);
    for (std::uint64_t u = 2; u < 19; u++) {
      const Octets over = octets(test::wrapping_add(prime, {u}, carry));
      CHECK(to_hex(shared_secret(secret, over, *kernel)) ==
            to_hex(shared_secret(secret, octets({u}), *kernel)));
    }
  }
}

TEST_CASE("x25519 field: every kernel agrees with slow arithmetic") {
  const test::Modular field{prime};
  bool carry = false;
  std::vector<Number> operands = {{},
                                  {1},
                                  {19},
                                  test::wrapping_sub(prime, {1}),
                                  prime,
                                  test::wrapping_add(prime, {1}, carry),
                                  test::wrapping_sub({}, {1}),
                                  test::wrapping_sub({}, {38}),
                                  test::wrapping_sub({}, {37}),
                                  test::wrapping_sub({}, {39}),
                                  {0, ~0ULL, 0, ~0ULL}};
  test::Numbers random(14);
  for (int i = 0; i < 15; i++) operands.push_back(random.number());
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    CAPTURE(kernel->name);
    for (const Number& a : operands) {
      for (const Number& b : operands) {
        c25519::Words r;
        kernel->field_mul(r, {{a[0], a[1], a[2], a[3]}}, {{b[0], b[1], b[2], b[3]}});
        CHECK(Number{r.w[0], r.w[1], r.w[2], r.w[3]} == field.mul(field.reduce(a), field.reduce(b)));
      }
    }
  }
}

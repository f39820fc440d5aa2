// X25519 on every kernel.
#include <signet/crypto/x25519.hpp>
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {
namespace {

using crypto::c25519::Kernel;
using Key = std::span<const std::uint8_t, 32>;

constexpr std::size_t slow_iterations = 10'000;

Key key_of(const Octets& octets) { return Key(octets.data(), 32); }
bool is_key(const Octets& octets) { return octets.size() == crypto::x25519_bytes; }

struct Product {
  Octets shared = Octets(crypto::x25519_bytes);
  bool usable = false;
};

Product multiply(const Octets& scalar, const Octets& u, const Kernel& kernel) {
  Product product;
  product.usable = crypto::x25519(std::span<std::uint8_t, 32>(product.shared.data(), 32), key_of(scalar),
                                  key_of(u), kernel);
  return product;
}

Octets public_key_of(const Octets& secret, const Kernel& kernel) {
  Octets key(crypto::x25519_bytes);
  crypto::x25519_public_key(std::span<std::uint8_t, 32>(key.data(), 32), key_of(secret), kernel);
  return key;
}

/// A secret of zeros must be told, and only that.
void expect_product(Case& one, const Octets& scalar, const Octets& u, const Octets& expected) {
  if (!is_key(scalar) || !is_key(u)) return one.expect(false, "a key that is not of 32 octets");
  for (const Kernel* kernel : crypto::c25519::kernels()) {
    const Product made = multiply(scalar, u, *kernel);
    one.expect(made.shared == expected, "another secret", kernel->name);
    one.expect(made.usable == (expected != Octets(32)), "zeros are not told", kernel->name);
  }
}

/// RFC 7748 section 5.2: k and u begin as 9, and the product takes k's place, k that of u.
Octets iterated(std::size_t count, const Kernel& kernel) {
  Octets k(32);
  k[0] = 9;
  Octets u = k;
  for (std::size_t i = 0; i < count; i++) {
    Octets product = multiply(k, u, kernel).shared;
    u = std::move(k);
    k = std::move(product);
  }
  return k;
}

void expect_iterated(Report& report, Json json) {
  const std::size_t count = number(json, "iterations");
  const bool slow = count > slow_iterations;
#if defined(SIGNET_SANITIZED)
  if (slow) return report.skip_in_this_build("a million multiplications under a sanitizer");
#elif defined(SIGNET_EMULATED)
  if (slow) return report.skip_in_this_build("a million multiplications under an emulator");
#endif
  Case one(report, std::to_string(count) + " iterations");
  for (const Kernel* kernel : crypto::c25519::kernels()) {
    if (slow && kernel != crypto::c25519::kernels().front()) continue;
    one.expect(iterated(count, *kernel) == hex(json, "out"), "another end", kernel->name);
  }
}

void expect_exchange(Case& one, Json json) {
  const Octets alice = hex(json, "alice_private"), bob = hex(json, "bob_private");
  for (const Kernel* kernel : crypto::c25519::kernels()) {
    one.expect(public_key_of(alice, *kernel) == hex(json, "alice_public"), "Alice's key", kernel->name);
    one.expect(public_key_of(bob, *kernel) == hex(json, "bob_public"), "Bob's key", kernel->name);
  }
  expect_product(one, alice, hex(json, "bob_public"), hex(json, "shared"));
  expect_product(one, bob, hex(json, "alice_public"), hex(json, "shared"));
}

void rfc7748(Report& report, Json document) {
  each_case(report, document, "scalar_mult", [](Case& one, Json json) {
    expect_product(one, hex(json, "scalar"), hex(json, "u"), hex(json, "out"));
  });
  for (const Json json : list(document, "iterated")) expect_iterated(report, json);
  if (!has(document, "diffie_hellman")) return;
  Case one(report, "the exchange");
  expect_exchange(one, child(document, "diffie_hellman"));
}

/// "acceptable" (twists, low order, values not reduced): RFC 7748 computes them all, and so do we.
void wycheproof(Report& report, Json document) {
  each_test(report, document, [](Case& one, Json json, Json) {
    expect_product(one, hex(json, "private"), hex(json, "public"), hex(json, "shared"));
  });
}

constexpr File files[] = {
    {"rfc/rfc7748.json", rfc7748},
    {"wycheproof/x25519_test.json", wycheproof},
};

}  // namespace

std::span<const File> x25519_files() { return files; }

}  // namespace signet::vectors

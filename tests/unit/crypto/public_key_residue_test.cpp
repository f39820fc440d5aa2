// Secrets of P-256 and X25519 that were on the stack are gone when a function has answered.
#include <array>
#include <memory>

#include <doctest/doctest.h>

#include <signet/crypto/hmac.hpp>
#include <signet/crypto/kernels/portable/field25519_portable.hpp>
#include <signet/crypto/kernels/x25519_multiply.hpp>
#include <signet/crypto/p256.hpp>
#include <signet/crypto/p256_scalar.hpp>
#include <signet/crypto/x25519.hpp>
#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/residue.hpp>

using namespace signet;
using namespace signet::crypto;
using test::from_hex;
using test::Residue;

#if SIGNET_SEES_RESIDUE

namespace {

using p256::Affine;
using p256::Fe;
using p256::Jacobian;
using p256::Scalar;

// A field kernel's own temporaries are not wiped, for speed: gcc lets one of them keep the answer.
constexpr std::size_t field_temporaries = 1;

template <class T>
base::Bytes octets_of(const T& object) {
  return {reinterpret_cast<const std::uint8_t*>(&object), sizeof object};
}

/// RFC 6979 appendix A.2.5's key; odd.
constexpr std::uint8_t secret[32] = {0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21,
                                     0x57, 0x67, 0xb1, 0xd6, 0x93, 0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8,
                                     0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21};

Scalar scalar_of(const std::uint8_t* octets) {
  Scalar k;
  p256::load_be(k.w, octets);
  return k;
}

bool same(const Fe& a, const Fe& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Whether `sum` is the point `p` with a z of its own, which would say much about the scalar.
bool stands_for(const Jacobian& sum, const Affine& p, const p256::Kernel& f) {
  if (same(sum.z, {}) || same(sum.z, p256::one) || same(sum.x, {})) return false;
  Fe x;
  f.sqr(x, sum.z);
  f.mul(x, p.x, x);
  return same(x, sum.x);
}

bool has_table_entry(const Residue& residue) {
  for (const Affine& entry : p256::base_table[0]) {
    if (residue.has(octets_of(entry.x))) return true;
  }
  return false;
}

template <class Function>
void on_all_kernels(Function function) {
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    function(*kernel);
  }
}

}  // namespace

TEST_CASE("residue: what is left on a stack is seen") {
  std::uint8_t copy[32];
  auto careless = [&] {
    std::uint8_t local[32];
    std::memcpy(local, secret, sizeof local);
    __asm__ __volatile__("" : : "r"(local) : "memory");
    copy[0] = local[0];
  };
  CHECK(Residue(careless).has(secret));
}

TEST_CASE("residue: p256 base point") {
  on_all_kernels([](const p256::Kernel& kernel) {
    const auto k = std::make_unique<Scalar>(scalar_of(secret));
    const auto product = std::make_unique<Affine>();
    auto multiply = [&] { kernel.mul_base(*product, *k); };
    const Residue residue(multiply);
    CHECK(residue.count_object(*k) == 0);
    CHECK(residue.count_such<Jacobian>([&](const Jacobian& j) { return stands_for(j, *product, kernel); }) ==
          0);
    CHECK_FALSE(has_table_entry(residue));
  });
}

TEST_CASE("residue: p256 any point") {
  on_all_kernels([](const p256::Kernel& kernel) {
    const auto k = std::make_unique<Scalar>(scalar_of(secret));
    const auto base = std::make_unique<Affine>(p256::base_table[0][0]);
    const auto product = std::make_unique<Affine>();
    auto multiply = [&] { kernel.mul_point(*product, *base, *k); };
    const Residue residue(multiply);
    CHECK(residue.count_object(*k) == 0);
    CHECK(residue.count_such<Jacobian>([&](const Jacobian& j) { return stands_for(j, *product, kernel); }) ==
          0);
    // The odd multiples of a public point may stay; the last digit's would be there once more.
    for (int j = 0; j < 16; j++) CHECK(residue.count(octets_of(p256::base_table[0][j].x)) <= 1);
  });
}

TEST_CASE("residue: a p256 key is made and used") {
  on_all_kernels([](const p256::Kernel& kernel) {
    const auto made = std::make_unique<std::optional<P256PrivateKey>>();
    auto make = [&] {
      new (made.get()) std::optional<P256PrivateKey>(P256PrivateKey::from_scalar(secret, kernel));
    };
    const Residue making(make);
    CHECK(making.count(secret) == 0);
    CHECK(making.count_object(scalar_of(secret)) == 0);

    const auto shared = std::make_unique<std::array<std::uint8_t, 32>>();
    auto agree = [&] { p256_ecdh(*shared, **made, (*made)->public_key(), kernel); };
    const Residue agreeing(agree);
    Affine product;
    kernel.mul_point(product, (*made)->public_key().point, scalar_of(secret));
    CHECK(agreeing.count_object(scalar_of(secret)) == 0);
    CHECK(agreeing.count_object(product.x) == 0);
    CHECK(agreeing.count_object(scalar_of(shared->data())) <= field_temporaries);
  });
}

TEST_CASE("residue: the order's arithmetic") {
  const auto a = std::make_unique<Scalar>(scalar_of(secret));
  const auto b = std::make_unique<Scalar>(Scalar{{1, 2, 3, 0x1234567812345678}});
  const auto place = std::make_unique<Scalar>();
  auto multiply = [&] { new (place.get()) Scalar(p256::mul(*a, *b)); };
  const Residue multiplying(multiply);
  CHECK(multiplying.count_object(*place) == 0);
  // 2^256 mod n: a in Montgomery form is a product with it.
  const Scalar r = p256::reduce_once({{0x0c46353d039cdaaf, 0x4319055258e8617b, 0, 0x00000000ffffffff}});
  CHECK(multiplying.count_object(p256::mul(*a, r)) == 0);

  auto add = [&] { new (place.get()) Scalar(p256::add(*a, *b)); };
  CHECK(Residue(add).count_object(*place) == 0);

  auto compare = [&] { place->w[0] = p256::is_below(b->w, a->w).bit(); };
  const Residue comparing(compare);
  Scalar difference = *b;
  std::uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned __int128 d = static_cast<unsigned __int128>(b->w[i]) - a->w[i] - borrow;
    difference.w[i] = static_cast<std::uint64_t>(d);
    borrow = static_cast<std::uint64_t>(d >> 64) & 1;
  }
  CHECK(comparing.count_object(difference) == 0);

  auto invert = [&] { new (place.get()) Scalar(p256::invert(*a)); };
  const Residue inverting(invert);
  constexpr std::uint64_t low62 = ~std::uint64_t{0} >> 2;
  const std::uint64_t* w = place->w;
  const std::uint64_t limbs[3] = {w[0] & low62, (w[0] >> 62 | w[1] << 2) & low62,
                                  (w[1] >> 60 | w[2] << 4) & low62};
  CHECK(inverting.count_object(limbs) == 0);
}

namespace {

/// RFC 6979 section 3.2 with the SHA-256 of "sample" (appendix A.2.5): the last K, and V, which is the nonce.
struct Nonce {
  std::array<std::uint8_t, 32> first_key, key, v;
};

std::array<std::uint8_t, 32> mac(base::Bytes key, std::initializer_list<base::Bytes> parts) {
  std::array<std::uint8_t, 32> tag;
  const HmacKey prepared(HashId::sha256, key);
  Hmac running(prepared);
  for (const base::Bytes part : parts) running.update(part);
  running.finish(tag);
  return tag;
}

Nonce nonce_of(base::Bytes digest) {
  constexpr std::uint8_t zeros[32] = {};
  constexpr std::uint8_t numbers[2] = {0, 1};
  Nonce n;
  n.v.fill(1);
  n.first_key = mac(zeros, {n.v, base::Bytes(numbers).first(1), secret, digest});
  n.v = mac(n.first_key, {n.v});
  n.key = mac(n.first_key, {n.v, base::Bytes(numbers).last(1), secret, digest});
  n.v = mac(n.key, {n.v});
  n.v = mac(n.key, {n.v});
  return n;
}

}  // namespace

TEST_CASE("residue: ecdsa") {
  std::uint8_t digest[32];
  hash(digest, HashId::sha256, base::as_bytes("sample"));
  const Nonce nonce = nonce_of(digest);
  REQUIRE(test::to_hex(nonce.v) == "a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60");
  const Scalar k = scalar_of(nonce.v.data());
  const Scalar d = scalar_of(secret);
  on_all_kernels([&](const p256::Kernel& kernel) {
    const auto key = std::make_unique<P256PrivateKey>(*P256PrivateKey::from_scalar(secret));
    const auto signature = std::make_unique<EcdsaSignature>();
    auto sign = [&] { p256_sign(*signature, *key, digest, {}, kernel); };
    const Residue residue(sign);
    const Scalar r = scalar_of(signature->r);
    const Scalar product = p256::mul(r, d);
    CHECK(residue.count_object(d) == 0);
    CHECK(residue.count(secret) == 0);
    CHECK(residue.count_object(k) == 0);
    CHECK(residue.count(nonce.v) == 0);
    CHECK(residue.count(nonce.first_key) == 0);
    CHECK(residue.count(nonce.key) == 0);
    CHECK(residue.count_object(p256::invert(k)) == 0);
    CHECK(residue.count_object(product) == 0);
    CHECK(residue.count_object(p256::add(p256::from_digest(digest), product)) == 0);
    Affine point;
    kernel.mul_base(point, k);
    CHECK(residue.count_object(point.y) == 0);
    const HmacKey prepared(HashId::sha256, nonce.key);
    CHECK(residue.count(octets_of(prepared).first(32)) == 0);
  });
}

namespace {

using c25519::FieldPortable;
using c25519::Words;

constexpr std::uint8_t peer[32] = {9};

Words clamped_words() {
  Words k;
  std::memcpy(&k, secret, sizeof k);
  k.w[0] &= ~std::uint64_t{7};
  k.w[3] = (k.w[3] & 0x7fffffffffffffff) | 0x4000000000000000;
  return k;
}

}  // namespace

TEST_CASE("residue: x25519") {
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    CAPTURE(kernel->name);
    const auto shared = std::make_unique<std::array<std::uint8_t, 32>>();
    bool usable = false;
    auto agree = [&] { usable = x25519(*shared, secret, peer, *kernel); };
    const Residue agreeing(agree);
    REQUIRE(usable);
    CHECK(agreeing.count_object(clamped_words()) == 0);
    CHECK(agreeing.count(*shared) <= field_temporaries);

    auto make = [&] { x25519_public_key(*shared, secret, *kernel); };
    const Residue making(make);
    CHECK(making.count_object(clamped_words()) == 0);
    CHECK(making.count_object(c25519::make_odd(clamped_words())) == 0);
  }
}

// The portable field's form of what the multiplications keep; the other kernel is the same template.
TEST_CASE("residue: x25519's points") {
  using Field = FieldPortable;
  const auto product = std::make_unique<Words>();
  const auto k = std::make_unique<Words>(clamped_words());
  const auto u = std::make_unique<Words>(Words{{9, 0, 0, 0}});
  const auto is_product_of = [&](const Field::Element& x, const Field::Element& z) {
    Field::Element answer, expected;
    Words left, right;
    Field::load(answer, *product);
    Field::mul(expected, answer, z);
    Field::store(left, expected);
    Field::store(right, x);
    return (left.w[0] | left.w[1] | left.w[2] | left.w[3]) != 0 &&
           std::memcmp(&left, &right, sizeof left) == 0;
  };
  const auto one_is_product = [&](const Field::Element& x) {
    Field::Element one;
    Field::load(one, {{1, 0, 0, 0}});
    return is_product_of(x, one);
  };
  const auto is_answer = [&](const c25519::LadderState<Field>& s) { return is_product_of(s.x2, s.z2); };
  const auto is_sum = [&](const c25519::EdwardsPoint<Field>& p) {
    Field::Element above, below;
    Field::add(above, p.z, p.y);
    Field::sub(below, p.z, p.y);
    return is_product_of(above, below);
  };

  auto climb = [&] { c25519::portable_kernel.ladder(*product, *k, *u); };
  const Residue climbing(climb);
  CHECK(climbing.count_such<c25519::LadderState<Field>>(is_answer) == 0);
  CHECK(climbing.count_such<Field::Element>(one_is_product) <= field_temporaries);

  auto multiply = [&] { c25519::portable_kernel.mul_base(*product, *k); };
  const Residue multiplying(multiply);
  CHECK(multiplying.count_such<c25519::EdwardsPoint<Field>>(is_sum) == 0);
  CHECK(multiplying.count_such<Field::Element>(one_is_product) <= field_temporaries);
  for (const c25519::TableEntry& entry : c25519::base_table[0]) {
    Field::Element sum, difference;
    Field::load(sum, entry.sum);
    Field::load(difference, entry.difference);
    CHECK(multiplying.count_object(sum) == 0);
    CHECK(multiplying.count_object(difference) == 0);
  }
}

#endif

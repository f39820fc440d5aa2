// ECDSA on P-256, on every kernel: RFC 6979, and what verification must accept and refuse.
#include <algorithm>
#include <memory>

#include <doctest/doctest.h>

#include <signet/crypto/hash.hpp>
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

Octets digest_of(HashId id, std::string_view message) {
  Octets digest(digest_bytes(id));
  hash(digest, id, base::as_bytes(message));
  return digest;
}

P256PrivateKey private_key(std::string_view hex) {
  const Octets scalar = from_hex(hex);
  return P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32>(scalar.data(), 32)).value();
}

EcdsaSignature signature(const Number& r, const Number& s) {
  EcdsaSignature result;
  p256::store_be(result.r, r.data());
  p256::store_be(result.s, s.data());
  return result;
}

std::string text(const EcdsaSignature& s) { return to_hex(s.r) + ":" + to_hex(s.s); }

/// The key of RFC 6979 appendix A.2.5.
P256PrivateKey rfc6979_key() {
  return private_key("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
}

/// Verification in both ways, which must agree.
class Verifier {
 public:
  Verifier(const P256PublicKey& key, const p256::Kernel& kernel)
      : key_(key),
        kernel_(kernel),
        table_(std::make_unique<P256VerifyTable>(P256VerifyTable::build_vartime(key, kernel))) {}

  [[nodiscard]] bool accepts(base::Bytes digest, const EcdsaSignature& s) const {
    const bool accepted = p256_verify_vartime(key_, digest, s, kernel_);
    CHECK(table_->verify_vartime(digest, s) == accepted);
    return accepted;
  }

 private:
  P256PublicKey key_;
  const p256::Kernel& kernel_;
  std::unique_ptr<P256VerifyTable> table_;
};

struct Rfc6979Case {
  HashId hash;
  std::string_view message, r, s;
};

constexpr Rfc6979Case rfc6979_cases[] = {
    {HashId::sha256, "sample", "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
     "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"},
    {HashId::sha384, "sample", "0eafea039b20e9b42309fb1d89e213057cbf973dc0cfc8f129edddc800ef7719",
     "4861f0491e6998b9455193e34e7b0d284ddd7149a74b95b9261f13abde940954"},
    {HashId::sha512, "sample", "8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f00",
     "2362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe"},
    {HashId::sha256, "test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
     "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"},
    {HashId::sha384, "test", "83910e8b48bb0c74244ebdf7f07a1c5413d61472bd941ef3920e623fbccebeb6",
     "8ddbec54cf8cd5874883841d712142a56a8d0f218f5003cb0296b6b509619f2c"},
    {HashId::sha512, "test", "461d93f31b6540894788fd206c07cfa0cc35f46fa3c91816fff1040ad1581a04",
     "39af9f15de0db8d97e72719c74820d304ce5226e32dedae67519e840d1194e55"},
};

}  // namespace

TEST_CASE("ecdsa: RFC 6979 appendix A.2.5, signed and verified") {
  const P256PrivateKey key = rfc6979_key();
  Octets point(p256_point_bytes);
  key.public_key().write(std::span<std::uint8_t, p256_point_bytes>(point));
  CHECK(to_hex(point) ==
        "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299");
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    const Verifier verifier(key.public_key(), *kernel);
    for (const Rfc6979Case& c : rfc6979_cases) {
      const Octets digest = digest_of(c.hash, c.message);
      const EcdsaSignature expected = signature(test::number(c.r), test::number(c.s));
      CHECK(verifier.accepts(digest, expected));
      if (c.hash != HashId::sha256) continue;  // our nonces always come from HMAC-SHA-256
      EcdsaSignature made;
      p256_sign(made, key, digest, {}, *kernel);
      CHECK(text(made) == text(expected));
    }
  }
}

TEST_CASE("ecdsa: a nonce out of range is replaced as RFC 6979 section 3.2 step h says") {
  EcdsaSignature made;
  p256_sign(made, rfc6979_key(), digest_of(HashId::sha256, "wv[vnX"), {});
  CHECK(text(made) ==
        "efd9073b652e76da1b5a019c0e4a2e3fa529b035a6abb91ef67f0ed7a1f21234:"
        "3db4706c9d9f4a4fe13bb5e08ef0fab53a57dbab2061c83a35fa411c68d2ba33");
}

TEST_CASE("ecdsa: fresh octets change the nonce, and the signature stays right") {
  const P256PrivateKey key = rfc6979_key();
  const Octets digest = digest_of(HashId::sha384, "sample");
  const Octets fresh[] = {{}, {0}, Octets(32, 0), Octets(32, 1)};
  std::vector<std::string> seen;
  for (const p256::Kernel* kernel : p256::kernels()) {
    const Verifier verifier(key.public_key(), *kernel);
    for (std::size_t i = 0; i < std::size(fresh); i++) {
      EcdsaSignature made;
      p256_sign(made, key, digest, fresh[i], *kernel);
      CHECK(verifier.accepts(digest, made));
      if (kernel != p256::kernels().front()) {
        CHECK(text(made) == seen[i]);
        continue;
      }
      for (const std::string& earlier : seen) CHECK(earlier != text(made));
      seen.push_back(text(made));
    }
  }
}

TEST_CASE("ecdsa: every changed bit is refused") {
  const P256PrivateKey key = rfc6979_key();
  const Octets digest = digest_of(HashId::sha256, "sample");
  const Verifier verifier(key.public_key(), *p256::kernels().front());
  EcdsaSignature good;
  p256_sign(good, key, digest, {});
  for (std::size_t i = 0; i < 32; i++) {
    EcdsaSignature changed_r = good;
    EcdsaSignature changed_s = good;
    Octets changed_digest = digest;
    const auto bit = static_cast<std::uint8_t>(1U << (i % 8));
    changed_r.r[i] ^= bit;
    changed_s.s[i] ^= bit;
    changed_digest[i] ^= bit;
    CHECK_FALSE(verifier.accepts(digest, changed_r));
    CHECK_FALSE(verifier.accepts(digest, changed_s));
    CHECK_FALSE(verifier.accepts(changed_digest, good));
  }
  CHECK(verifier.accepts(digest, good));
}

TEST_CASE("ecdsa: r and s out of range are refused") {
  const Verifier verifier(rfc6979_key().public_key(), *p256::kernels().front());
  const Octets digest = digest_of(HashId::sha256, "sample");
  const Number r = test::number(rfc6979_cases[0].r);
  const Number s = test::number(rfc6979_cases[0].s);
  REQUIRE(verifier.accepts(digest, signature(r, s)));
  bool carry = false;
  const Number ones = {~0ULL, ~0ULL, ~0ULL, ~0ULL};
  for (const Number& bad : {Number{}, curve.order.m, test::wrapping_add(curve.order.m, {1}, carry), ones}) {
    CHECK_FALSE(verifier.accepts(digest, signature(bad, s)));
    CHECK_FALSE(verifier.accepts(digest, signature(r, bad)));
  }
  // n - s is as good as s: ECDSA is malleable.
  CHECK(verifier.accepts(digest, signature(r, curve.order.negate(s))));
}

TEST_CASE("ecdsa: n + 5 is not taken for 5") {
  const Verifier verifier(rfc6979_key().public_key(), *p256::kernels().front());
  bool carry = false;
  const Number small = {5};
  const Number over = test::wrapping_add(curve.order.m, small, carry);
  REQUIRE_FALSE(carry);
  CHECK_FALSE(verifier.accepts(Octets(32, 7), signature(over, over)));
}

TEST_CASE("ecdsa: an x coordinate of n and more is compared as r + n") {
  // The point has x = n + 3. From r = 3 and any s and digest e the key is (s * point - e * G) / r.
  bool carry = false;
  const Number x = test::wrapping_add(curve.order.m, {3}, carry);
  const test::SlowP256::Point point = {
      x, test::number("484f0c0fda434ef0a808458914f328715d7a545e198ac7eee31dffe861b5d23f"), false};
  const Number s = {11};
  const Number e = test::number("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
  const Number r_inverse = curve.order.inverse({3});
  const auto key_point = curve.add(curve.mul(curve.order.mul(s, r_inverse), point),
                                   curve.mul(curve.order.mul(curve.order.negate(e), r_inverse), curve.base));
  Octets encoded(p256_point_bytes, 4);
  p256::store_be(encoded.data() + 1, key_point.x.data());
  p256::store_be(encoded.data() + 33, key_point.y.data());
  const auto key = P256PublicKey::parse_vartime(encoded);
  REQUIRE(key);
  Octets digest(32);
  p256::store_be(digest.data(), e.data());
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    const Verifier verifier(*key, *kernel);
    CHECK(verifier.accepts(digest, signature({3}, s)));
    CHECK_FALSE(verifier.accepts(digest, signature({4}, s)));
  }
}

TEST_CASE("ecdsa: digests shorter and longer than 256 bits") {
  const P256PrivateKey key = rfc6979_key();
  const Verifier verifier(key.public_key(), *p256::kernels().front());
  EcdsaSignature made;
  Octets digest(20, 0xab);
  p256_sign(made, key, digest, {});
  CHECK(verifier.accepts(digest, made));
  Octets padded(32, 0xab);  // the same integer
  std::fill_n(padded.begin(), 12, std::uint8_t{0});
  CHECK(verifier.accepts(padded, made));
  padded.push_back(1);  // beyond the leftmost 256 bits
  CHECK(verifier.accepts(padded, made));
  CHECK_FALSE(verifier.accepts(Octets(20, 0xac), made));
}

TEST_CASE("ecdsa: sums that double, cancel or stand still on the way") {
  // u G + v Q for Q = G and Q = -G with small u and v: every special case of the addition.
  for (const p256::Kernel* kernel : p256::kernels()) {
    CAPTURE(kernel->name);
    for (const bool opposite : {false, true}) {
      p256::Affine q = p256::base_table[0][0];
      if (opposite) kernel->sub(q.y, {{0, 0, 0, 0}}, q.y);
      const auto table = std::make_unique<p256::OddMultiples>();
      kernel->build_table_vartime(*table, q);
      for (std::uint64_t u = 0; u < 8; u++) {
        for (std::uint64_t v = 0; v < 8; v++) {
          const std::uint64_t multiple = opposite ? (u > v ? u - v : v - u) : u + v;
          const auto expected = curve.mul({multiple}, curve.base);
          p256::Jacobian sums[2];
          kernel->mul_add_vartime(sums[0], {{u, 0, 0, 0}}, {{v, 0, 0, 0}}, q);
          kernel->mul_add_table_vartime(sums[1], {{u, 0, 0, 0}}, {{v, 0, 0, 0}}, *table);
          for (const p256::Jacobian& sum : sums) {
            const bool infinity = p256::is_zero(sum.z.w).bit() != 0;
            REQUIRE(infinity == expected.infinity);
            if (infinity) continue;
            p256::Fe zz, x = {{expected.x[0], expected.x[1], expected.x[2], expected.x[3]}};
            kernel->mul(x, x, p256::montgomery_r_squared);
            kernel->sqr(zz, sum.z);
            kernel->mul(x, x, zz);
            CHECK(to_hex({reinterpret_cast<const std::uint8_t*>(&x), 32}) ==
                  to_hex({reinterpret_cast<const std::uint8_t*>(&sum.x), 32}));
          }
        }
      }
    }
  }
}

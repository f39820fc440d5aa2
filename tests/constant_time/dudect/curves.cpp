#include "cases.hpp"

#include <signet/crypto/p256_scalar.hpp>
#include <signet/crypto/x25519.hpp>

namespace signet::dudect {
namespace {

using crypto::P256PrivateKey;
using crypto::p256::Kernel;
using crypto::p256::Scalar;

// The comb of base_width bits reads the scalar in rows. Of these two numbers every row's bits are zero but
// the top one's, and the lowest bit, which says whether the scalar or its negative is read.
constexpr Scalar top_digit_alone = {{0, 0, 0, std::uint64_t{1} << 60}};
constexpr Scalar top_digit_alone_odd = {{1, 0, 0, std::uint64_t{1} << 60}};
static_assert((crypto::p256::base_rows - 1) * crypto::p256::base_width == 3 * 64 + 60);

constexpr std::uint8_t digest[32] = {0x6d, 0x73};
constexpr std::uint8_t x25519_peer[32] = {9};

Scalar random_scalar(Random& random) noexcept {
  Scalar k;
  do {
    for (std::uint64_t& word : k.w) word = random.next();
  } while (crypto::p256::is_valid_scalar(k).bit() == 0);
  return k;
}

P256PrivateKey key_of(const Scalar& scalar) noexcept {
  std::uint8_t octets[32];
  crypto::p256::store_be(octets, scalar.w);
  return *P256PrivateKey::from_scalar(octets);
}

auto scalars_against(const Scalar& fixed_scalar) {
  return [fixed_scalar](Input& input, bool fixed, Random& random) {
    const Scalar other = random_scalar(random);
    input.scalar = fixed ? fixed_scalar : other;
  };
}

auto keys_against(const Scalar& fixed_scalar) {
  return [prepare = scalars_against(fixed_scalar)](Input& input, bool fixed, Random& random) {
    prepare(input, fixed, random);
    input.key = key_of(input.scalar);
  };
}

// Zero, which clamping makes the power of two that is the least scalar.
void prepare_x25519(Input& input, bool fixed, Random& random) {
  random.fill(input.octets);
  if (fixed) std::memset(input.octets, 0, sizeof input.octets);
}

std::span<const std::uint8_t, 32> secret_of(const Input& input) noexcept {
  return std::span(input.octets).first<32>();
}

void add_x25519(std::vector<Case>& cases, const crypto::c25519::Kernel& kernel) {
  cases.push_back({"X25519 shared", std::string(kernel.name), prepare_x25519, [&kernel](Input& input) {
                     std::uint8_t shared[32];
                     keep(crypto::x25519(shared, secret_of(input), x25519_peer, kernel));
                     keep(shared);
                   }});
  cases.push_back({"X25519 key pair", std::string(kernel.name), prepare_x25519, [&kernel](Input& input) {
                     std::uint8_t point[32];
                     crypto::x25519_public_key(point, secret_of(input), kernel);
                     keep(point);
                   }});
}

// The scalar of a signature's nonce and of a key pair.
void add_comb(std::vector<Case>& cases, const Kernel& kernel) {
  const auto run = [&kernel](Input& input) {
    crypto::p256::Affine point;
    kernel.mul_base(point, input.scalar);
    keep(point);
  };
  const std::string name(kernel.name);
  cases.push_back({"P-256 comb, top digit alone", name, scalars_against(top_digit_alone), run});
  cases.push_back({"P-256 comb, top digit and lowest bit", name, scalars_against(top_digit_alone_odd), run});
}

void add_sign(std::vector<Case>& cases, const Kernel& kernel) {
  cases.push_back(
      {"P-256 sign", std::string(kernel.name), keys_against(top_digit_alone), [&kernel](Input& input) {
         crypto::EcdsaSignature signature;
         crypto::p256_sign(signature, input.key, digest, {}, kernel);
         keep(signature);
       }});
}

void add_ecdh(std::vector<Case>& cases, const Kernel& kernel) {
  static const crypto::P256PublicKey peer = key_of({{0x5eed, 2, 3, 4}}).public_key();
  cases.push_back(
      {"P-256 ECDH", std::string(kernel.name), keys_against({{1, 0, 0, 0}}), [&kernel](Input& input) {
         std::uint8_t shared[32];
         crypto::p256_ecdh(shared, input.key, peer, kernel);
         keep(shared);
       }});
}

}  // namespace

void add_curves(std::vector<Case>& cases) {
  for (const auto* kernel : crypto::c25519::kernels()) add_x25519(cases, *kernel);
  for (const auto* kernel : crypto::p256::kernels()) {
    add_comb(cases, *kernel);
    add_sign(cases, *kernel);
    add_ecdh(cases, *kernel);
  }
}

}  // namespace signet::dudect

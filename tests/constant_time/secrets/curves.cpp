// X25519 and P-256 with secret scalars: key pairs, shared secrets, signatures, and the scalars' arithmetic.
#include "marks.hpp"

#include <signet/crypto/p256.hpp>
#include <signet/crypto/p256_scalar.hpp>
#include <signet/crypto/x25519.hpp>
#include <signet/tls/verified_signature.hpp>

namespace signet::secrets {
namespace {

using crypto::EcdsaSignature;
using crypto::P256PrivateKey;
using crypto::P256PublicKey;
using crypto::p256::Fe;
using crypto::p256::Scalar;

constexpr std::string_view public_key_is_sent = "a public key is sent to the peer";
constexpr std::string_view signature_is_sent = "a signature is sent to the peer";
constexpr std::string_view refusal_shows = "an all-zero shared secret ends the handshake with an alert";

constexpr std::uint8_t digest[32] = {0xd1, 0x9e, 0x57};

void run_x25519(const crypto::c25519::Kernel& kernel) {
  begin("X25519", kernel.name);
  const Secret<32> own(1), other(2);
  std::uint8_t point[32], shared[32];
  crypto::x25519_public_key(point, other.octets, kernel);
  reveal(point, public_key_is_sent);
  bool usable = crypto::x25519(shared, own.octets, point, kernel);
  reveal(usable, refusal_shows);
  require(usable, "X25519");
}

P256PublicKey public_key_of(const P256PrivateKey& key) {
  std::uint8_t point[crypto::p256_point_bytes];
  key.public_key().write(point);
  reveal(point, public_key_is_sent);
  const auto parsed = P256PublicKey::parse_vartime(point);
  require(parsed.has_value(), "the point of a P-256 key");
  return *parsed;
}

P256PrivateKey key_pair(unsigned seed, const crypto::p256::Kernel& kernel) {
  const auto key = P256PrivateKey::from_scalar(Secret<32>(seed).octets, kernel);
  require(key.has_value(), "a P-256 key pair");
  return *key;
}

void run_ecdh(const crypto::p256::Kernel& kernel) {
  begin("P-256 key pair and ECDH", kernel.name);
  const P256PrivateKey own = key_pair(3, kernel);
  const P256PublicKey peer = public_key_of(key_pair(4, kernel));
  std::uint8_t shared[32];
  crypto::p256_ecdh(shared, own, peer, kernel);
  reveal(shared, "the end of the test: the shared secret was marked all along");
}

// As tls/verified_signature.cpp does it, on one kernel.
void run_sign_and_check(const crypto::p256::Kernel& kernel) {
  begin("P-256 sign and check", kernel.name);
  const P256PrivateKey key = key_pair(5, kernel);
  const auto table = crypto::P256VerifyTable::build_vartime(public_key_of(key), kernel);
  const Secret<32> fresh(6);
  const auto sign = [&](EcdsaSignature& made) noexcept {
    crypto::p256_sign(made, key, digest, fresh.octets, kernel);
    reveal(made, signature_is_sent);
  };
  const auto verify = [&](const EcdsaSignature& made) noexcept { return table.verify_vartime(digest, made); };
  EcdsaSignature signature;
  require(tls::sign_verified(signature, sign, verify), "P-256 sign and check");
  std::uint8_t der[crypto::max_ecdsa_der_bytes];
  require(crypto::ecdsa_to_der(der, signature) != 0, "the signature's DER");
}

void run_field(const crypto::p256::Kernel& kernel) {
  begin("P-256 field", kernel.name);
  const Secret<32> first(7), second(8);
  Fe a, b;
  crypto::p256::load_be(a.w, first.octets);
  crypto::p256::load_be(b.w, second.octets);
  kernel.mul(a, a, b);
  kernel.sqr(b, b);
  kernel.add(a, a, b);
  kernel.sub(a, b, a);
  kernel.half(a, a);
  reveal(a, "the end of the test: every element was marked all along");
}

void run_scalars() {
  begin("scalars modulo the order of P-256", "portable");
  const Secret<32> first(9), second(10);
  Scalar a, b;
  crypto::p256::load_be(a.w, first.octets);
  crypto::p256::load_be(b.w, second.octets);
  a = crypto::p256::add(crypto::p256::mul(a, b), crypto::p256::reduce_once(b));
  a = crypto::p256::mul(crypto::p256::invert(a), crypto::p256::from_digest(second.octets));
  std::uint64_t valid = crypto::p256::is_valid_scalar(a).bit();
  reveal(valid, "the end of the test: the scalars were marked all along");
  require(valid == 1, "a scalar that is not zero");
}

}  // namespace

void run_curves() {
  for (const auto* kernel : crypto::c25519::kernels()) run_x25519(*kernel);
  for (const auto* kernel : crypto::p256::kernels()) {
    run_ecdh(*kernel);
    run_sign_and_check(*kernel);
    run_field(*kernel);
  }
  run_scalars();
}

}  // namespace signet::secrets

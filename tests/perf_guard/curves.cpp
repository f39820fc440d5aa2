#include "counted.hpp"

#include <signet/crypto/hash.hpp>
#include <signet/crypto/p256.hpp>
#include <signet/crypto/x25519.hpp>

namespace signet::counted {
namespace {

std::span<const std::uint8_t, 32> scalar_at(std::size_t at) { return text(longest).subspan(at).first<32>(); }

void count_x25519() {
  const std::string_view kernel = crypto::c25519::kernels().front()->name;
  std::uint8_t public_key[32], shared[32];
  count({"X25519 key pair", 0, kernel}, [&] { crypto::x25519_public_key(public_key, scalar_at(1000)); });
  count({"X25519 shared", 0, kernel},
        [&] { require(crypto::x25519(shared, scalar_at(2000), public_key), "X25519 shared"); });
}

void count_p256_keys() {
  const std::string_view kernel = crypto::p256::kernels().front()->name;
  std::uint8_t point[crypto::p256_point_bytes], shared[32];
  std::optional<crypto::P256PrivateKey> key;
  std::optional<crypto::P256PublicKey> peer;
  count({"P-256 key pair", 0, kernel}, [&] { key = crypto::P256PrivateKey::from_scalar(scalar_at(3000)); });
  require(key.has_value(), "P-256 key pair");
  key->public_key().write(point);
  count({"P-256 point", 0, kernel}, [&] { peer = crypto::P256PublicKey::parse_vartime(point); });
  require(peer.has_value(), "P-256 point");
  count({"P-256 ECDH", 0, kernel}, [&] { crypto::p256_ecdh(shared, *key, *peer); });
}

void count_ecdsa() {
  const std::string_view kernel = crypto::p256::kernels().front()->name;
  const auto key = crypto::P256PrivateKey::from_scalar(scalar_at(3000));
  require(key.has_value(), "P-256 key");
  const auto table = crypto::P256VerifyTable::build_vartime(key->public_key());
  const base::Bytes digest = scalar_at(4000), fresh = scalar_at(5000);
  crypto::EcdsaSignature signature;
  count({"P-256 sign", 0, kernel}, [&] { crypto::p256_sign(signature, *key, digest, fresh); });
  count({"P-256 verify", 0, kernel},
        [&] { require(crypto::p256_verify_vartime(key->public_key(), digest, signature), "P-256 verify"); });
  count({"P-256 verify table", 0, kernel},
        [&] { require(table.verify_vartime(digest, signature), "P-256 verify table"); });
}

}  // namespace

void count_curves() {
  count_x25519();
  count_p256_keys();
  count_ecdsa();
}

}  // namespace signet::counted

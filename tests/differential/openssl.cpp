// libcrypto's X25519 and what the other files share.
#include <cstdio>
#include <cstdlib>

#include <openssl/err.h>

#include <signet/tests/differential/openssl.hpp>

namespace signet::differential {
namespace {

Pkey x25519_private(const Octets& secret) {
  Pkey key(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.data(), secret.size()));
  require(key != nullptr, "X25519 private key");
  return key;
}

}  // namespace

void require(bool done, const char* what) {
  if (done) return;
  std::fprintf(stderr, "differential: libcrypto: %s\n", what);
  ERR_print_errors_fp(stderr);
  std::exit(2);
}

std::optional<Octets> openssl_x25519(const Octets& secret, const Octets& peer) {
  const Pkey key = x25519_private(secret);
  const Pkey other(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, peer.data(), peer.size()));
  const PkeyContext context(EVP_PKEY_CTX_new(key.get(), nullptr));
  require(
      EVP_PKEY_derive_init(context.get()) == 1 && EVP_PKEY_derive_set_peer(context.get(), other.get()) == 1,
      "X25519 peer");
  Octets shared(32);
  std::size_t bytes = shared.size();
  const bool derived = EVP_PKEY_derive(context.get(), shared.data(), &bytes) == 1;
  ERR_clear_error();
  return derived ? std::optional(shared) : std::nullopt;
}

Octets openssl_x25519_public(const Octets& secret) {
  Octets point(32);
  std::size_t bytes = point.size();
  require(EVP_PKEY_get_raw_public_key(x25519_private(secret).get(), point.data(), &bytes) == 1,
          "X25519 public key");
  return point;
}

}  // namespace signet::differential

#include <cstdio>
#include <cstdlib>

#include <openssl/err.h>

#include <signet/loadtest/prims/openssl.hpp>

namespace signet::prims {

void require(bool done, const char* what) {
  if (done) return;
  std::fprintf(stderr, "prims: libcrypto: %s\n", what);
  ERR_print_errors_fp(stderr);
  std::exit(1);
}

PkeyContext derive_context(EVP_PKEY* key, EVP_PKEY* peer) {
  PkeyContext context(EVP_PKEY_CTX_new(key, nullptr));
  require(context != nullptr && EVP_PKEY_derive_init(context.get()) == 1 &&
              EVP_PKEY_derive_set_peer(context.get(), peer) == 1,
          "derive_init");
  return context;
}

void derive(EVP_PKEY_CTX* context, std::uint8_t shared[32]) {
  std::size_t bytes = 32;
  require(EVP_PKEY_derive(context, shared, &bytes) == 1 && bytes == 32, "derive");
}

}  // namespace signet::prims

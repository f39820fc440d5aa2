// Owners of libcrypto's objects; any failure of libcrypto ends the program.
#pragma once

#include <cstdint>
#include <memory>

#include <openssl/evp.h>
#include <openssl/kdf.h>

namespace signet::prims {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const noexcept {
    release(object);
  }
};

using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, Release<EVP_CIPHER_CTX_free>>;
using Digest = std::unique_ptr<EVP_MD, Release<EVP_MD_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Release<EVP_MD_CTX_free>>;
using Mac = std::unique_ptr<EVP_MAC, Release<EVP_MAC_free>>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, Release<EVP_MAC_CTX_free>>;
using Kdf = std::unique_ptr<EVP_KDF, Release<EVP_KDF_free>>;
using KdfContext = std::unique_ptr<EVP_KDF_CTX, Release<EVP_KDF_CTX_free>>;
using Pkey = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using PkeyContext = std::unique_ptr<EVP_PKEY_CTX, Release<EVP_PKEY_CTX_free>>;

/// Ends the program with `what` and libcrypto's errors unless `done`.
void require(bool done, const char* what);

/// A context of `key` for deriving a secret with `peer`, ready for derive().
[[nodiscard]] PkeyContext derive_context(EVP_PKEY* key, EVP_PKEY* peer);
/// The shared secret of 32 octets.
void derive(EVP_PKEY_CTX* context, std::uint8_t shared[32]);

}  // namespace signet::prims

// libcrypto's answers. A failure that is not an answer ends the program.
#pragma once

#include <memory>
#include <optional>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>

#include <signet/tests/differential/report.hpp>

namespace signet::differential {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const noexcept {
    release(object);
  }
};

using Pkey = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using PkeyContext = std::unique_ptr<EVP_PKEY_CTX, Release<EVP_PKEY_CTX_free>>;
using BigNumber = std::unique_ptr<BIGNUM, Release<BN_free>>;

/// Ends the program with `what` and libcrypto's errors unless `done`.
void require(bool done, const char* what);

/// The shared secret; nothing when libcrypto refuses it.
[[nodiscard]] std::optional<Octets> openssl_x25519(const Octets& secret, const Octets& peer);
[[nodiscard]] Octets openssl_x25519_public(const Octets& secret);

/// The group P-256: points are 65 octets, and empty at infinity.
class OpensslP256 {
 public:
  OpensslP256();
  /// u * G + v * point, all big-endian.
  [[nodiscard]] Octets mul_add(const Octets& u, const Octets& v, const Octets& point) const;
  [[nodiscard]] Octets mul_base(const Octets& k) const;
  /// Whether libcrypto takes the octets for a point.
  [[nodiscard]] bool parses(const Octets& octets) const;
  /// A point with this x, which must be below p; empty when there is none.
  [[nodiscard]] Octets with_x(const Octets& x, bool odd_y) const;

 private:
  [[nodiscard]] Octets octets(const EC_POINT* point) const;

  std::unique_ptr<EC_GROUP, Release<EC_GROUP_free>> group_;
  std::unique_ptr<BN_CTX, Release<BN_CTX_free>> context_;
};

/// A key of P-256 in libcrypto: its public half, and the private one when there is a scalar.
class OpensslP256Key {
 public:
  explicit OpensslP256Key(const Octets& point, const Octets& scalar = {});
  [[nodiscard]] bool verify(const Octets& digest, const Octets& r, const Octets& s) const;
  [[nodiscard]] Octets ecdh(const OpensslP256Key& peer) const;

 private:
  Pkey key_;
  PkeyContext verifier_;
};

/// One AEAD of libcrypto; a sealed text is followed by its tag.
class OpensslAead {
 public:
  explicit OpensslAead(const char* name);
  [[nodiscard]] Octets seal(const Octets& key, const Octets& nonce, const Octets& aad,
                            const Octets& text) const;
  /// Nothing when the tag is wrong.
  [[nodiscard]] std::optional<Octets> open(const Octets& key, const Octets& nonce, const Octets& aad,
                                           const Octets& sealed) const;

 private:
  std::unique_ptr<EVP_CIPHER, Release<EVP_CIPHER_free>> cipher_;
  std::unique_ptr<EVP_CIPHER_CTX, Release<EVP_CIPHER_CTX_free>> context_;
};

/// A hash, and HMAC and HKDF with it.
class OpensslHash {
 public:
  explicit OpensslHash(const char* name);
  [[nodiscard]] Octets hash(const Octets& data) const;
  [[nodiscard]] Octets hmac(const Octets& key, const Octets& data) const;
  [[nodiscard]] Octets hkdf_extract(const Octets& salt, const Octets& ikm) const;
  /// Nothing when the output is too long.
  [[nodiscard]] std::optional<Octets> hkdf_expand(const Octets& prk, const Octets& info,
                                                  std::size_t bytes) const;

 private:
  const char* name_;
  std::unique_ptr<EVP_MD, Release<EVP_MD_free>> digest_;
  std::unique_ptr<EVP_MAC, Release<EVP_MAC_free>> mac_;
  std::unique_ptr<EVP_MAC_CTX, Release<EVP_MAC_CTX_free>> mac_context_;
  std::unique_ptr<EVP_KDF, Release<EVP_KDF_free>> kdf_;
};

}  // namespace signet::differential

// P-256 (FIPS 186-5, SEC 1, RFC 6979): key pairs, ECDH, ECDSA.
#pragma once

#include <optional>

#include <signet/base/bytes.hpp>
#include <signet/crypto/kernels/p256_kernels.hpp>

namespace signet::crypto {

constexpr std::size_t p256_scalar_bytes = 32;
constexpr std::size_t p256_point_bytes = 65;  // 0x04 || x || y, SEC 1 section 2.3.3

/// A point on the curve, checked when it was made; never the point at infinity.
class P256PublicKey {
 public:
  /// From the uncompressed form; nullopt when the length, the first octet, a coordinate's range or the curve
  /// equation is wrong (SEC 1 section 3.2.2.1). Not constant time: the point is public.
  [[nodiscard]] static std::optional<P256PublicKey> parse_vartime(base::Bytes point) noexcept;
  void write(std::span<std::uint8_t, p256_point_bytes> point) const noexcept;

  p256::Affine point;  // in the field's own form; crypto/p256*.cpp alone reads it
};

struct EcdsaSignature {
  std::uint8_t r[32];  // big-endian
  std::uint8_t s[32];
};

/// A scalar in [1, n-1] and its point. Every copy wipes itself when it goes.
class P256PrivateKey {
 public:
  P256PrivateKey() noexcept = default;  // empty; only to be assigned to
  P256PrivateKey(const P256PrivateKey&) noexcept = default;
  P256PrivateKey& operator=(const P256PrivateKey&) noexcept = default;
  ~P256PrivateKey() { wipe(); }

  /// From 32 octets big-endian; nullopt when zero or not below the group order. Constant time but for that
  /// answer. The forms with a kernel, here and below, are for tests, which run every one.
  [[nodiscard]] static std::optional<P256PrivateKey> from_scalar(
      std::span<const std::uint8_t, 32> scalar) noexcept;
  [[nodiscard]] static std::optional<P256PrivateKey> from_scalar(std::span<const std::uint8_t, 32> scalar,
                                                                 const p256::Kernel& kernel) noexcept;
  [[nodiscard]] const P256PublicKey& public_key() const noexcept { return public_key_; }
  [[nodiscard]] std::span<const std::uint8_t, 32> scalar() const noexcept { return scalar_; }
  void wipe() noexcept {
    base::wipe(scalar_);
    base::wipe_object(public_key_);
  }

 private:
  std::uint8_t scalar_[32];
  P256PublicKey public_key_;
};

/// The x coordinate of scalar * peer (SEC 1 section 3.3.1). Constant time. The group has prime order and the
/// peer was checked, so it cannot fail.
void p256_ecdh(std::span<std::uint8_t, 32> shared, const P256PrivateKey& key,
               const P256PublicKey& peer) noexcept;
void p256_ecdh(std::span<std::uint8_t, 32> shared, const P256PrivateKey& key, const P256PublicKey& peer,
               const p256::Kernel& kernel) noexcept;

/// ECDSA over a digest of any length (its leftmost 256 bits are used). The nonce is RFC 6979's with
/// HMAC-SHA-256, with `fresh` as its additional data (section 3.6), so that neither a fault nor a bad
/// generator alone gives the key away; an empty `fresh` is the RFC's deterministic form, for tests. Constant
/// time. The signature is not checked here: callers verify it before it is sent.
void p256_sign(EcdsaSignature& signature, const P256PrivateKey& key, base::Bytes digest,
               base::Bytes fresh) noexcept;
void p256_sign(EcdsaSignature& signature, const P256PrivateKey& key, base::Bytes digest, base::Bytes fresh,
               const p256::Kernel& kernel) noexcept;

/// Whether `signature` is right. Not constant time: all inputs are public.
[[nodiscard]] bool p256_verify_vartime(const P256PublicKey& key, base::Bytes digest,
                                       const EcdsaSignature& signature) noexcept;
[[nodiscard]] bool p256_verify_vartime(const P256PublicKey& key, base::Bytes digest,
                                       const EcdsaSignature& signature, const p256::Kernel& kernel) noexcept;

/// Multiples of one public key's point (38 KiB), with which verification takes less than a third of its time:
/// for keys that are used again and again, as an identity's own one.
class P256VerifyTable {
 public:
  /// Costs about four verifications; at start-up. Not constant time.
  [[nodiscard]] static P256VerifyTable build_vartime(const P256PublicKey& key) noexcept {
    return P256VerifyTable(key);
  }
  [[nodiscard]] static P256VerifyTable build_vartime(const P256PublicKey& key,
                                                     const p256::Kernel& kernel) noexcept {
    return P256VerifyTable(key, kernel);
  }
  /// As p256_verify_vartime with the key that the table was built for.
  [[nodiscard]] bool verify_vartime(base::Bytes digest, const EcdsaSignature& signature) const noexcept;

 private:
  explicit P256VerifyTable(const P256PublicKey& key) noexcept;
  P256VerifyTable(const P256PublicKey& key, const p256::Kernel& kernel) noexcept;

  p256::OddMultiples multiples_;
  const p256::Kernel* kernel_;
};

/// The SEQUENCE of two INTEGERs of RFC 3279 section 2.2.3, strict DER. At most 72 octets.
constexpr std::size_t max_ecdsa_der_bytes = 72;
[[nodiscard]] std::size_t ecdsa_to_der(std::span<std::uint8_t, max_ecdsa_der_bytes> der,
                                       const EcdsaSignature& signature) noexcept;
[[nodiscard]] std::optional<EcdsaSignature> ecdsa_from_der_vartime(base::Bytes der) noexcept;

}  // namespace signet::crypto

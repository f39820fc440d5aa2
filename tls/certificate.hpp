// X.509 certificates (RFC 5280 section 4) parsed into views of their DER. Nothing is copied or allocated, and
// nothing is decided: whether to trust a certificate is asked elsewhere.
#pragma once

#include <optional>

#include <signet/crypto/der.hpp>
#include <signet/crypto/p256.hpp>

namespace signet::tls {

/// An AlgorithmIdentifier: `parameters` is a whole element, or empty when absent.
struct AlgorithmIdentifier {
  base::Bytes der;
  base::Bytes oid;
  base::Bytes parameters;
};

enum class KeyAlgorithm : std::uint8_t { ecdsa_p256, other };

struct SubjectPublicKeyInfo {
  base::Bytes der;
  KeyAlgorithm kind = KeyAlgorithm::other;
  AlgorithmIdentifier algorithm;  // what `other` is, by its OID
  base::Bytes key;                // the BIT STRING's octets; for P-256 the point, not looked at yet
};

/// The fields of a TBSCertificate; those that are elements themselves are whole, with tag and length.
struct TbsCertificate {
  base::Bytes der;
  std::uint32_t version = 1;  // 1 to 3
  base::Bytes serial;         // content of the INTEGER; may be negative or long, though RFC 5280 forbids it
  base::Bytes signature;      // AlgorithmIdentifier; a verifier compares it with Certificate's
  base::Bytes issuer;
  std::int64_t not_before = 0;  // seconds since the epoch, both ends inclusive
  std::int64_t not_after = 0;
  base::Bytes subject;
  base::Bytes public_key;
  base::Bytes extensions;  // what [3] holds: a SEQUENCE OF Extension; empty when absent
};

struct Certificate {
  base::Bytes der;
  TbsCertificate tbs;
  SubjectPublicKeyInfo public_key;
  AlgorithmIdentifier signature_algorithm;
  base::Bytes signature;
};

constexpr std::size_t max_certificate_bytes = 1 << 16;
constexpr std::size_t max_extensions = 64;

/// Parses exactly one certificate. Checked: all of the DER down to names' attributes, the version against the
/// fields, both times, no extension twice, and the syntax of the extensions that certificate_extensions.hpp
/// reads. Not checked: signatures, dates against the clock, the point of a key, strings in names, other
/// extensions' contents.
[[nodiscard]] bool parse_certificate(Certificate& certificate, crypto::der::Fault& fault,
                                     base::Bytes der) noexcept;

/// The TBSCertificate alone, its fields as they stand.
[[nodiscard]] bool parse_tbs_certificate(TbsCertificate& tbs, crypto::der::Fault& fault,
                                         base::Bytes der) noexcept;

/// The key as a point of the curve; nullopt for other algorithms and for octets that are no uncompressed
/// point.
[[nodiscard]] std::optional<crypto::P256PublicKey> p256_key_vartime(
    const SubjectPublicKeyInfo& info) noexcept;

struct CertificateExtension {
  base::Bytes oid;
  bool critical = false;
  base::Bytes value;  // content of the OCTET STRING: DER of the extension's own type
};

/// The extensions of a parsed certificate, in their order.
class CertificateExtensions {
 public:
  explicit CertificateExtensions(const Certificate& certificate) noexcept;
  CertificateExtensions(const CertificateExtensions&) = delete;
  CertificateExtensions& operator=(const CertificateExtensions&) = delete;

  /// False at the end.
  [[nodiscard]] bool next(CertificateExtension& extension) noexcept;

 private:
  crypto::der::Fault fault_;
  crypto::der::Reader reader_;
};

/// The extension of this OID (crypto/oid.hpp), or nullopt.
[[nodiscard]] std::optional<CertificateExtension> find_extension(const Certificate& certificate,
                                                                 base::Bytes oid) noexcept;

}  // namespace signet::tls

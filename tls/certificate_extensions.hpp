// The contents of the extensions that servers and validation read (RFC 5280 section 4.2.1). parse_certificate
// has checked the syntax of each of them, so that reading them cannot fail.
#pragma once

#include <signet/tls/certificate.hpp>

namespace signet::tls {

struct BasicConstraints {
  bool ca = false;
  std::optional<std::uint32_t> path_length;
};

/// nullopt when the extension is absent.
[[nodiscard]] std::optional<BasicConstraints> basic_constraints(const Certificate& certificate) noexcept;

enum class KeyUsage : std::uint8_t {  // the value is the bit's number
  digital_signature = 0,
  content_commitment = 1,
  key_encipherment = 2,
  data_encipherment = 3,
  key_agreement = 4,
  certificate_sign = 5,
  crl_sign = 6,
};

/// Whether the key may be used so: always, when the extension is absent.
[[nodiscard]] bool allows(const Certificate& certificate, KeyUsage usage) noexcept;

struct GeneralName {
  enum class Kind : std::uint8_t { dns, ip, other };
  Kind kind = Kind::other;
  base::Bytes value;  // dns: ASCII as it stands; ip: 4 or 16 octets; other: the whole element
};

/// The names of subjectAltName, in their order; none when it is absent.
class AlternativeNames {
 public:
  explicit AlternativeNames(const Certificate& certificate) noexcept;
  AlternativeNames(const AlternativeNames&) = delete;
  AlternativeNames& operator=(const AlternativeNames&) = delete;

  /// False at the end.
  [[nodiscard]] bool next(GeneralName& name) noexcept;

 private:
  crypto::der::Fault fault_;
  crypto::der::Reader reader_;
};

/// Checks the syntax of the extensions named in this file, and of subjectKeyIdentifier and
/// authorityKeyIdentifier; all others pass. `parent` reads the input that holds `extension`.
[[nodiscard]] bool check_extension(crypto::der::Reader& parent,
                                   const CertificateExtension& extension) noexcept;

}  // namespace signet::tls

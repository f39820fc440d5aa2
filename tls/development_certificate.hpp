// A certificate for development, made in memory at start-up, its own trust anchor.
#pragma once

#include <array>
#include <string>

#include <signet/tls/identity.hpp>

namespace signet::tls {

constexpr std::int64_t development_days = 90;

struct DevelopmentCertificate {
  std::shared_ptr<const Identity> identity;
  std::string certificate_pem;
  std::string key_pem;                    // SEC1; secret, wiped with this object unless it was moved out
  std::array<std::uint8_t, 32> sha256{};  // of the certificate's DER

  DevelopmentCertificate() = default;
  DevelopmentCertificate(DevelopmentCertificate&&) noexcept = default;
  DevelopmentCertificate& operator=(DevelopmentCertificate&&) = delete;
  ~DevelopmentCertificate();
};

/// A new P-256 key and a self-signed certificate for localhost, 127.0.0.1 and ::1 that may serve TLS and
/// nothing else, from a day before `now` (seconds since the epoch) for development_days. Fails when the
/// signature does not verify.
[[nodiscard]] base::Result<DevelopmentCertificate, IdentityFault> make_development_certificate(
    std::int64_t now) noexcept;

}  // namespace signet::tls

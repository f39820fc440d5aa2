#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/oid.hpp>
#include <signet/crypto/pem.hpp>
#include <signet/crypto/private_key.hpp>
#include <signet/crypto/sha2.hpp>
#include <signet/tests/support/test_identity.hpp>
#include <signet/tls/certificate_extensions.hpp>
#include <signet/tls/development_certificate.hpp>

using namespace signet;
using namespace signet::tls;
namespace oid = crypto::oid;

namespace {

constexpr std::int64_t now = test_identity::now;
constexpr std::int64_t day = 86'400;

DevelopmentCertificate make(std::int64_t at) {
  auto made = make_development_certificate(at);
  REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : made.error().reason));
  return std::move(*made);
}

Certificate parsed(base::Bytes der) {
  Certificate certificate;
  crypto::der::Fault fault;
  REQUIRE(parse_certificate(certificate, fault, der));
  return certificate;
}

}  // namespace

TEST_CASE("the development certificate says who it is, for how long and for what") {
  const DevelopmentCertificate made = make(now);
  const Certificate certificate = parsed(made.identity->certificate(0));
  CHECK(certificate.tbs.version == 3);
  CHECK(certificate.tbs.serial.size() == 16);
  CHECK((certificate.tbs.serial[0] & 0x80) == 0);
  CHECK(certificate.tbs.not_before == now - day);
  CHECK(certificate.tbs.not_after == now - day + development_days * day);
  CHECK(oid::equal(certificate.tbs.issuer, certificate.tbs.subject));
  CHECK(base::as_text(certificate.tbs.subject).ends_with("localhost"));
  REQUIRE(basic_constraints(certificate).has_value());
  CHECK_FALSE(basic_constraints(certificate)->ca);
  CHECK(find_extension(certificate, oid::basic_constraints)->critical);
  CHECK(allows(certificate, KeyUsage::digital_signature));
  CHECK_FALSE(allows(certificate, KeyUsage::certificate_sign));
  const auto purpose = find_extension(certificate, oid::extended_key_usage);
  REQUIRE(purpose.has_value());
  CHECK(oid::equal(purpose->value.subspan(4), oid::server_auth));
}

TEST_CASE("its names are localhost and the two loopback addresses") {
  const DevelopmentCertificate made = make(now);
  const Certificate certificate = parsed(made.identity->certificate(0));
  std::vector<std::vector<std::uint8_t>> values;
  AlternativeNames names(certificate);
  for (GeneralName name; names.next(name);) values.emplace_back(name.value.begin(), name.value.end());
  REQUIRE(values.size() == 3);
  CHECK(base::as_text(values[0]) == "localhost");
  CHECK(values[1] == std::vector<std::uint8_t>{127, 0, 0, 1});
  std::vector<std::uint8_t> ipv6(16, 0);
  ipv6[15] = 1;
  CHECK(values[2] == ipv6);
}

TEST_CASE("it is signed by its own key") {
  const DevelopmentCertificate made = make(now);
  const Certificate certificate = parsed(made.identity->certificate(0));
  const auto key = p256_key_vartime(certificate.public_key);
  const auto signature = crypto::ecdsa_from_der_vartime(certificate.signature);
  REQUIRE(key.has_value());
  REQUIRE(signature.has_value());
  std::uint8_t digest[32];
  crypto::Sha256 hash;
  hash.update(certificate.tbs.der);
  hash.finish(digest);
  CHECK(crypto::p256_verify_vartime(*key, digest, *signature));
  CHECK(oid::equal(certificate.tbs.signature, certificate.signature_algorithm.der));
}

TEST_CASE("its PEM texts load as the same identity, and its SHA-256 is the certificate's") {
  const DevelopmentCertificate made = make(now);
  const auto loaded = Identity::load(base::as_bytes(made.certificate_pem), base::as_bytes(made.key_pem), now);
  REQUIRE(loaded.ok());
  CHECK(std::ranges::equal((*loaded)->certificate_message(), made.identity->certificate_message()));
  std::uint8_t digest[32];
  crypto::Sha256 hash;
  hash.update(made.identity->certificate(0));
  hash.finish(digest);
  CHECK(std::ranges::equal(made.sha256, digest));
}

TEST_CASE("each has its own key and serial") {
  const DevelopmentCertificate a = make(now);
  const DevelopmentCertificate b = make(now);
  CHECK(a.key_pem != b.key_pem);
  CHECK_FALSE(oid::equal(parsed(a.identity->certificate(0)).tbs.serial,
                         parsed(b.identity->certificate(0)).tbs.serial));
}

TEST_CASE("it is made right on both sides of the year 2050, where its dates change type") {
  constexpr std::int64_t year_2050 = 2'524'608'000;
  for (const std::int64_t at :
       {std::int64_t{0}, year_2050 - 200 * day, year_2050 - 45 * day, year_2050 + 200 * day}) {
    const DevelopmentCertificate made = make(at);
    CHECK(parsed(made.identity->certificate(0)).tbs.not_before == at - day);
  }
}

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <signet/crypto/oid.hpp>
#include <signet/crypto/pem.hpp>
#include <signet/tests/support/test_identity.hpp>
#include <signet/tls/certificate.hpp>
#include <signet/tls/certificate_extensions.hpp>
#include <signet/tls/der_time.hpp>

using namespace signet;
using namespace signet::tls;
namespace der = crypto::der;
namespace oid = crypto::oid;
namespace ids = test_identity;

namespace {

using Octets = std::vector<std::uint8_t>;

Octets der_of(std::string_view pem) {
  const auto blocks = crypto::parse_pem(base::as_bytes(pem));
  REQUIRE(blocks.ok());
  return (*blocks)[0].contents;
}

std::string fault_of(base::Bytes input) {
  Certificate certificate;
  der::Fault fault;
  if (parse_certificate(certificate, fault, input)) return "";
  return std::string(fault.what) + " " + fault.problem;
}

/// A version 3 certificate whose parts a test may replace; each is whole DER.
struct Parts {
  Octets version = {0xa0, 0x03, 0x02, 0x01, 0x02};
  Octets serial = {0x02, 0x01, 0x05};
  Octets algorithm = {0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02};
  Octets issuer = {0x30, 0x0c, 0x31, 0x0a, 0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0c, 0x01, 'I'};
  Octets validity;
  Octets subject = {0x30, 0x0c, 0x31, 0x0a, 0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0c, 0x01, 'S'};
  Octets public_key = {0x30, 0x0a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x01, 0x00};
  Octets after_key;
  std::vector<Octets> extensions;
  Octets signature = {0x03, 0x02, 0x00, 0x77};

  Parts() {
    validity = {0x30, 0x1e};
    for (const std::string_view time : {"260101000000Z", "270101000000Z"}) {
      validity.insert(validity.end(), {0x17, 0x0d});
      validity.insert(validity.end(), time.begin(), time.end());
    }
  }

  [[nodiscard]] Octets certificate() const {
    Octets room(16'384);
    der::Writer writer(room);
    writer.nested(der::sequence, [&] {
      writer.nested(der::sequence, [&] { write_tbs(writer); });
      writer.raw(algorithm);
      writer.raw(signature);
    });
    REQUIRE(writer.ok());
    return {writer.written().begin(), writer.written().end()};
  }

  void write_tbs(der::Writer& writer) const {
    for (const Octets* part :
         {&version, &serial, &algorithm, &issuer, &validity, &subject, &public_key, &after_key}) {
      writer.raw(*part);
    }
    if (extensions.empty()) return;
    writer.nested(der::context_constructed(3), [&] {
      writer.nested(der::sequence, [&] {
        for (const Octets& extension : extensions) writer.raw(extension);
      });
    });
  }
};

Octets extension(base::Bytes id, const Octets& value, bool critical) {
  Octets room(400);
  der::Writer writer(room);
  writer.nested(der::sequence, [&] {
    writer.element(der::object_identifier, id);
    if (critical) writer.true_boolean();
    writer.element(der::octet_string, value);
  });
  REQUIRE(writer.ok());
  return {writer.written().begin(), writer.written().end()};
}

std::string fault_with(base::Bytes id, const Octets& value) {
  Parts parts;
  parts.extensions = {extension(id, value, false)};
  return fault_of(parts.certificate());
}

std::int64_t time_of(der::Tag tag, std::string_view text) {
  std::int64_t seconds = -1;
  const der::Element element{tag, {}, base::as_bytes(text)};
  return parse_der_time(seconds, element) ? seconds : -1;
}

}  // namespace

TEST_CASE("a certificate's fields") {
  const Octets input = der_of(ids::leaf_certificate);
  Certificate certificate;
  der::Fault fault;
  REQUIRE(parse_certificate(certificate, fault, input));
  CHECK(certificate.der.data() == input.data());
  CHECK(certificate.der.size() == input.size());
  CHECK(certificate.tbs.version == 3);
  CHECK(Octets(certificate.tbs.serial.begin(), certificate.tbs.serial.end()) == Octets{0x10, 0x02});
  CHECK(certificate.tbs.not_before == 1'767'225'600);
  CHECK(certificate.tbs.not_after == 2'082'758'400);
  CHECK(certificate.public_key.kind == KeyAlgorithm::ecdsa_p256);
  CHECK(certificate.public_key.key.size() == 65);
  CHECK(p256_key_vartime(certificate.public_key).has_value());
  CHECK(oid::equal(certificate.signature_algorithm.oid, oid::ecdsa_with_sha256));
  CHECK(oid::equal(certificate.signature_algorithm.der, certificate.tbs.signature));
  CHECK(certificate.signature.size() >= 68);
  CHECK(base::as_text(certificate.tbs.issuer).find("Test Root") != std::string_view::npos);
  CHECK(base::as_text(certificate.tbs.subject).find("example.test") != std::string_view::npos);

  Certificate root;
  const Octets root_der = der_of(ids::root_certificate);
  REQUIRE(parse_certificate(root, fault, root_der));
  CHECK(oid::equal(certificate.tbs.issuer, root.tbs.subject));
  CHECK_FALSE(oid::equal(certificate.tbs.subject, root.tbs.subject));
}

TEST_CASE("the signed octets are the TBSCertificate's, header included") {
  const Octets input = der_of(ids::leaf_certificate);
  Certificate certificate;
  der::Fault fault;
  REQUIRE(parse_certificate(certificate, fault, input));
  CHECK(certificate.tbs.der.data() == input.data() + 4);
  CHECK(certificate.tbs.der[0] == der::sequence);
  TbsCertificate alone;
  REQUIRE(parse_tbs_certificate(alone, fault, certificate.tbs.der));
  CHECK(alone.not_after == certificate.tbs.not_after);
}

TEST_CASE("keys of other kinds are told by their OID") {
  Certificate certificate;
  der::Fault fault;
  const Octets rsa = der_of(ids::rsa_certificate);
  REQUIRE(parse_certificate(certificate, fault, rsa));
  CHECK(certificate.public_key.kind == KeyAlgorithm::other);
  CHECK(certificate.public_key.algorithm.oid.size() == 9);
  CHECK_FALSE(p256_key_vartime(certificate.public_key).has_value());
  const Octets p384 = der_of(ids::p384_certificate);
  REQUIRE(parse_certificate(certificate, fault, p384));
  CHECK(certificate.public_key.kind == KeyAlgorithm::other);
  CHECK(oid::equal(certificate.public_key.algorithm.oid, oid::ec_public_key));
}

TEST_CASE("extensions are met in order and found by OID") {
  const Octets input = der_of(ids::leaf_certificate);
  Certificate certificate;
  der::Fault fault;
  REQUIRE(parse_certificate(certificate, fault, input));
  std::size_t count = 0;
  CertificateExtensions extensions(certificate);
  for (CertificateExtension next; extensions.next(next); count++) CHECK(next.oid.size() == 3);
  CHECK(count == 6);
  const auto usage = find_extension(certificate, oid::key_usage);
  REQUIRE(usage.has_value());
  CHECK(usage->critical);
  CHECK(Octets(usage->value.begin(), usage->value.end()) == Octets{0x03, 0x02, 0x07, 0x80});
  CHECK(find_extension(certificate, oid::subject_alt_name)->critical == false);
  CHECK_FALSE(find_extension(certificate, oid::common_name).has_value());
}

TEST_CASE("alternative names, basic constraints and key usage") {
  Certificate certificate;
  der::Fault fault;
  const Octets leaf = der_of(ids::leaf_certificate);
  REQUIRE(parse_certificate(certificate, fault, leaf));
  std::vector<std::string> seen;
  AlternativeNames names(certificate);
  for (GeneralName name; names.next(name);) {
    const char* kind = name.kind == GeneralName::Kind::dns  ? "dns "
                       : name.kind == GeneralName::Kind::ip ? "ip "
                                                            : "other ";
    seen.push_back(kind + (name.kind == GeneralName::Kind::dns ? std::string(base::as_text(name.value))
                                                               : std::to_string(name.value.size())));
  }
  CHECK(seen ==
        std::vector<std::string>{"dns example.test", "dns *.example.test", "ip 4", "ip 16", "other 16"});
  CHECK(basic_constraints(certificate)->ca == false);
  CHECK(allows(certificate, KeyUsage::digital_signature));
  CHECK_FALSE(allows(certificate, KeyUsage::key_agreement));

  const Octets root = der_of(ids::root_certificate);
  REQUIRE(parse_certificate(certificate, fault, root));
  CHECK(basic_constraints(certificate)->ca);
  CHECK(basic_constraints(certificate)->path_length == 0u);
  CHECK(allows(certificate, KeyUsage::certificate_sign));
  CHECK_FALSE(allows(certificate, KeyUsage::digital_signature));
  GeneralName none;
  CHECK_FALSE(AlternativeNames(certificate).next(none));
}

TEST_CASE("no octet can be cut off, added or stray outside its parent") {
  const Octets whole = der_of(ids::leaf_certificate);
  for (std::size_t size = 0; size < whole.size(); size++) {
    const Octets cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(fault_of(cut) != "");
  }
  Octets longer = whole;
  longer.push_back(0);
  CHECK(fault_of(longer) == "the certificate has octets after its end");
  // Every octet changed: whatever comes out, the views stay inside (the sanitizers look).
  for (std::size_t i = 0; i < whole.size(); i++) {
    Octets changed = whole;
    changed[i] ^= 0x81;
    Certificate certificate;
    der::Fault fault;
    if (!parse_certificate(certificate, fault, changed)) {
      CHECK(fault.offset <= changed.size());
      continue;
    }
    AlternativeNames names(certificate);
    for (GeneralName name; names.next(name);)
      CHECK(name.value.data() + name.value.size() <= changed.data() + changed.size());
  }
}

TEST_CASE("the made certificate that the next cases spoil is right") {
  CHECK(fault_of(Parts().certificate()) == "");
  Parts plain;
  plain.version = {};
  CHECK(fault_of(plain.certificate()) == "");
}

TEST_CASE("versions") {
  Parts parts;
  parts.version = {0xa0, 0x03, 0x02, 0x01, 0x00};
  CHECK(fault_of(parts.certificate()) == "version is neither 2 nor 3");
  parts.version = {0xa0, 0x03, 0x02, 0x01, 0x03};
  CHECK(fault_of(parts.certificate()) == "version is neither 2 nor 3");
  parts.version = {0xa0, 0x03, 0x02, 0x01, 0x01};
  CHECK(fault_of(parts.certificate()) == "");
  parts.extensions = {extension(oid::extended_key_usage, {}, false)};
  CHECK(fault_of(parts.certificate()) == "extensions stand in a certificate that is not of version 3");
  parts = {};
  parts.version = {};
  parts.after_key = {0x81, 0x02, 0x00, 0x55};
  CHECK(fault_of(parts.certificate()) == "unique identifier stands in a certificate of version 1");
  parts.version = {0xa0, 0x03, 0x02, 0x01, 0x01};
  CHECK(fault_of(parts.certificate()) == "");
}

TEST_CASE("malformed fields") {
  Parts parts;
  parts.serial = {0x02, 0x02, 0x00, 0x05};
  CHECK(fault_of(parts.certificate()) == "serialNumber is an INTEGER not in its shortest form");
  parts = {};
  parts.issuer = {0x30, 0x02, 0x31, 0x00};
  CHECK(fault_of(parts.certificate()) == "issuer is missing");
  parts = {};
  parts.subject = {0x30, 0x02, 0x05, 0x00};
  CHECK(fault_of(parts.certificate()) == "subject has another type than it must have");
  parts = {};
  parts.public_key = {0x30, 0x0a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x01, 0x01};
  CHECK(fault_of(parts.certificate()) == "subjectPublicKeyInfo has a wrong count of unused bits");
  parts = {};
  parts.signature = {0x03, 0x02, 0x01, 0x76};
  CHECK(fault_of(parts.certificate()) == "signatureValue is not a whole number of octets");
  parts = {};
  parts.signature = {0x03, 0x02, 0x00, 0x77, 0x05, 0x00};
  CHECK(fault_of(parts.certificate()) == "the certificate has octets after its end");
  parts = {};
  parts.after_key = {0x05, 0x00};
  CHECK(fault_of(parts.certificate()) == "tbsCertificate has octets after its end");
  parts = {};
  parts.validity[4 + 12] = '+';
  CHECK(fault_of(parts.certificate()) == "notBefore is not a UTCTime or GeneralizedTime");
}

TEST_CASE("malformed extensions") {
  Parts parts;
  const Octets usage = extension(oid::key_usage, {0x03, 0x02, 0x07, 0x80}, true);
  parts.extensions = {usage, usage};
  CHECK(fault_of(parts.certificate()) == "extension is there twice");
  parts.extensions = {{0x30, 0x0a, 0x06, 0x03, 0x55, 0x1d, 0x25, 0x01, 0x01, 0x00, 0x04, 0x00}};
  CHECK(fault_of(parts.certificate()) == "critical is FALSE, which must be left out");
  parts.extensions = {};
  for (std::uint8_t i = 0; i < 65; i++) parts.extensions.push_back(extension(Octets{0x2a, i}, {}, false));
  CHECK(fault_of(parts.certificate()) == "extensions are more than 64");
  parts.extensions.pop_back();
  CHECK(fault_of(parts.certificate()) == "");
  parts.extensions = {};
  parts.after_key = {0xa3, 0x02, 0x30, 0x00};
  CHECK(fault_of(parts.certificate()) == "extension is missing");
  parts.after_key = {0xa3, 0x00};
  CHECK(fault_of(parts.certificate()) == "extensions are empty");

  CHECK(fault_with(oid::key_usage, {0x03, 0x02, 0x07, 0x00}) == "keyUsage sets no bit");
  CHECK(fault_with(oid::key_usage, {0x03, 0x01, 0x00}) == "keyUsage sets no bit");
  CHECK(fault_with(oid::key_usage, {0x03, 0x02, 0x07, 0x80, 0x00}) == "extension has octets after its end");
  CHECK(fault_with(oid::basic_constraints, {0x30, 0x03, 0x02, 0x01, 0xff}) == "basicConstraints is negative");
  CHECK(fault_with(oid::basic_constraints, {0x30, 0x03, 0x01, 0x01, 0x02}) ==
        "basicConstraints is neither 00 nor FF");
  CHECK(fault_with(oid::key_usage, {0x04, 0x00}) == "keyUsage has another type than it must have");
  CHECK(fault_with(oid::subject_alt_name, {0x04, 0x00}) ==
        "subjectAltName has another type than it must have");
  CHECK(fault_with(oid::subject_alt_name, {0x30, 0x04, 0x82, 0x02, 0x21, 0x7e}) == "");
  CHECK(fault_with(oid::subject_alt_name, {0x30, 0x03, 0x82, 0x01, 0x7f}) ==
        "subjectAltName has a dNSName that is not ASCII");
  CHECK(fault_with(oid::subject_alt_name, {0x30, 0x00}) == "subjectAltName is missing");
  CHECK(fault_with(oid::subject_alt_name, {0x30, 0x05, 0x87, 0x03, 1, 2, 3}) ==
        "subjectAltName has an iPAddress that is not of 4 or 16 octets");
  CHECK(fault_with(oid::subject_alt_name, {0x30, 0x03, 0x82, 0x01, 0xe4}) ==
        "subjectAltName has a dNSName that is not ASCII");
  CHECK(fault_with(oid::subject_alt_name, {0x30, 0x03, 0x82, 0x01, 0x00}) ==
        "subjectAltName has a dNSName that is not ASCII");
  CHECK(fault_with(oid::subject_alt_name, {0x30, 0x02, 0x89, 0x00}) ==
        "subjectAltName has a name of no known type");
}

TEST_CASE("an empty subject needs a critical subjectAltName") {
  Parts parts;
  parts.subject = {0x30, 0x00};
  const Octets names = {0x30, 0x03, 0x82, 0x01, 'a'};
  parts.extensions = {extension(oid::subject_alt_name, names, false)};
  CHECK(fault_of(parts.certificate()) == "subjectAltName is not critical though the subject is empty");
  parts.extensions = {extension(oid::subject_alt_name, names, true)};
  CHECK(fault_of(parts.certificate()) == "");
}

TEST_CASE("a certificate over 65,536 octets is refused") {
  const Octets exact(max_certificate_bytes, 0);
  const Octets over(max_certificate_bytes + 1, 0);
  CHECK(fault_of(over) == "the certificate has more than 65,536 octets");
  CHECK(fault_of(exact) == "the certificate has another type than it must have");
}

TEST_CASE("times, to the second and nothing but the two exact forms") {
  CHECK(time_of(der::utc_time, "700101000000Z") == 0);
  CHECK(time_of(der::utc_time, "491231235959Z") == 2'524'607'999);
  CHECK(time_of(der::generalized_time, "20500101000000Z") == 2'524'608'000);
  CHECK(time_of(der::generalized_time, "99991231235959Z") == 253'402'300'799);
  CHECK(time_of(der::utc_time, "240229120000Z") == 1'709'208'000);
  std::int64_t before = 0;
  const der::Element fifty{der::utc_time, {}, base::as_bytes("500101000000Z")};
  REQUIRE(parse_der_time(before, fifty));
  CHECK(before == -631'152'000);

  for (const char* text :
       {"230229120000Z", "240001000000Z", "241301000000Z", "240100000000Z", "240132000000Z", "240101240000Z",
        "240101006000Z", "240101000060Z", "2401010000Z", "240101000000+0000", "240101000000", "24010100000aZ",
        " 40101000000Z", "20240101000000Z", ""}) {
    CHECK_MESSAGE(time_of(der::utc_time, text) == -1, text);
  }
  for (const char* text :
       {"20240101000000.5Z", "20240101000000", "2024010100Z", "240101000000Z", "2024a101000000Z"}) {
    CHECK_MESSAGE(time_of(der::generalized_time, text) == -1, text);
  }
  CHECK(time_of(der::octet_string, "240101000000Z") == -1);
}

TEST_CASE("times written are read back, by the type of their year") {
  for (const std::int64_t seconds :
       {0LL, 1'709'208'000LL, 2'524'607'999LL, 2'524'608'000LL, 253'402'300'799LL}) {
    std::uint8_t room[32];
    der::Writer writer(room);
    write_der_time(writer, seconds);
    der::Fault fault;
    der::Reader reader(writer.written(), fault);
    der::Element element;
    REQUIRE(reader.any(element, "time"));
    CHECK(element.tag == (seconds < 2'524'608'000 ? der::utc_time : der::generalized_time));
    std::int64_t read = -1;
    CHECK(parse_der_time(read, element));
    CHECK(read == seconds);
  }
  CHECK(date_text(1'709'208'001).view() == "2024-02-29 12:00:01 UTC");
}

#include <signet/crypto/oid.hpp>
#include <signet/tls/certificate.hpp>
#include <signet/tls/certificate_extensions.hpp>
#include <signet/tls/der_time.hpp>

namespace signet::tls {
namespace {

namespace der = crypto::der;
namespace oid = crypto::oid;

bool read_whole(base::Bytes& whole, der::Reader& reader, der::Tag tag, const char* what) noexcept {
  der::Element element;
  if (!reader.read(element, tag, what)) return false;
  whole = element.whole;
  return true;
}

bool read_time(std::int64_t& seconds, der::Reader& reader, const char* what) noexcept {
  der::Element element;
  if (!reader.any(element, what)) return false;
  return parse_der_time(seconds, element) ||
         reader.fail_at(element.whole, what, "is not a UTCTime or GeneralizedTime");
}

// Version 1 is the default and must be left out (X.690 section 11.5).
bool read_version(TbsCertificate& tbs, der::Reader& reader) noexcept {
  if (!reader.next_is(der::context_constructed(0))) return true;
  der::Reader inner;
  std::uint32_t number = 0;
  if (!reader.enter(inner, der::context_constructed(0), "version")) return false;
  if (!inner.read_small_integer(number, "version") || !inner.finish("version")) return false;
  tbs.version = number + 1;
  return number == 1 || number == 2 || reader.fail("version", "is neither 2 nor 3");
}

bool read_validity(TbsCertificate& tbs, der::Reader& reader) noexcept {
  der::Reader validity;
  return reader.enter(validity, der::sequence, "validity") &&
         read_time(tbs.not_before, validity, "notBefore") && read_time(tbs.not_after, validity, "notAfter") &&
         validity.finish("validity");
}

// issuerUniqueID [1] and subjectUniqueID [2]: IMPLICIT BIT STRINGs that nothing uses.
bool skip_unique_id(TbsCertificate& tbs, der::Reader& reader, unsigned number) noexcept {
  if (!reader.next_is(der::context(number))) return true;
  der::Element element;
  if (tbs.version < 2) return reader.fail("unique identifier", "stands in a certificate of version 1");
  if (!reader.any(element, "unique identifier")) return false;
  const bool bits = !element.content.empty() && element.content[0] <= 7;
  return bits || reader.fail_at(element.whole, "unique identifier", "is not a BIT STRING");
}

bool read_extensions_field(TbsCertificate& tbs, der::Reader& reader) noexcept {
  if (!reader.next_is(der::context_constructed(3))) return true;
  der::Element element;
  if (tbs.version != 3) return reader.fail("extensions", "stand in a certificate that is not of version 3");
  if (!reader.any(element, "extensions")) return false;
  tbs.extensions = element.content;
  return !tbs.extensions.empty() || reader.fail_at(element.whole, "extensions", "are empty");
}

bool read_tbs(TbsCertificate& tbs, der::Reader& parent) noexcept {
  der::Element whole;
  der::Reader reader;
  if (!parent.read(whole, der::sequence, "tbsCertificate")) return false;
  if (!parent.within(reader, whole.content, "tbsCertificate")) return false;
  tbs.der = whole.whole;
  return read_version(tbs, reader) && reader.read_integer(tbs.serial, "serialNumber") &&
         read_whole(tbs.signature, reader, der::sequence, "signature") &&
         read_whole(tbs.issuer, reader, der::sequence, "issuer") && read_validity(tbs, reader) &&
         read_whole(tbs.subject, reader, der::sequence, "subject") &&
         read_whole(tbs.public_key, reader, der::sequence, "subjectPublicKeyInfo") &&
         skip_unique_id(tbs, reader, 1) && skip_unique_id(tbs, reader, 2) &&
         read_extensions_field(tbs, reader) && reader.finish("tbsCertificate");
}

bool read_algorithm(AlgorithmIdentifier& algorithm, der::Reader& parent, const char* what) noexcept {
  der::Element whole;
  der::Reader reader;
  if (!parent.read(whole, der::sequence, what) || !parent.within(reader, whole.content, what)) return false;
  if (!reader.read_oid(algorithm.oid, what)) return false;
  algorithm.der = whole.whole;
  if (reader.at_end()) return true;
  der::Element parameters;
  if (!reader.any(parameters, what)) return false;
  algorithm.parameters = parameters.whole;
  return reader.finish(what);
}

// Name is a SEQUENCE OF SET OF SEQUENCE {type, value} (RFC 5280 section 4.1.2.4).
bool check_name(der::Reader& parent, base::Bytes name, const char* what) noexcept {
  der::Reader outer;
  der::Reader names;
  if (!parent.within(outer, name, what) || !outer.enter(names, der::sequence, what)) return false;
  while (!names.at_end()) {
    der::Reader attributes;
    if (!names.enter(attributes, der::set, what)) return false;
    do {
      der::Reader attribute;
      base::Bytes type;
      der::Element value;
      if (!attributes.enter(attribute, der::sequence, what) || !attribute.read_oid(type, what)) return false;
      if (!attribute.any(value, what) || !attribute.finish(what)) return false;
    } while (!attributes.at_end());
  }
  return true;
}

bool is_p256(const AlgorithmIdentifier& algorithm) noexcept {
  const base::Bytes curve = algorithm.parameters;
  return oid::equal(algorithm.oid, oid::ec_public_key) && curve.size() == 2 + sizeof oid::p256 &&
         curve[0] == der::object_identifier && oid::equal(curve.subspan(2), oid::p256);
}

bool read_public_key(SubjectPublicKeyInfo& info, der::Reader& parent, base::Bytes whole) noexcept {
  constexpr const char* what = "subjectPublicKeyInfo";
  der::Reader outer;
  der::Reader reader;
  if (!parent.within(outer, whole, what) || !outer.enter(reader, der::sequence, what)) return false;
  if (!read_algorithm(info.algorithm, reader, what) || !reader.read_bit_octets(info.key, what)) return false;
  info.der = whole;
  info.kind = is_p256(info.algorithm) ? KeyAlgorithm::ecdsa_p256 : KeyAlgorithm::other;
  return reader.finish(what);
}

// FALSE is the default and must be left out (X.690 section 11.5).
bool read_extension(CertificateExtension& extension, der::Reader& parent) noexcept {
  der::Reader reader;
  if (!parent.enter(reader, der::sequence, "extension") || !reader.read_oid(extension.oid, "extension"))
    return false;
  extension.critical = false;
  if (reader.next_is(der::boolean)) {
    if (!reader.read_boolean(extension.critical, "critical")) return false;
    if (!extension.critical) return reader.fail("critical", "is FALSE, which must be left out");
  }
  return reader.read_octet_string(extension.value, "extension") && reader.finish("extension");
}

struct SeenOids {
  base::Bytes oids[max_extensions];
  std::size_t count = 0;

  bool add(der::Reader& reader, base::Bytes added) noexcept {
    for (std::size_t i = 0; i < count; i++) {
      if (oid::equal(oids[i], added)) return reader.fail_at(added, "extension", "is there twice");
    }
    if (count == max_extensions) return reader.fail_at(added, "extensions", "are more than 64");
    oids[count++] = added;
    return true;
  }
};

// An empty subject leaves the alternative name to say who it is (RFC 5280 section 4.1.2.6).
bool check_subject_is_named(der::Reader& reader, const Certificate& certificate,
                            const CertificateExtension& extension) noexcept {
  const bool empty_subject = certificate.tbs.subject.size() == 2;
  if (!empty_subject || extension.critical || !oid::equal(extension.oid, oid::subject_alt_name)) return true;
  return reader.fail_at(extension.value, "subjectAltName", "is not critical though the subject is empty");
}

bool check_extensions(der::Reader& parent, const Certificate& certificate) noexcept {
  if (certificate.tbs.extensions.empty()) return true;
  der::Reader outer;
  der::Reader reader;
  if (!parent.within(outer, certificate.tbs.extensions, "extensions")) return false;
  if (!outer.enter(reader, der::sequence, "extensions") || !outer.finish("extensions")) return false;
  SeenOids seen;
  do {
    CertificateExtension extension;
    if (!read_extension(extension, reader) || !seen.add(reader, extension.oid)) return false;
    if (!check_extension(reader, extension)) return false;
    if (!check_subject_is_named(reader, certificate, extension)) return false;
  } while (!reader.at_end());
  return true;
}

bool read_outer(Certificate& certificate, der::Reader& reader) noexcept {
  return read_tbs(certificate.tbs, reader) &&
         read_algorithm(certificate.signature_algorithm, reader, "signatureAlgorithm") &&
         reader.read_bit_octets(certificate.signature, "signatureValue") && reader.finish("the certificate");
}

bool check_inner(Certificate& certificate, der::Reader& reader) noexcept {
  AlgorithmIdentifier signature;
  der::Reader algorithm;
  const TbsCertificate& tbs = certificate.tbs;
  return reader.within(algorithm, tbs.signature, "signature") &&
         read_algorithm(signature, algorithm, "signature") && check_name(reader, tbs.issuer, "issuer") &&
         check_name(reader, tbs.subject, "subject") &&
         read_public_key(certificate.public_key, reader, tbs.public_key) &&
         check_extensions(reader, certificate);
}

}  // namespace

bool parse_certificate(Certificate& certificate, der::Fault& fault, base::Bytes input) noexcept {
  certificate = {};
  fault = {};
  der::Reader file(input, fault);
  der::Reader reader;
  if (input.size() > max_certificate_bytes)
    return file.fail("the certificate", "has more than 65,536 octets");
  if (!file.enter(reader, der::sequence, "the certificate") || !file.finish("the certificate")) return false;
  certificate.der = input;
  return read_outer(certificate, reader) && check_inner(certificate, reader);
}

bool parse_tbs_certificate(TbsCertificate& tbs, der::Fault& fault, base::Bytes input) noexcept {
  tbs = {};
  fault = {};
  der::Reader file(input, fault);
  return read_tbs(tbs, file) && file.finish("tbsCertificate");
}

std::optional<crypto::P256PublicKey> p256_key_vartime(const SubjectPublicKeyInfo& info) noexcept {
  if (info.kind != KeyAlgorithm::ecdsa_p256) return std::nullopt;
  return crypto::P256PublicKey::parse_vartime(info.key);
}

CertificateExtensions::CertificateExtensions(const Certificate& certificate) noexcept {
  if (certificate.tbs.extensions.empty()) return;
  der::Reader outer(certificate.tbs.extensions, fault_);
  if (!outer.enter(reader_, der::sequence, "extensions")) reader_ = {};
}

bool CertificateExtensions::next(CertificateExtension& extension) noexcept {
  return !reader_.at_end() && read_extension(extension, reader_);
}

std::optional<CertificateExtension> find_extension(const Certificate& certificate, base::Bytes oid) noexcept {
  CertificateExtensions extensions(certificate);
  CertificateExtension extension;
  while (extensions.next(extension)) {
    if (oid::equal(extension.oid, oid)) return extension;
  }
  return std::nullopt;
}

}  // namespace signet::tls

#include <signet/crypto/oid.hpp>
#include <signet/tls/certificate_extensions.hpp>

namespace signet::tls {
namespace {

namespace der = crypto::der;
namespace oid = crypto::oid;

constexpr std::uint8_t dns_name_number = 2;
constexpr std::uint8_t ip_address_number = 7;
constexpr std::uint8_t authority_key_identifier[] = {0x55, 0x1d, 0x23};

// SEQUENCE {cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL}. A FALSE that is written out is
// against DER, yet stands in many certificates, so it is let through.
bool read_basic_constraints(BasicConstraints& constraints, der::Reader& parent) noexcept {
  constexpr const char* what = "basicConstraints";
  der::Reader reader;
  if (!parent.enter(reader, der::sequence, what)) return false;
  if (reader.next_is(der::boolean) && !reader.read_boolean(constraints.ca, what)) return false;
  if (reader.next_is(der::integer)) {
    std::uint32_t length = 0;
    if (!reader.read_small_integer(length, what)) return false;
    constraints.path_length = length;
  }
  return reader.finish(what);
}

// A BIT STRING with named bits, at least one of them set (RFC 5280 section 4.2.1.3). Zero bits at its end are
// against DER (X.690 section 11.2.2), yet stand in certificates that are in use, so they are let through.
bool read_key_usage(base::Bytes& bits, der::Reader& parent) noexcept {
  constexpr const char* what = "keyUsage";
  unsigned unused_bits = 0;
  if (!parent.read_bit_string(bits, unused_bits, what)) return false;
  for (const std::uint8_t octet : bits) {
    if (octet != 0) return true;
  }
  return parent.fail(what, "sets no bit");
}

bool is_ascii(base::Bytes text) noexcept {
  for (const std::uint8_t c : text) {
    if (c > 0x7e || c < 0x21) return false;
  }
  return !text.empty();
}

bool read_general_name(GeneralName& name, der::Reader& reader) noexcept {
  constexpr const char* what = "subjectAltName";
  der::Element element;
  if (!reader.any(element, what)) return false;
  const std::uint8_t number = element.tag & 0x1f;
  if ((element.tag & 0xc0) != 0x80 || number > 8)
    return reader.fail_at(element.whole, what, "has a name of no known type");
  if (element.tag == der::context(dns_name_number)) {
    name = {GeneralName::Kind::dns, element.content};
    return is_ascii(name.value) || reader.fail_at(element.whole, what, "has a dNSName that is not ASCII");
  }
  if (element.tag == der::context(ip_address_number)) {
    name = {GeneralName::Kind::ip, element.content};
    const bool sized = name.value.size() == 4 || name.value.size() == 16;
    return sized || reader.fail_at(element.whole, what, "has an iPAddress that is not of 4 or 16 octets");
  }
  name = {GeneralName::Kind::other, element.whole};
  return true;
}

bool check_alternative_names(der::Reader& parent) noexcept {
  constexpr const char* what = "subjectAltName";
  der::Reader names;
  if (!parent.enter(names, der::sequence, what)) return false;
  do {
    GeneralName name;
    if (!read_general_name(name, names)) return false;
  } while (!names.at_end());
  return true;
}

bool check_authority_key_identifier(der::Reader& parent) noexcept {
  der::Reader fields;
  if (!parent.enter(fields, der::sequence, "authorityKeyIdentifier")) return false;
  while (!fields.at_end()) {
    der::Element field;
    if (!fields.any(field, "authorityKeyIdentifier")) return false;
  }
  return true;
}

bool check_value(der::Reader& value, base::Bytes id) noexcept {
  base::Bytes octets;
  BasicConstraints constraints;
  if (oid::equal(id, oid::basic_constraints)) return read_basic_constraints(constraints, value);
  if (oid::equal(id, oid::key_usage)) return read_key_usage(octets, value);
  if (oid::equal(id, oid::subject_alt_name)) return check_alternative_names(value);
  if (oid::equal(id, oid::subject_key_identifier))
    return value.read_octet_string(octets, "subjectKeyIdentifier");
  return check_authority_key_identifier(value);
}

bool is_checked(base::Bytes id) noexcept {
  return oid::equal(id, oid::basic_constraints) || oid::equal(id, oid::key_usage) ||
         oid::equal(id, oid::subject_alt_name) || oid::equal(id, oid::subject_key_identifier) ||
         oid::equal(id, authority_key_identifier);
}

}  // namespace

bool check_extension(der::Reader& parent, const CertificateExtension& extension) noexcept {
  if (!is_checked(extension.oid)) return true;
  der::Reader value;
  return parent.within(value, extension.value, "extension") && check_value(value, extension.oid) &&
         value.finish("extension");
}

std::optional<BasicConstraints> basic_constraints(const Certificate& certificate) noexcept {
  const std::optional<CertificateExtension> extension = find_extension(certificate, oid::basic_constraints);
  if (!extension) return std::nullopt;
  der::Fault fault;
  der::Reader value(extension->value, fault);
  BasicConstraints constraints;
  if (!read_basic_constraints(constraints, value)) return std::nullopt;
  return constraints;
}

bool allows(const Certificate& certificate, KeyUsage usage) noexcept {
  const std::optional<CertificateExtension> extension = find_extension(certificate, oid::key_usage);
  if (!extension) return true;
  der::Fault fault;
  der::Reader value(extension->value, fault);
  base::Bytes bits;
  const auto bit = static_cast<std::size_t>(usage);  // counted from the first octet's highest
  return read_key_usage(bits, value) && bit / 8 < bits.size() && (bits[bit / 8] & 0x80u >> bit % 8) != 0;
}

AlternativeNames::AlternativeNames(const Certificate& certificate) noexcept {
  const std::optional<CertificateExtension> extension = find_extension(certificate, oid::subject_alt_name);
  if (!extension) return;
  der::Reader value(extension->value, fault_);
  if (!value.enter(reader_, der::sequence, "subjectAltName")) reader_ = {};
}

bool AlternativeNames::next(GeneralName& name) noexcept {
  return !reader_.at_end() && read_general_name(name, reader_);
}

}  // namespace signet::tls

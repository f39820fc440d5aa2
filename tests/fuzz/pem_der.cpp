// Files that a server reads when it starts, and certificates out of messages: PEM, private keys, X.509.
//
// Control: which parser.
#include <signet/crypto/private_key.hpp>
#include <signet/tests/fuzz/input.hpp>
#include <signet/tests/fuzz/require.hpp>
#include <signet/tests/support/test_identity.hpp>
#include <signet/tls/certificate_extensions.hpp>
#include <signet/tls/identity.hpp>
#include <signet/tls/messages/certificate.hpp>

using namespace signet;
using namespace signet::fuzz;

namespace {

void check_pem(base::Bytes text) {
  const auto blocks = crypto::parse_pem(text);
  if (!blocks) return require(!blocks.error().reason.empty(), "a fault has a reason");
  require(!blocks->empty() && blocks->size() <= crypto::max_pem_blocks, "blocks have their bounds");
  std::string again;
  for (const crypto::PemBlock& block : *blocks) again += crypto::write_pem(block.label, block.contents);
  const auto twice = crypto::parse_pem(base::as_bytes(again));
  require(twice.ok() && twice->size() == blocks->size(), "what was written parses");
  for (std::size_t i = 0; i < blocks->size(); i++) {
    require((*twice)[i].label == (*blocks)[i].label && (*twice)[i].contents == (*blocks)[i].contents,
            "PEM written is PEM read");
  }
}

void check_key(const base::Result<void, crypto::LoadFault>& loaded, crypto::P256PrivateKey& key) {
  if (!loaded) return require(!loaded.error().reason.empty(), "a fault has a reason");
  std::uint8_t der[crypto::max_sec1_bytes];
  const std::size_t bytes = crypto::write_sec1(der, key);
  crypto::P256PrivateKey again = key;
  again.wipe();
  require(crypto::parse_private_key(again, base::Bytes(der).first(bytes)).ok(),
          "a key that was written parses");
  require(std::equal(key.scalar().begin(), key.scalar().end(), again.scalar().begin()),
          "a key written is a key read");
}

crypto::P256PrivateKey some_key() {
  const std::uint8_t scalar[32] = {1};
  return *crypto::P256PrivateKey::from_scalar(scalar);
}

void check_key_file(base::Bytes file) {
  crypto::P256PrivateKey key = some_key();
  check_key(crypto::load_private_key(key, file), key);
}

void check_key_der(base::Bytes der) {
  crypto::P256PrivateKey key = some_key();
  check_key(crypto::parse_private_key(key, der), key);
}

// Everything that can be read from a certificate that parsed.
void read_all(const tls::Certificate& certificate) {
  std::size_t extensions = 0;
  tls::CertificateExtensions all(certificate);
  for (tls::CertificateExtension extension; all.next(extension); extensions++) {
    const auto found = tls::find_extension(certificate, extension.oid);
    require(found && found->value.data() == extension.value.data(), "no extension stands twice");
  }
  require(extensions <= tls::max_extensions, "extensions have their bound");
  (void)tls::basic_constraints(certificate);
  (void)tls::allows(certificate, tls::KeyUsage::digital_signature);
  (void)tls::allows(certificate, tls::KeyUsage::certificate_sign);
  tls::AlternativeNames names(certificate);
  for (tls::GeneralName name; names.next(name);) {
    if (name.kind == tls::GeneralName::Kind::ip) {
      require(name.value.size() == 4 || name.value.size() == 16, "an address has 4 or 16 octets");
    }
  }
  if (const auto key = tls::p256_key_vartime(certificate.public_key)) {
    std::uint8_t point[crypto::p256_point_bytes];
    key->write(point);
    require(base::as_text(point) == base::as_text(certificate.public_key.key),
            "a point written is a point read");
  }
}

void check_certificate(base::Bytes der) {
  tls::Certificate certificate;
  crypto::der::Fault fault;
  if (!tls::parse_certificate(certificate, fault, der)) {
    return require(fault.problem[0] != '\0' && fault.offset <= der.size(),
                   "a fault has a reason and a place");
  }
  require(certificate.der.size() == der.size(), "a certificate is all of its input");
  read_all(certificate);
  tls::TbsCertificate tbs;
  require(tls::parse_tbs_certificate(tbs, fault, certificate.tbs.der), "its TBSCertificate parses alone");
}

void check_certificate_message(base::Bytes body) {
  const auto message = tls::CertificateMessage::parse(body);
  if (!message) return;
  for (const tls::CertificateEntry& entry : message->entries) check_certificate(entry.certificate);
}

void check_identity(base::Bytes chain) {
  const auto loaded =
      tls::Identity::load(chain, base::as_bytes(test_identity::leaf_key_sec1), test_identity::now);
  if (!loaded) return require(!loaded.error().reason.empty(), "a fault has a reason");
  require((*loaded)->certificate_count() > 0, "an identity has a certificate");
  require((*loaded)->certificate_message().size() <= tls::max_certificate_message_bytes,
          "its message has its bound");
}

void check_signature(base::Bytes der) {
  const auto signature = crypto::ecdsa_from_der_vartime(der);
  if (!signature) return;
  std::uint8_t again[crypto::max_ecdsa_der_bytes];
  const std::size_t bytes = crypto::ecdsa_to_der(again, *signature);
  require(base::as_text(base::Bytes(again).first(bytes)) == base::as_text(der),
          "a signature written is one read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr void (*parsers[])(base::Bytes) = {
      check_pem,      check_key_file, check_key_der, check_certificate, check_certificate_message,
      check_identity, check_signature};
  const Input input({data, size});
  parsers[input.control() % std::size(parsers)](input.rest());
  return 0;
}

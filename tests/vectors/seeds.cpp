// Fuzzing seeds, replayed: nothing is expected of them but that they crash, hang and leave nothing. The
// sanitizers of the dev preset see what else they do.
#include <ctime>

#include <signet/crypto/private_key.hpp>
#include <signet/tests/support/tls_pair.hpp>
#include <signet/tests/vectors/engine.hpp>
#include <signet/tests/vectors/files.hpp>
#include <signet/tls/certificate_extensions.hpp>
#include <signet/tls/identity.hpp>

namespace signet::vectors {
namespace {

constexpr std::size_t pieces[] = {0, 1, 7};

/// Whether nobody reads an alert: the peer has failed before, or does not speak TLS.
bool says_nothing(tls::Reason reason) {
  return reason == tls::Reason::none || reason == tls::Reason::peer_alert ||
         reason == tls::Reason::plain_http_request;
}

void expect_clean(Case& one, const EngineAnswer& answer) {
  one.expect(answer.residue == 0, "octets are left where none should be");
  one.expect(says_nothing(answer.reason) || answer.sent_bytes > 0, "failed without an alert");
}

/// However it comes, the engine must come to the same end.
void server(Report& report, Json document) {
  std::size_t failed = 0;
  each_case(report, document, "seeds", [&](Case& one, Json json) {
    const Octets octets = base64(json, "b64");
    const EngineAnswer whole = ask_engine(octets, 0);
    for (const std::size_t piece : pieces) {
      const EngineAnswer answer = piece == 0 ? whole : ask_engine(octets, piece);
      expect_clean(one, answer);
      one.expect(answer.reason == whole.reason, "another end in pieces");
    }
    failed += whole.reason != tls::Reason::none ? 1 : 0;
  });
  report.note(std::to_string(failed) + " failed, the others wait for more");
}

void load_everything(const Octets& file) {
  auto blocks = crypto::parse_pem(file);
  if (blocks.ok()) crypto::wipe(*blocks);
  crypto::P256PrivateKey key;
  if (crypto::load_private_key(key, file).ok()) key.wipe();
  (void)tls::Identity::load(file, file, 0);
}

void pem(Report& report, Json document) {
  each_case(report, document, "seeds", [](Case&, Json json) { load_everything(base64(json, "b64")); });
}

void private_key(Report& report, Json document) {
  each_case(report, document, "seeds", [](Case&, Json json) {
    const Octets octets = base64(json, "b64");
    crypto::P256PrivateKey key;
    if (crypto::parse_private_key(key, octets).ok()) key.wipe();
    load_everything(octets);
  });
}

void read_everything(const tls::Certificate& certificate) {
  tls::CertificateExtension extension;
  for (tls::CertificateExtensions all(certificate); all.next(extension);) {
    (void)tls::find_extension(certificate, extension.oid);
  }
  tls::GeneralName name;
  for (tls::AlternativeNames names(certificate); names.next(name);) {
  }
  (void)tls::basic_constraints(certificate);
  (void)tls::allows(certificate, tls::KeyUsage::digital_signature);
  (void)tls::p256_key_vartime(certificate.public_key);
}

void x509(Report& report, Json document) {
  std::size_t parsed = 0;
  each_case(report, document, "seeds", [&](Case&, Json json) {
    const Octets octets = base64(json, "b64");
    crypto::der::Fault fault;
    tls::Certificate certificate;
    tls::TbsCertificate tbs;
    (void)tls::parse_tbs_certificate(tbs, fault, octets);
    if (!tls::parse_certificate(certificate, fault, octets)) return;
    read_everything(certificate);
    parsed++;
  });
  report.note(std::to_string(parsed) + " are certificates");
}

constexpr File files[] = {
    {"fuzz-seeds/server.json", server},
    {"fuzz-seeds/pem.json", pem},
    {"fuzz-seeds/private_key.json", private_key},
    {"fuzz-seeds/x509.json", x509},
};

}  // namespace

std::span<const File> seed_files() { return files; }

}  // namespace signet::vectors

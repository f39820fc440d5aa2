// Certificates parsed, and signatures of certificates checked.
#include <signet/crypto/der.hpp>
#include <signet/crypto/oid.hpp>
#include <signet/tests/vectors/curve.hpp>
#include <signet/tests/vectors/digests.hpp>
#include <signet/tests/vectors/files.hpp>
#include <signet/tls/certificate.hpp>

namespace signet::vectors {
namespace {

namespace der = crypto::der;

bool says(Json json, const char* word) {
  for (const Json error : list(json, "errors")) {
    std::string_view line;
    if (error.get(line) == simdjson::SUCCESS && line.find(word) != std::string_view::npos) return true;
  }
  return false;
}

/// The files' verdict on these is that of a split into three parts, which looks into none of them; inside,
/// what stands where serial number or AlgorithmIdentifier must is none.
bool split_alone(const std::string& id) {
  return id == "cert_skeleton" || id == "failed_signature_algorithm" || id == "signature_algorithm_null";
}

/// Why a fault is not one of the parser, by what the other implementation says of it; nullptr when it is one.
const char* found_later(Json json) {
  if (says(json, "normalizing")) return "strings in names: X.509 validation compares them, a later issue";
  if (says(json, "olicy") || says(json, "olicies"))
    return "certificate policies: X.509 validation, a later issue";
  return nullptr;
}

void parse(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const Octets octets = base64(json, "der");
    const bool ok = flag(json, "ok");
    const char* reason = found_later(json);
    if (!ok && reason != nullptr) return one.skip(reason);
    if (ok && split_alone(text(json, "id"))) {
      return one.skip("no certificate inside: its parts are split, but none of them is looked into");
    }
    der::Fault fault;
    tls::Certificate certificate;
    tls::TbsCertificate tbs;
    const bool parsed = text(json, "kind") == "CERTIFICATE"
                            ? tls::parse_certificate(certificate, fault, octets)
                            : tls::parse_tbs_certificate(tbs, fault, octets);
    one.expect(parsed == ok,
               parsed ? "not refused" : std::string("refused: ") + fault.what + " " + fault.problem);
  });
}

// RFC 5758 section 3.2: ecdsa-with-SHA256, -SHA384 and -SHA512, without parameters.
std::optional<crypto::HashId> ecdsa_hash_of(base::Bytes algorithm) {
  der::Fault fault;
  der::Reader outer(algorithm, fault), inner;
  base::Bytes oid;
  if (!outer.enter(inner, der::sequence, "algorithm") || !outer.finish("algorithm")) return std::nullopt;
  if (!inner.read_oid(oid, "algorithm") || !inner.finish("algorithm")) return std::nullopt;
  const std::size_t prefix = sizeof crypto::oid::ecdsa_with_sha256 - 1;
  if (oid.size() != prefix + 1 ||
      !crypto::oid::equal(oid.first(prefix), base::Bytes(crypto::oid::ecdsa_with_sha256).first(prefix))) {
    return std::nullopt;
  }
  if (oid[prefix] == 2) return crypto::HashId::sha256;
  if (oid[prefix] == 3) return crypto::HashId::sha384;
  return oid[prefix] == 4 ? std::optional(crypto::HashId::sha512) : std::nullopt;
}

std::optional<crypto::EcdsaSignature> signature_of(base::Bytes bit_string) {
  der::Fault fault;
  der::Reader reader(bit_string, fault);
  base::Bytes octets;
  if (!reader.read_bit_octets(octets, "signature") || !reader.finish("signature")) return std::nullopt;
  return crypto::ecdsa_from_der_vartime(octets);
}

void verify(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const auto id = ecdsa_hash_of(base64(json, "algorithm"));
    const Octets spki = base64(json, "spki"), data = base64(json, "data");
    if (!id && !is_p256_spki(spki)) return one.skip("RSA: a later issue");
    const auto key = spki_key(spki);
    const auto signature = signature_of(base64(json, "signature"));
    const bool ok = flag(json, "ok");
    one.expect((id && key && signature) || !ok, "algorithm, key or signature is refused");
    if (id && key && signature) expect_verdict(one, *key, digest_of(*id, data), *signature, ok);
  });
}

constexpr File files[] = {
    {"chromium-pki/parse_certificate.json", parse},
    {"chromium-pki/verify_signed_data.json", verify},
};

}  // namespace

std::span<const File> certificate_files() { return files; }

}  // namespace signet::vectors

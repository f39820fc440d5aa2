#include <signet/crypto/der.hpp>
#include <signet/crypto/oid.hpp>
#include <signet/tests/vectors/curve.hpp>
#include <signet/tls/certificate.hpp>

namespace signet::vectors {

using crypto::P256PublicKey;
using crypto::p256::Kernel;
namespace der = crypto::der;

bool is_p256(std::string_view curve) { return curve == "P-256" || curve == "secp256r1"; }

Octets point_of(Json json, const char* x, const char* y) {
  Octets point = {4};
  for (const char* key : {x, y}) {
    const Octets coordinate = hex_number(json, key, crypto::p256_scalar_bytes);
    point.insert(point.end(), coordinate.begin(), coordinate.end());
  }
  return point;
}

std::optional<crypto::P256PrivateKey> private_key_of(const Octets& scalar, const Kernel& kernel) {
  if (scalar.size() != crypto::p256_scalar_bytes) return std::nullopt;
  return crypto::P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32>(scalar.data(), 32), kernel);
}

void expect_verdict(Case& one, const P256PublicKey& key, base::Bytes digest,
                    const crypto::EcdsaSignature& signature, bool expected) {
  for (const Kernel* kernel : crypto::p256::kernels()) {
    const bool accepted = crypto::p256_verify_vartime(key, digest, signature, *kernel);
    one.expect(accepted == expected, accepted ? "accepted" : "refused", kernel->name);
    const auto table = crypto::P256VerifyTable::build_vartime(key, *kernel);
    const bool by_table = table.verify_vartime(digest, signature);
    one.expect(by_table == expected, by_table ? "accepted by the table" : "refused by the table",
               kernel->name);
  }
}

namespace {

/// A certificate around `spki`, with as little as the parser asks for besides.
Octets certificate_around(base::Bytes spki) {
  Octets room(spki.size() + 256);
  der::Writer writer(room);
  const auto algorithm = [&] {
    writer.nested(der::sequence,
                  [&] { writer.element(der::object_identifier, crypto::oid::ecdsa_with_sha256); });
  };
  writer.nested(der::sequence, [&] {
    writer.nested(der::sequence, [&] {
      writer.nested(der::context_constructed(0), [&] { writer.small_integer(2); });
      writer.small_integer(1);
      algorithm();
      writer.element(der::sequence, {});  // issuer
      writer.nested(der::sequence, [&] {
        writer.element(der::utc_time, base::as_bytes("260101000000Z"));
        writer.element(der::utc_time, base::as_bytes("360101000000Z"));
      });
      writer.element(der::sequence, {});  // subject
      writer.raw(spki);
    });
    algorithm();
    writer.bit_octets(base::as_bytes("none"));
  });
  const base::Bytes written = writer.written();
  return {written.begin(), written.end()};
}

bool read_spki(tls::Certificate& certificate, const Octets& around, base::Bytes spki) {
  der::Fault fault;
  return tls::parse_certificate(certificate, fault, around) &&
         crypto::oid::equal(certificate.tbs.public_key, spki);
}

}  // namespace

std::optional<P256PublicKey> spki_key(base::Bytes spki) {
  tls::Certificate certificate;
  const Octets around = certificate_around(spki);
  if (!read_spki(certificate, around, spki)) return std::nullopt;
  return tls::p256_key_vartime(certificate.public_key);
}

bool is_p256_spki(base::Bytes spki) {
  tls::Certificate certificate;
  const Octets around = certificate_around(spki);
  return read_spki(certificate, around, spki) && certificate.public_key.kind == tls::KeyAlgorithm::ecdsa_p256;
}

}  // namespace signet::vectors

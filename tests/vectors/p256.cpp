// P-256 key pairs, points and ECDH on every kernel.
#include <signet/tests/vectors/curve.hpp>
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {
namespace {

using crypto::P256PublicKey;
using crypto::p256::Kernel;

Octets written(const P256PublicKey& key) {
  Octets point(crypto::p256_point_bytes);
  key.write(std::span<std::uint8_t, crypto::p256_point_bytes>(point.data(), crypto::p256_point_bytes));
  return point;
}

void key_pairs(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    if (!is_p256(text(json, "curve"))) return one.skip(other_curve);
    for (const Kernel* kernel : crypto::p256::kernels()) {
      const auto key = private_key_of(hex_number(json, "d", 32), *kernel);
      one.expect(key && written(key->public_key()) == point_of(json, "qx", "qy"), "another point",
                 kernel->name);
    }
  });
}

void points(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    if (!is_p256(text(json, "curve"))) return one.skip(other_curve);
    const Octets point = point_of(json, "qx", "qy");
    const auto key = P256PublicKey::parse_vartime(point);
    one.expect(key.has_value() == flag(json, "ok"), key ? "a point that must be refused" : "refused");
    if (key) one.expect(written(*key) == point, "written as other octets");
  });
}

void expect_shared(Case& one, const Octets& scalar, const P256PublicKey& peer, const Octets& expected) {
  for (const Kernel* kernel : crypto::p256::kernels()) {
    const auto key = private_key_of(scalar, *kernel);
    one.expect(key.has_value(), "the scalar is refused", kernel->name);
    if (!key) continue;
    Octets shared(32);
    crypto::p256_ecdh(std::span<std::uint8_t, 32>(shared.data(), 32), *key, peer, *kernel);
    one.expect(shared == expected, "another secret", kernel->name);
  }
}

void cdh(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    if (!is_p256(text(json, "curve"))) return one.skip(other_curve);
    const auto peer = P256PublicKey::parse_vartime(hex(json, "peer"));
    one.expect(peer.has_value(), "the point is refused");
    if (peer) expect_shared(one, hex_number(json, "d", 32), *peer, hex(json, "z"));
  });
}

/// "acceptable" is what another reader may take: compressed points, BER, explicit parameters. Refusing it is
/// right.
void wycheproof(Case& one, Json json, const std::optional<P256PublicKey>& peer) {
  const std::string result = text(json, "result");
  if (result == "invalid") return one.expect(!peer, "a key that must be refused");
  if (result == "valid") one.expect(peer.has_value(), "the key is refused");
  if (peer) expect_shared(one, hex_number(json, "private", 32), *peer, hex(json, "shared"));
}

void wycheproof_points(Report& report, Json document) {
  each_test(report, document, [](Case& one, Json json, Json) {
    wycheproof(one, json, P256PublicKey::parse_vartime(hex(json, "public")));
  });
}

void wycheproof_spki(Report& report, Json document) {
  each_test(report, document,
            [](Case& one, Json json, Json) { wycheproof(one, json, spki_key(hex(json, "public"))); });
}

constexpr File files[] = {
    {"nist/ec_keypair.json", key_pairs},
    {"nist/ec_pkv.json", points},
    {"nist/ecc_cdh.json", cdh},
    {"wycheproof/ecdh_secp256r1_ecpoint_test.json", wycheproof_points},
    {"wycheproof/ecdh_secp256r1_test.json", wycheproof_spki},
};

}  // namespace

std::span<const File> p256_files() { return files; }

}  // namespace signet::vectors

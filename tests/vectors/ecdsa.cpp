// ECDSA on P-256: signatures with a given nonce, RFC 6979's own, and verification, on every kernel.
#include <algorithm>

#include <signet/crypto/p256_scalar.hpp>
#include <signet/tests/vectors/curve.hpp>
#include <signet/tests/vectors/digests.hpp>
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {
namespace {

namespace p256 = crypto::p256;
using crypto::EcdsaSignature;
using crypto::P256PublicKey;

p256::Scalar scalar_of(const Octets& octets) {
  p256::Scalar scalar;
  p256::load_be(scalar.w, octets.data());
  return scalar;
}

/// FIPS 186-5 section 6.4.1 with the nonce given, out of the parts that p256_sign is made of: the product has
/// no function that takes a nonce.
std::optional<EcdsaSignature> sign_with(const Octets& nonce, const Octets& secret, base::Bytes digest,
                                        const p256::Kernel& kernel) {
  const auto ephemeral = private_key_of(nonce, kernel);
  if (!ephemeral || secret.size() != 32) return std::nullopt;
  Octets point(crypto::p256_point_bytes);
  ephemeral->public_key().write(
      std::span<std::uint8_t, crypto::p256_point_bytes>(point.data(), point.size()));
  const p256::Scalar r = p256::reduce_once(scalar_of({point.begin() + 1, point.begin() + 33}));
  const p256::Scalar sum = p256::add(p256::from_digest(digest), p256::mul(r, scalar_of(secret)));
  EcdsaSignature signature;
  p256::store_be(signature.r, r.w);
  p256::store_be(signature.s, p256::mul(p256::invert(scalar_of(nonce)), sum).w);
  return signature;
}

bool same(const EcdsaSignature& signature, const Octets& r, const Octets& s) {
  return std::equal(r.begin(), r.end(), signature.r, signature.r + 32) &&
         std::equal(s.begin(), s.end(), signature.s, signature.s + 32);
}

/// r and s as integers of any length; nothing when one does not fit in 32 octets, and then it is not below
/// the order.
std::optional<EcdsaSignature> signature_of(const Octets& r, const Octets& s) {
  if (r.size() != 32 || s.size() != 32) return std::nullopt;
  EcdsaSignature signature;
  std::copy(r.begin(), r.end(), signature.r);
  std::copy(s.begin(), s.end(), signature.s);
  return signature;
}

/// Signs with the nonce on every kernel, and verifies what came out under the key's own point.
void expect_signature(Case& one, Json json, const Octets& secret, base::Bytes digest) {
  const Octets r = hex_number(json, "r", 32), s = hex_number(json, "s", 32);
  for (const p256::Kernel* kernel : p256::kernels()) {
    const auto made = sign_with(hex_number(json, "k", 32), secret, digest, *kernel);
    one.expect(made && same(*made, r, s), "another signature", kernel->name);
    const auto key = private_key_of(secret, *kernel);
    one.expect(key.has_value(), "the key is refused", kernel->name);
    if (made && key) expect_verdict(one, key->public_key(), digest, *made, true);
  }
}

void sign_given(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const auto id = hash_named(text(json, "hash"));
    if (!is_p256(text(json, "curve"))) return one.skip(other_curve);
    if (!id) return one.skip(other_hash);
    expect_signature(one, json, hex_number(json, "d", 32), digest_of(*id, hex(json, "msg")));
  });
}

/// p256_sign without fresh randomness is RFC 6979 with HMAC-SHA-256.
void expect_deterministic(Case& one, Json json, const Octets& secret, base::Bytes digest) {
  for (const p256::Kernel* kernel : p256::kernels()) {
    const auto key = private_key_of(secret, *kernel);
    if (!key) return one.expect(false, "the key is refused", kernel->name);
    EcdsaSignature made;
    crypto::p256_sign(made, *key, digest, {}, *kernel);
    one.expect(same(made, hex_number(json, "r", 32), hex_number(json, "s", 32)), "another nonce",
               kernel->name);
  }
}

/// The RFC's nonces are of the message's own hash, ours always of SHA-256; for the longer hashes the nonce is
/// given.
void rfc6979_case(Case& one, Json json, crypto::HashId id) {
  const std::string message = text(json, "message_ascii");
  const Octets secret = hex_number(json, "x", 32), digest = digest_of(id, base::as_bytes(message));
  expect_signature(one, json, secret, digest);
  if (id == crypto::HashId::sha256) expect_deterministic(one, json, secret, digest);
}

void rfc6979(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const auto id = hash_named(text(json, "hash"));
    if (!is_p256(text(json, "curve"))) return one.skip(other_curve);
    if (!id) return one.skip(other_hash);
    rfc6979_case(one, json, *id);
  });
}

void rfc6979_rejection(Report& report, Json document) {
  Case one(report, "the one case");
  rfc6979_case(one, document, crypto::HashId::sha256);
}

void expect_integers(Case& one, const std::optional<P256PublicKey>& key, base::Bytes digest, const Octets& r,
                     const Octets& s, bool valid) {
  one.expect(key || !valid, "the key is refused");
  const auto signature = signature_of(r, s);
  one.expect(signature || !valid, "the signature does not fit");
  if (key && signature) expect_verdict(one, *key, digest, *signature, valid);
}

void nist_verify(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const auto id = hash_named(text(json, "hash"));
    if (!is_p256(text(json, "curve"))) return one.skip(other_curve);
    if (!id) return one.skip(other_hash);
    expect_integers(one, P256PublicKey::parse_vartime(point_of(json, "qx", "qy")),
                    digest_of(*id, hex(json, "msg")), hex_number(json, "r", 32), hex_number(json, "s", 32),
                    flag(json, "ok"));
  });
}

void acvp_verify(Case& one, Json group, Json prompt, bool passed) {
  const auto key = P256PublicKey::parse_vartime(point_of(prompt, "qx", "qy"));
  const auto id = hash_named(text(group, "hashAlg"));
  if (!id) return one.skip(other_hash);
  expect_integers(one, key, digest_of(*id, hex(prompt, "message")), hex_number(prompt, "r", 32),
                  hex_number(prompt, "s", 32), passed);
}

void acvp(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const Json group = child(json, "group"), prompt = child(json, "prompt");
    const bool passed = flag(child(json, "answer"), "testPassed");
    const std::string mode = text(json, "mode");
    if (!is_p256(text(group, "curve"))) return one.skip(other_curve);
    if (mode == "sigVer") return acvp_verify(one, group, prompt, passed);
    if (mode != "keyVer") return one.skip("a mode that is not known: " + mode);
    const auto key = P256PublicKey::parse_vartime(point_of(prompt, "qx", "qy"));
    one.expect(key.has_value() == passed, key ? "a point that must be refused" : "refused");
  });
}

/// Whatever decides first, form or arithmetic: an invalid signature is refused, on every kernel.
void wycheproof(Case& one, Json json, Json group, const std::optional<EcdsaSignature>& signature) {
  const bool valid = text(json, "result") == "valid";
  const auto id = hash_named(text(group, "sha"));
  if (!id) return one.skip(other_hash);
  const auto key = P256PublicKey::parse_vartime(hex(child(group, "publicKey"), "uncompressed"));
  const auto same_key = spki_key(hex(group, "publicKeyDer"));
  one.expect(key && same_key, "the key is refused");
  one.expect(signature || !valid, "the signature's form is refused");
  if (key && signature) expect_verdict(one, *key, digest_of(*id, hex(json, "msg")), *signature, valid);
}

void wycheproof_der(Report& report, Json document) {
  each_test(report, document, [](Case& one, Json json, Json group) {
    wycheproof(one, json, group, crypto::ecdsa_from_der_vartime(hex(json, "sig")));
  });
}

void wycheproof_p1363(Report& report, Json document) {
  each_test(report, document, [](Case& one, Json json, Json group) {
    const Octets octets = hex(json, "sig");
    const std::size_t half = octets.size() / 2;
    const auto middle = octets.begin() + static_cast<std::ptrdiff_t>(half);
    const bool even = octets.size() % 2 == 0;
    const auto signature = signature_of({octets.begin(), middle}, {middle, octets.end()});
    wycheproof(one, json, group, even ? signature : std::nullopt);
  });
}

constexpr File files[] = {
    {"nist/ecdsa_siggen.json", sign_given},
    {"nist/ecdsa_sigver.json", nist_verify},
    {"nist/acvp_ecdsa.json", acvp},
    {"rfc/rfc6979.json", rfc6979},
    {"rfc/rfc6979_rejection.json", rfc6979_rejection},
    {"wycheproof/ecdsa_secp256r1_sha256_test.json", wycheproof_der},
    {"wycheproof/ecdsa_secp256r1_sha512_test.json", wycheproof_der},
    {"wycheproof/ecdsa_secp256r1_sha256_p1363_test.json", wycheproof_p1363},
    {"wycheproof/ecdsa_secp256r1_sha512_p1363_test.json", wycheproof_p1363},
};

}  // namespace

std::span<const File> ecdsa_files() { return files; }

}  // namespace signet::vectors

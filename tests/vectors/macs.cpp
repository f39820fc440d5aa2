// HMAC and HKDF. They run on the first kernel of their hash; SIGNET_CPU_DENY shows the others.
#include <signet/crypto/hkdf.hpp>
#include <signet/tests/vectors/digests.hpp>
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {
namespace {

using crypto::HashId;

Octets hmac_of(HashId id, const Octets& key, const Octets& message) {
  Octets tag(crypto::digest_bytes(id));
  crypto::hmac(tag, crypto::HmacKey(id, key), message);
  return tag;
}

/// Nothing when `bytes` is more than HKDF gives.
std::optional<Octets> hkdf_of(HashId id, const Octets& salt, const Octets& ikm, const Octets& info,
                              std::size_t bytes) {
  Octets prk(crypto::digest_bytes(id));
  Octets out(bytes);
  crypto::hkdf_extract(prk, id, salt, ikm);
  if (!crypto::hkdf_expand(out, crypto::HmacKey(id, prk), info)) return std::nullopt;
  return out;
}

void rfc4231(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const auto id = hash_named(text(json, "hash"));
    if (!id) return one.skip(other_hash);
    one.expect(hmac_of(*id, hex(json, "key"), hex(json, "msg")) == hex(json, "mac"), "another tag");
  });
}

void acvp_hmac(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const auto id = hash_named(text(json, "algorithm"));
    if (!id) return one.skip(other_hash);
    Octets tag = hmac_of(*id, hex(child(json, "prompt"), "key"), hex(child(json, "prompt"), "msg"));
    tag.resize(number(child(json, "group"), "macLen") / 8);
    one.expect(tag == hex(child(json, "answer"), "mac"), "another tag");
  });
}

void wycheproof_hmac(Report& report, Json document) {
  const auto id = hash_named(text(document, "algorithm"));
  each_test(report, document, [&](Case& one, Json json, Json group) {
    if (!id) return one.skip(other_hash);
    Octets tag = hmac_of(*id, hex(json, "key"), hex(json, "msg"));
    tag.resize(number(group, "tagSize") / 8);
    const bool valid = text(json, "result") == "valid";
    one.expect((tag == hex(json, "tag")) == valid, valid ? "another tag" : "the tag that must be wrong");
  });
}

void rfc5869(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const auto id = hash_named(text(json, "hash"));
    if (!id) return one.skip(other_hash);
    const Octets prk = hex(json, "PRK");
    one.expect(hmac_of(*id, hex(json, "salt"), hex(json, "IKM")) == prk, "another PRK by HMAC");
    Octets extracted(prk.size());
    crypto::hkdf_extract(extracted, *id, hex(json, "salt"), hex(json, "IKM"));
    one.expect(extracted == prk, "another PRK");
    const auto out = hkdf_of(*id, hex(json, "salt"), hex(json, "IKM"), hex(json, "info"), number(json, "L"));
    one.expect(out == hex(json, "OKM"), "another OKM");
  });
}

void wycheproof_hkdf(Report& report, Json document) {
  const auto id = hash_named(text(document, "algorithm"));
  each_test(report, document, [&](Case& one, Json json, Json) {
    if (!id) return one.skip(other_hash);
    const auto out =
        hkdf_of(*id, hex(json, "salt"), hex(json, "ikm"), hex(json, "info"), number(json, "size"));
    const bool valid = text(json, "result") == "valid";
    one.expect(out.has_value() == valid, valid ? "refused" : "too long an output was given");
    if (out && valid) one.expect(*out == hex(json, "okm"), "another OKM");
  });
}

/// Octets of one party, as NIST SP 800-56C's fixed info has them here: identifier, then ephemeral data.
Octets party(Json prompt, const char* key) {
  Octets info = hex(child(prompt, key), "partyId");
  const Octets ephemeral = hex(child(prompt, key), "ephemeralData");
  info.insert(info.end(), ephemeral.begin(), ephemeral.end());
  return info;
}

void acvp_hkdf(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const Json configuration = child(child(json, "group"), "kdfConfiguration");
    const Json prompt = child(json, "prompt"), answer = child(json, "answer");
    const Json parameter = child(prompt, "kdfParameter");
    const auto id = hash_named(text(configuration, "hmacAlg"));
    if (!id) return one.skip(other_hash);
    if (text(configuration, "fixedInfoPattern") != "uPartyInfo||vPartyInfo") {
      return one.skip("fixed info of another pattern");
    }
    Octets info = party(prompt, "fixedInfoPartyU");
    const Octets other = party(prompt, "fixedInfoPartyV");
    info.insert(info.end(), other.begin(), other.end());
    const Octets expected = has(answer, "dkm") ? hex(answer, "dkm") : hex(prompt, "dkm");
    const bool valid = has(answer, "dkm") || flag(answer, "testPassed");
    const auto out = hkdf_of(*id, hex(parameter, "salt"), hex(parameter, "z"), info, expected.size());
    one.expect((out == expected) == valid, "another key");
  });
}

/// Botan's HKDF-Expand-Label: RFC 8446's structure, the label as it stands.
void botan_kdf(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    if (text(json, "id").rfind("hkdf_label/", 0) != 0) return one.skip("the PRF of TLS 1.2");
    const auto id = hash_named(text(json, "section"));
    if (!id) return one.skip(other_hash);
    const std::string label = text(json, "Label");
    const Octets context = hex(json, "HashValue");
    Octets out(hex(json, "Output").size());
    Octets info = {static_cast<std::uint8_t>(out.size() >> 8), static_cast<std::uint8_t>(out.size()),
                   static_cast<std::uint8_t>(label.size())};
    info.insert(info.end(), label.begin(), label.end());
    info.push_back(static_cast<std::uint8_t>(context.size()));
    info.insert(info.end(), context.begin(), context.end());
    one.expect(crypto::hkdf_expand(out, crypto::HmacKey(*id, hex(json, "Secret")), info), "refused");
    one.expect(out == hex(json, "Output"), "another secret");
  });
}

constexpr File files[] = {
    {"rfc/rfc4231.json", rfc4231},
    {"rfc/rfc5869.json", rfc5869},
    {"nist/acvp_hmac-sha2-256.json", acvp_hmac},
    {"nist/acvp_hmac-sha2-384.json", acvp_hmac},
    {"nist/acvp_hmac-sha2-512.json", acvp_hmac},
    {"nist/acvp_hkdf.json", acvp_hkdf},
    {"wycheproof/hmac_sha256_test.json", wycheproof_hmac},
    {"wycheproof/hmac_sha384_test.json", wycheproof_hmac},
    {"wycheproof/hmac_sha512_test.json", wycheproof_hmac},
    {"wycheproof/hkdf_sha256_test.json", wycheproof_hkdf},
    {"wycheproof/hkdf_sha384_test.json", wycheproof_hkdf},
    {"wycheproof/hkdf_sha512_test.json", wycheproof_hkdf},
    {"botan/kdf.json", botan_kdf},
};

}  // namespace

std::span<const File> mac_files() { return files; }

}  // namespace signet::vectors

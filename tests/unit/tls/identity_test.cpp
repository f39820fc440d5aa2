#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/oid.hpp>
#include <signet/crypto/pem.hpp>
#include <signet/crypto/private_key.hpp>
#include <signet/crypto/sha2.hpp>
#include <signet/tests/support/test_identity.hpp>
#include <signet/tls/development_certificate.hpp>
#include <signet/tls/identity.hpp>
#include <signet/tls/verified_signature.hpp>

using namespace signet;
using namespace signet::tls;
namespace ids = test_identity;
using Input = IdentityFault::Input;

namespace {

using Octets = std::vector<std::uint8_t>;

Octets der_of(std::string_view pem) {
  const auto blocks = crypto::parse_pem(base::as_bytes(pem));
  REQUIRE(blocks.ok());
  return blocks->back().contents;
}

std::string joined(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) all += text;
  return all;
}

std::shared_ptr<const Identity> load(base::Bytes chain, base::Bytes key) {
  auto loaded = Identity::load(chain, key, ids::now);
  REQUIRE_MESSAGE(loaded.ok(), (loaded.ok() ? "" : loaded.error().reason));
  return *loaded;
}

IdentityFault fault_of(std::string_view chain, std::string_view key, std::int64_t now) {
  const auto loaded = Identity::load(base::as_bytes(chain), base::as_bytes(key), now);
  REQUIRE_FALSE(loaded.ok());
  return loaded.error();
}

IdentityFault fault_of(std::string_view chain) { return fault_of(chain, ids::leaf_key_sec1, ids::now); }

Octets digest_of(base::Bytes content) {
  Octets digest(32);
  crypto::Sha256 hash;
  hash.update(content);
  hash.finish(std::span<std::uint8_t, 32>(digest.data(), 32));
  return digest;
}

void append_entry(Octets& message, const Octets& certificate) {
  message.insert(message.end(), {0, static_cast<std::uint8_t>(certificate.size() >> 8),
                                 static_cast<std::uint8_t>(certificate.size())});
  message.insert(message.end(), certificate.begin(), certificate.end());
  message.insert(message.end(), {0, 0});
}

// The leaf over and over would not be a chain, so self-issued roots make the length.
std::string long_chain(std::size_t roots) {
  std::string chain(ids::leaf_certificate);
  for (std::size_t i = 0; i < roots; i++) chain += ids::root_certificate;
  return chain;
}

Octets general_name(std::uint8_t number, base::Bytes value) {
  Octets room(2 + value.size());
  crypto::der::Writer writer(room);
  writer.element(crypto::der::context(number), value);
  REQUIRE(writer.ok());
  return room;
}

void write_alternative_names(crypto::der::Writer& writer, const std::vector<Octets>& names) {
  writer.nested(crypto::der::sequence, [&] {
    writer.element(crypto::der::object_identifier, crypto::oid::subject_alt_name);
    writer.nested(crypto::der::octet_string, [&] {
      writer.nested(crypto::der::sequence, [&] {
        for (const Octets& name : names) writer.raw(name);
      });
    });
  });
}

// The leaf with this subjectAltName as its only extension, or with no extension. Its signature is no longer
// right, which is the client's to see.
Octets leaf_with(const std::vector<Octets>& names) {
  namespace der = crypto::der;
  const Octets leaf = der_of(ids::leaf_certificate);
  Certificate certificate;
  der::Fault fault;
  REQUIRE(parse_certificate(certificate, fault, leaf));
  const TbsCertificate& tbs = certificate.tbs;
  der::Reader whole(tbs.der, fault);
  der::Reader fields;
  REQUIRE(whole.enter(fields, der::sequence, "tbs"));
  const auto head_bytes =
      static_cast<std::size_t>(tbs.public_key.data() + tbs.public_key.size() - fields.rest().data());
  Octets room(max_certificate_message_bytes);
  der::Writer writer(room);
  writer.nested(der::sequence, [&] {
    writer.nested(der::sequence, [&] {
      writer.raw(fields.rest().first(head_bytes));
      if (names.empty()) return;
      writer.nested(der::context_constructed(3),
                    [&] { writer.nested(der::sequence, [&] { write_alternative_names(writer, names); }); });
    });
    writer.raw(certificate.signature_algorithm.der);
    writer.bit_octets(certificate.signature);
  });
  REQUIRE(writer.ok());
  return {writer.written().begin(), writer.written().end()};
}

std::shared_ptr<const Identity> named(const std::vector<Octets>& names) {
  return load(leaf_with(names), base::as_bytes(ids::leaf_key_sec1));
}

std::vector<Octets> hosts(std::size_t count) {
  std::vector<Octets> names;
  for (std::size_t i = 1; i <= count; i++) {
    names.push_back(general_name(2, base::as_bytes("h" + std::to_string(i) + ".test")));
  }
  return names;
}

}  // namespace

TEST_CASE("the Certificate message of RFC 8446 section 4.4.2, from PEM and from DER") {
  const Octets leaf = der_of(ids::leaf_certificate);
  const Octets root = der_of(ids::root_certificate);
  Octets entries;
  append_entry(entries, leaf);
  append_entry(entries, root);
  const std::size_t body = entries.size() + 4;
  Octets expected = {
      11, 0, static_cast<std::uint8_t>(body >> 8),           static_cast<std::uint8_t>(body),
      0,  0, static_cast<std::uint8_t>(entries.size() >> 8), static_cast<std::uint8_t>(entries.size())};
  expected.insert(expected.end(), entries.begin(), entries.end());

  Octets chain_der = leaf;
  chain_der.insert(chain_der.end(), root.begin(), root.end());
  const std::string chain_pem = joined({ids::leaf_certificate, ids::leaf_key_sec1, ids::root_certificate});
  for (const base::Bytes chain : {base::as_bytes(chain_pem), base::Bytes(chain_der)}) {
    const auto identity = load(chain, base::as_bytes(ids::leaf_key_pkcs8));
    const base::Bytes message = identity->certificate_message();
    CHECK(Octets(message.begin(), message.end()) == expected);
    REQUIRE(identity->certificate_count() == 2);
    CHECK(std::ranges::equal(identity->certificate(0), leaf));
    CHECK(std::ranges::equal(identity->certificate(1), root));
  }
}

TEST_CASE("a leaf alone is a chain, and the key may be DER") {
  const Octets key = der_of(ids::leaf_key_sec1);
  CHECK(load(base::as_bytes(ids::leaf_certificate), key)->certificate_count() == 1);
}

TEST_CASE("faults of the chain name certificate, line and reason") {
  const IdentityFault order = fault_of(joined({ids::root_certificate, ids::leaf_certificate}));
  CHECK(order.reason == "certificate 1: its key is not the private key's");

  const IdentityFault issuer = fault_of(joined({ids::leaf_certificate, ids::leaf_certificate}));
  CHECK(issuer.input == Input::chain);
  CHECK(issuer.line == 1 + std::ranges::count(ids::leaf_certificate, '\n'));
  CHECK(issuer.reason ==
        "certificate 2: its subject is not the issuer of certificate 1; each must be followed by the one "
        "that issued it");

  CHECK(fault_of(ids::expired_certificate).reason == "certificate 1: it expired on 2021-01-01 00:00:00 UTC");
  CHECK(fault_of(ids::leaf_certificate, ids::other_key, ids::now).reason ==
        "certificate 1: its key is not the private key's");
  CHECK(fault_of(ids::rsa_certificate).reason == "certificate 1: its key is of kind RSA; P-256 is needed");
  CHECK(fault_of(ids::p384_certificate).reason == "certificate 1: its key is of kind P-384; P-256 is needed");
  CHECK(fault_of(ids::agreement_certificate).reason ==
        "certificate 1: its keyUsage does not allow digitalSignature");
  CHECK(fault_of(ids::leaf_key_sec1).reason == "the file has no CERTIFICATE block");
  CHECK(fault_of("").reason == "the file is empty");
  CHECK(fault_of("hello").reason == "the file has no PEM block (-----BEGIN ...-----)");

  std::string broken(ids::leaf_certificate);
  broken.insert(broken.find('\n') + 70, "!");
  const IdentityFault base64 = fault_of(broken);
  CHECK(base64.reason == "a character is not base64");
  CHECK(base64.line == 3);
  CHECK(fault_of("-----BEGIN CERTIFICATE-----\nMAAA\n-----END CERTIFICATE-----\n").reason ==
        "certificate 1: the certificate has octets after its end (octet 2)");
}

TEST_CASE("a leaf that is not on the curve is refused") {
  Octets leaf = der_of(ids::leaf_certificate);
  Certificate certificate;
  crypto::der::Fault fault;
  REQUIRE(parse_certificate(certificate, fault, leaf));
  leaf[static_cast<std::size_t>(certificate.public_key.key.data() - leaf.data()) + 64] ^= 1;
  const auto loaded = Identity::load(leaf, base::as_bytes(ids::leaf_key_sec1), ids::now);
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.error().reason == "certificate 1: its key is not an uncompressed point of P-256");
  CHECK(loaded.error().line == 0);
}

TEST_CASE("dates are inclusive at both ends, and every certificate of the chain is looked at") {
  constexpr std::int64_t from = 1'767'225'600;
  constexpr std::int64_t leaf_to = 2'082'758'400;
  constexpr std::int64_t expired_from = 1'577'836'800;
  const base::Bytes leaf = base::as_bytes(ids::leaf_certificate);
  const base::Bytes key = base::as_bytes(ids::leaf_key_sec1);
  CHECK(Identity::load(leaf, key, from).ok());
  CHECK(Identity::load(leaf, key, leaf_to).ok());
  CHECK(fault_of(ids::leaf_certificate, ids::leaf_key_sec1, from - 1).reason ==
        "certificate 1: it is not valid before 2026-01-01 00:00:00 UTC");
  CHECK(fault_of(ids::leaf_certificate, ids::leaf_key_sec1, leaf_to + 1).reason ==
        "certificate 1: it expired on 2036-01-01 00:00:00 UTC");
  CHECK(fault_of(joined({ids::expired_certificate, ids::root_certificate}), ids::leaf_key_sec1, expired_from)
            .reason == "certificate 2: it is not valid before 2026-01-01 00:00:00 UTC");
}

TEST_CASE("faults of the key are the key's") {
  const IdentityFault encrypted = fault_of(ids::leaf_certificate, ids::leaf_key_encrypted, ids::now);
  CHECK(encrypted.input == Input::key);
  CHECK(encrypted.line == 1);
  CHECK(encrypted.reason.starts_with("the key is encrypted"));
  CHECK(fault_of(ids::leaf_certificate, ids::p384_key, ids::now).input == Input::key);
}

TEST_CASE("the message has at most 48,000 octets") {
  const std::size_t leaf_bytes = der_of(ids::leaf_certificate).size() + 5;
  const std::size_t root_bytes = der_of(ids::root_certificate).size() + 5;
  // More certificates than one PEM file may hold, so DER.
  Octets chain = der_of(ids::leaf_certificate);
  const Octets root = der_of(ids::root_certificate);
  const std::size_t roots = (max_certificate_message_bytes - 8 - leaf_bytes) / root_bytes;
  for (std::size_t i = 0; i < roots; i++) chain.insert(chain.end(), root.begin(), root.end());
  const auto most = load(chain, base::as_bytes(ids::leaf_key_sec1));
  CHECK(most->certificate_message().size() == 8 + leaf_bytes + roots * root_bytes);
  CHECK(most->certificate_message().size() <= max_certificate_message_bytes);
  chain.insert(chain.end(), root.begin(), root.end());
  const auto over = Identity::load(chain, base::as_bytes(ids::leaf_key_sec1), ids::now);
  REQUIRE_FALSE(over.ok());
  CHECK(over.error().reason ==
        "certificate " + std::to_string(roots + 2) + ": the chain up to here is over 48,000 octets");
  CHECK(fault_of(long_chain(64)).reason == "the file has more than 64 blocks");
}

TEST_CASE("a signature verifies with the leaf's key and differs each time") {
  const auto identity = load(base::as_bytes(ids::leaf_certificate), base::as_bytes(ids::leaf_key_sec1));
  Certificate certificate;
  crypto::der::Fault fault;
  REQUIRE(parse_certificate(certificate, fault, identity->certificate(0)));
  const auto key = p256_key_vartime(certificate.public_key);
  const base::Bytes content = base::as_bytes("what is signed");
  std::uint8_t signatures[2][crypto::max_ecdsa_der_bytes] = {};
  for (auto& der : signatures) {
    std::size_t der_bytes = 0;
    REQUIRE(identity->sign(der, der_bytes, content));
    const auto signature = crypto::ecdsa_from_der_vartime(base::Bytes(der).first(der_bytes));
    REQUIRE(signature.has_value());
    CHECK(crypto::p256_verify_vartime(*key, digest_of(content), *signature));
    CHECK_FALSE(crypto::p256_verify_vartime(*key, digest_of(base::as_bytes("what is not")), *signature));
  }
  CHECK_FALSE(std::ranges::equal(signatures[0], signatures[1]));
}

TEST_CASE("a signature that a fault spoilt is never given out") {
  crypto::P256PrivateKey key;
  REQUIRE(crypto::load_private_key(key, base::as_bytes(ids::leaf_key_sec1)).ok());
  const Octets digest = digest_of(base::as_bytes("content"));
  int attempts = 0;
  int faults = 0;
  const auto faulty = [&](crypto::EcdsaSignature& signature) noexcept {
    crypto::p256_sign(signature, key, digest, {});
    if (attempts++ < faults) signature.s[31] ^= 1;
  };
  const auto verify = [&](const crypto::EcdsaSignature& signature) noexcept {
    return crypto::p256_verify_vartime(key.public_key(), digest, signature);
  };
  crypto::EcdsaSignature signature;
  CHECK(sign_verified(signature, faulty, verify));
  CHECK(attempts == 1);

  attempts = 0;
  faults = 1;
  CHECK(sign_verified(signature, faulty, verify));
  CHECK(attempts == 2);
  CHECK(verify(signature));

  attempts = 0;
  faults = 1'000;
  CHECK_FALSE(sign_verified(signature, faulty, verify));
  CHECK(attempts == signature_attempts);
  CHECK(std::ranges::all_of(signature.r, [](std::uint8_t octet) { return octet == 0; }));
  CHECK(std::ranges::all_of(signature.s, [](std::uint8_t octet) { return octet == 0; }));
}

TEST_CASE("a check that does not fit the key gives nothing out") {
  crypto::P256PrivateKey key;
  crypto::P256PrivateKey other;
  REQUIRE(crypto::load_private_key(key, base::as_bytes(ids::leaf_key_sec1)).ok());
  REQUIRE(crypto::load_private_key(other, base::as_bytes(ids::other_key)).ok());
  std::uint8_t der[crypto::max_ecdsa_der_bytes] = {};
  std::size_t der_bytes = 99;
  const auto table = crypto::P256VerifyTable::build_vartime(key.public_key());
  CHECK(sign_content(der, der_bytes, key, table, base::as_bytes("content")));
  CHECK(der_bytes > 0);
  std::ranges::fill(der, std::uint8_t{0});
  CHECK_FALSE(sign_content(der, der_bytes, other, table, base::as_bytes("content")));
  CHECK(der_bytes == 0);
  CHECK(std::ranges::all_of(der, [](std::uint8_t octet) { return octet == 0; }));
}

TEST_CASE("an identity covers the hosts and addresses of its leaf") {
  const std::string chain = joined({ids::leaf_certificate, ids::root_certificate});
  const auto identity = load(base::as_bytes(chain), base::as_bytes(ids::leaf_key_sec1));
  REQUIRE(identity->names().size() == 4);
  CHECK(identity->covers("example.test", 0) == 1);
  CHECK(identity->covers("WWW.example.test.", 0) == 2);
  CHECK(identity->covers("www.example.test", 2) == 2);
  CHECK(identity->covers("192.0.2.1", 0) == 0);
  CHECK(identity->covers("192.0.2.7", 2) == 3);
  CHECK(identity->covers("[2001:0DB8:0::7]", 0) == 4);
  CHECK(identity->covers("[2001:db8::8]", 0) == 0);
  CHECK(identity->covers("a.b.example.test", 0) == 0);
  CHECK(identity->covers("", 0) == 0);
  for (const HostName& name : identity->names()) {
    CHECK(name.value.data() > identity->certificate(0).data());
    CHECK(name.value.data() < identity->certificate(0).data() + identity->certificate(0).size());
  }
}

TEST_CASE("a development certificate covers this machine's own names") {
  const auto made = make_development_certificate(ids::now);
  REQUIRE(made.ok());
  for (const std::string_view host : {"localhost", "LocalHost.", "127.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]"}) {
    CAPTURE(host);
    CHECK(made->identity->covers(host, 0) != 0);
  }
  for (const std::string_view host :
       {"localhost.test", "a.localhost", "127.0.0.2", "[::2]", "[::127.0.0.1]"}) {
    CAPTURE(host);
    CHECK(made->identity->covers(host, 0) == 0);
  }
}

TEST_CASE("a leaf without a name of a host has no names, whatever its common name") {
  const Octets email = general_name(1, base::as_bytes("a@example.test"));
  const Octets malformed = general_name(2, base::as_bytes("w*.example.test"));
  for (const auto& names : {std::vector<Octets>{}, {email}, {malformed}, {email, malformed}}) {
    const auto identity = named(names);
    CHECK(identity->names().empty());
    CHECK(identity->covers("example.test", 0) == 0);
    CHECK(identity->covers("wx.example.test", 1) == 0);
  }
}

TEST_CASE("names that no host can match are not counted") {
  const auto identity =
      named({general_name(2, base::as_bytes("*")), general_name(1, base::as_bytes("a@example.test")),
             general_name(2, base::as_bytes("other.test")), general_name(7, Octets{10, 0, 0, 1})});
  CHECK(identity->names().size() == 2);
  CHECK(identity->covers("other.test", 0) == 1);
  CHECK(identity->covers("10.0.0.1", 0) == 2);
  CHECK(identity->covers("example.test", 0) == 0);
}

TEST_CASE("a leaf names at most 255 hosts") {
  std::vector<Octets> names = hosts(max_host_names);
  names.push_back(general_name(1, base::as_bytes("a@example.test")));
  const auto most = named(names);
  CHECK(most->names().size() == 255);
  CHECK(most->covers("h255.test", 0) == 255);
  const auto over =
      Identity::load(leaf_with(hosts(max_host_names + 1)), base::as_bytes(ids::leaf_key_sec1), ids::now);
  REQUIRE_FALSE(over.ok());
  CHECK(over.error().reason == "certificate 1: its subjectAltName has more than 255 names of hosts");
}

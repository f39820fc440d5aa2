#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/private_key.hpp>
#include <signet/tests/support/test_identity.hpp>

using namespace signet::crypto;
namespace ids = signet::test_identity;
using signet::base::as_bytes;

namespace {

using Octets = std::vector<std::uint8_t>;

// The scalar of ids::leaf_key_*, as openssl ec -text prints it.
constexpr std::uint8_t leaf_scalar[] = {0xfe, 0xc7, 0x0d, 0x92, 0xe9, 0x44, 0x8e, 0x90, 0x1e, 0x0e, 0x8c,
                                        0x19, 0x65, 0x66, 0x96, 0xf9, 0x65, 0x65, 0x88, 0x03, 0xd7, 0x9b,
                                        0x77, 0x36, 0x1f, 0x82, 0x7e, 0x48, 0xe6, 0x48, 0xb1, 0x5b};

Octets der_of(std::string_view pem) {
  auto blocks = parse_pem(as_bytes(pem));
  REQUIRE(blocks.ok());
  return blocks->back().contents;
}

bool is_leaf_key(const P256PrivateKey& key) { return std::ranges::equal(key.scalar(), leaf_scalar); }

void check_loads_leaf(signet::base::Bytes file) {
  P256PrivateKey key;
  const auto loaded = load_private_key(key, file);
  REQUIRE_MESSAGE(loaded.ok(), (loaded.ok() ? "" : loaded.error().reason));
  CHECK(is_leaf_key(key));
}

std::string reason_of(signet::base::Bytes file) {
  P256PrivateKey key;
  const auto loaded = load_private_key(key, file);
  REQUIRE_FALSE(loaded.ok());
  CHECK(std::ranges::all_of(key.scalar(), [](std::uint8_t octet) { return octet == 0; }));
  return loaded.error().reason;
}

std::string reason_of(std::string_view pem) { return reason_of(as_bytes(pem)); }

// ECPrivateKey: headers and version; scalar; curve; headers of the public key and its unused bits; point.
constexpr std::size_t sec1_scalar_at = 7;
constexpr std::size_t sec1_point_at = sec1_scalar_at + 32 + 12 + 5;

}  // namespace

TEST_CASE("both encodings are read, PEM and DER, with and without a public key") {
  for (const std::string_view pem :
       {ids::leaf_key_sec1, ids::leaf_key_sec1_with_parameters, ids::leaf_key_pkcs8, ids::leaf_key_compressed,
        ids::leaf_key_without_public}) {
    check_loads_leaf(as_bytes(pem));
    check_loads_leaf(der_of(pem));
  }
}

TEST_CASE("certificates beside the key are passed over") {
  check_loads_leaf(as_bytes(std::string(ids::leaf_certificate) + std::string(ids::leaf_key_sec1)));
}

TEST_CASE("each unusable key has its own reason") {
  CHECK(reason_of(ids::leaf_key_encrypted) ==
        "the key is encrypted (PKCS#8); only keys without a pass phrase are read");
  CHECK(reason_of(der_of(ids::leaf_key_encrypted)) ==
        "the key is encrypted (PKCS#8); only keys without a pass phrase are read");
  CHECK(reason_of(ids::leaf_key_legacy_encrypted)
            .starts_with("the block is encrypted (Proc-Type: 4,ENCRYPTED)"));
  CHECK(reason_of(ids::leaf_key_explicit) == "the key spells its curve out; only the name P-256 is read");
  CHECK(reason_of(ids::p384_key) == "the key is of kind P-384; a P-256 key is needed");
  CHECK(reason_of(ids::rsa_key_pkcs8) == "the key is of kind RSA; a P-256 key is needed");
  CHECK(reason_of(ids::rsa_key_pkcs1) == "the key is of kind RSA PRIVATE KEY; a P-256 key is needed");
  CHECK(reason_of(der_of(ids::rsa_key_pkcs1)) == "the key is of kind RSA; a P-256 key is needed");
  CHECK(reason_of(ids::ed25519_key) == "the key is of kind Ed25519; a P-256 key is needed");
  CHECK(reason_of(ids::leaf_certificate) == "the file has no private key");
  CHECK(reason_of(std::string_view()) == "the file is empty");
  CHECK(reason_of(std::string_view("hello")) == "the file has no PEM block (-----BEGIN ...-----)");
  CHECK(reason_of(std::string(ids::leaf_key_sec1) + std::string(ids::other_key)) ==
        "the file has a second private key");
}

TEST_CASE("a fault names the line of the block") {
  P256PrivateKey key;
  const auto loaded = load_private_key(key, as_bytes("some text\n" + std::string(ids::p384_key)));
  REQUIRE_FALSE(loaded.ok());
  CHECK(loaded.error().line == 2);
}

TEST_CASE("a public key that is not the scalar's is refused") {
  for (const std::string_view pem : {ids::leaf_key_sec1, ids::leaf_key_compressed, ids::leaf_key_pkcs8}) {
    Octets der = der_of(pem);
    der.back() ^= 1;
    CHECK(reason_of(der) == "the public key in the file is not the private key's");
  }
  Octets parity = der_of(ids::leaf_key_compressed);
  CHECK((parity[sec1_point_at] & 0xfe) == 2);
  parity[sec1_point_at] ^= 1;
  CHECK(reason_of(parity) == "the public key in the file is not the private key's");
}

TEST_CASE("the scalar is from 1 to the order less 1") {
  constexpr std::uint8_t order[] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff,
                                    0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17,
                                    0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
  Octets der = der_of(ids::leaf_key_without_public);
  std::fill_n(der.begin() + sec1_scalar_at, 32, std::uint8_t{0});
  CHECK(reason_of(der) == "the private scalar is zero or not below the order of P-256");
  std::copy_n(order, 32, der.begin() + sec1_scalar_at);
  CHECK(reason_of(der) == "the private scalar is zero or not below the order of P-256");
  der[sec1_scalar_at + 31] ^= 1;  // the order less 1
  P256PrivateKey key;
  CHECK(load_private_key(key, der).ok());
}

TEST_CASE("a scalar of another length is refused") {
  Octets der = der_of(ids::leaf_key_without_public);  // 30 31 02 01 01 04 20 ...
  der.erase(der.begin() + sec1_scalar_at);
  der[1]--;
  der[6]--;
  CHECK(reason_of(der) == "the private scalar has 31 octets, P-256 has 32");
}

TEST_CASE("octets behind the key and a cut key are refused") {
  for (const std::string_view pem : {ids::leaf_key_sec1, ids::leaf_key_pkcs8}) {
    Octets der = der_of(pem);
    der.push_back(0);
    CHECK(reason_of(der).find("has octets after its end") != std::string::npos);
    der.pop_back();
    for (std::size_t size = 0; size < der.size(); size++) {
      const Octets cut(der.begin(), der.begin() + static_cast<std::ptrdiff_t>(size));
      P256PrivateKey key;
      CHECK_FALSE(parse_private_key(key, cut).ok());
    }
  }
}

TEST_CASE("no octet of a key with its public key can be changed") {
  const Octets der = der_of(ids::leaf_key_sec1);
  for (std::size_t i = 0; i < der.size(); i++) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      Octets changed = der;
      changed[i] = static_cast<std::uint8_t>(changed[i] ^ flip);
      P256PrivateKey key;
      CHECK_FALSE(parse_private_key(key, changed).ok());
    }
  }
}

TEST_CASE("a key that names no curve is refused outside of PKCS#8") {
  Octets der = {0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20};
  der.insert(der.end(), std::begin(leaf_scalar), std::end(leaf_scalar));
  CHECK(reason_of(der) == "the key names no curve; a P-256 key must");
}

TEST_CASE("what is written is what openssl writes") {
  P256PrivateKey key;
  REQUIRE(load_private_key(key, as_bytes(ids::leaf_key_sec1)).ok());
  std::uint8_t der[max_sec1_bytes];
  const std::size_t size = write_sec1(der, key);
  const Octets expected = der_of(ids::leaf_key_sec1);
  CHECK(Octets(der, der + size) == expected);
  CHECK(write_pem("EC PRIVATE KEY", expected) == ids::leaf_key_sec1);
}

TEST_CASE(
    "a public key beside the PKCS#8 key (RFC 5958) is the scalar's too, and the same as the one inside") {
  const Octets sec1 = der_of(ids::leaf_key_sec1);
  Octets der = der_of(ids::leaf_key_pkcs8);
  REQUIRE(der[1] == 0x81);
  der[2] = static_cast<std::uint8_t>(der[2] + 68);
  der[5] = 1;  // the version that has a public key
  const std::size_t outer_at = der.size();
  der.insert(der.end(), {0x81, 0x42, 0x00});
  der.insert(der.end(), sec1.end() - 65, sec1.end());
  check_loads_leaf(der);

  Octets changed = der;
  changed.back() ^= 1;
  CHECK(reason_of(changed) == "the file has two public keys that differ");
  changed = der;
  changed[outer_at + 2] = 1;
  CHECK(reason_of(changed).find("publicKey is not a whole number of octets") != std::string::npos);
  changed = der;
  changed[5] = 0;
  CHECK(reason_of(changed).find("PrivateKeyInfo has octets after its end") != std::string::npos);
  changed[5] = 2;
  CHECK(reason_of(changed) == "the key has version 2, which is not known for its form");
}

// HMAC: RFC 4231, and the definition of RFC 2104 written out slowly for all key lengths around a block.
#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/hmac.hpp>
#include <signet/tests/support/hex.hpp>

using namespace signet;
using namespace signet::crypto;
using test::from_hex;
using test::to_hex;

namespace {

constexpr HashId all_ids[] = {HashId::sha256, HashId::sha384, HashId::sha512};

using Octets = std::vector<std::uint8_t>;

std::string mac(HashId id, base::Bytes key, base::Bytes data) {
  Octets tag(digest_bytes(id));
  hmac(tag, HmacKey(id, key), data);
  return to_hex(tag);
}

Octets hash_of(HashId id, const Octets& data) {
  Octets digest(digest_bytes(id));
  hash(digest, id, data);
  return digest;
}

/// H((K ^ opad) | H((K ^ ipad) | data)), RFC 2104 section 2.
std::string mac_by_definition(HashId id, Octets key, const Octets& data) {
  if (key.size() > block_bytes(id)) key = hash_of(id, key);
  key.resize(block_bytes(id));
  Octets inner, outer;
  for (const std::uint8_t octet : key) {
    inner.push_back(octet ^ 0x36);
    outer.push_back(octet ^ 0x5c);
  }
  inner.insert(inner.end(), data.begin(), data.end());
  const Octets inner_digest = hash_of(id, inner);
  outer.insert(outer.end(), inner_digest.begin(), inner_digest.end());
  return to_hex(hash_of(id, outer));
}

Octets counting_bytes(std::size_t n) {
  Octets bytes(n);
  for (std::size_t i = 0; i < n; i++) bytes[i] = static_cast<std::uint8_t>(i * 7 + 3);
  return bytes;
}

}  // namespace

// RFC 4231 sections 4.2 to 4.4 and 4.7.
TEST_CASE("HMAC gives the published tags") {
  const Octets key1(20, 0x0b), key3(20, 0xaa), long_key(131, 0xaa), data3(50, 0xdd);
  const base::Bytes jefe = base::as_bytes("Jefe");
  const base::Bytes question = base::as_bytes("what do ya want for nothing?");
  const base::Bytes larger = base::as_bytes("Test Using Larger Than Block-Size Key - Hash Key First");

  CHECK(mac(HashId::sha256, key1, base::as_bytes("Hi There")) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(mac(HashId::sha256, jefe, question) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(mac(HashId::sha256, key3, data3) ==
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  CHECK(mac(HashId::sha256, long_key, larger) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");

  CHECK(mac(HashId::sha384, jefe, question) ==
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649");
  CHECK(mac(HashId::sha384, long_key, larger) ==
        "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952");

  CHECK(mac(HashId::sha512, jefe, question) ==
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737");
  CHECK(mac(HashId::sha512, long_key, larger) ==
        "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
        "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598");
}

TEST_CASE("keys of all lengths around a block, and longer, follow the definition") {
  const Octets data = counting_bytes(200);
  for (const HashId id : all_ids) {
    for (std::size_t n = 0; n <= 300; n++) {
      CAPTURE(n);
      const Octets key = counting_bytes(n);
      CHECK(mac(id, key, data) == mac_by_definition(id, key, data));
    }
  }
}

TEST_CASE("messages of all lengths follow the definition, however they are split") {
  const Octets key = counting_bytes(32);
  for (const HashId id : all_ids) {
    const HmacKey prepared(id, key);
    for (std::size_t n = 0; n <= 300; n++) {
      CAPTURE(n);
      const Octets data = counting_bytes(n);
      Octets tag(digest_bytes(id));
      Hmac running(prepared);
      running.update(base::Bytes(data).first(n / 3));
      running.update(base::Bytes(data).subspan(n / 3));
      running.finish(tag);
      CHECK(to_hex(tag) == mac_by_definition(id, key, data));
    }
  }
}

TEST_CASE("a prepared key serves many messages, and a copied MAC forks") {
  for (const HashId id : all_ids) {
    const HmacKey key(id, base::as_bytes("key"));
    CHECK(key.id() == id);
    Octets left(digest_bytes(id)), right(digest_bytes(id));
    Hmac running(key);
    running.update(base::as_bytes("common "));
    Hmac fork = running;
    running.update(base::as_bytes("left"));
    fork.update(base::as_bytes("right"));
    running.finish(left);
    fork.finish(right);
    CHECK(to_hex(left) == mac(id, base::as_bytes("key"), base::as_bytes("common left")));
    CHECK(to_hex(right) == mac(id, base::as_bytes("key"), base::as_bytes("common right")));
  }
}

TEST_CASE("a wiped key and a finished MAC are all zero") {
  const auto is_zero = [](const void* object, std::size_t n) {
    const auto* octets = static_cast<const std::uint8_t*>(object);
    return std::all_of(octets, octets + n, [](std::uint8_t octet) { return octet == 0; });
  };
  for (const HashId id : all_ids) {
    HmacKey key(id, base::as_bytes("secret"));
    Octets tag(digest_bytes(id));
    Hmac running(key);
    running.update(base::as_bytes("message"));
    Hmac abandoned = running;
    running.finish(tag);
    // The running hash comes first; its own class wipes what it used.
    CHECK(is_zero(&running, id == HashId::sha256 ? sizeof(Sha256) : sizeof(Sha512)));
    abandoned.wipe();
    CHECK(is_zero(&abandoned, sizeof abandoned));
    key.wipe();
    CHECK(is_zero(&key, sizeof key));
  }
}

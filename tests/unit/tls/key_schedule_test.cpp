// The key schedule where RFC 8448 does not reach: SHA-384, other suites, updates, exporters, bounds, moves.
#include <doctest/doctest.h>

#include <signet/crypto/hkdf.hpp>
#include <signet/tests/support/hex.hpp>
#include <signet/tls/key_schedule.hpp>
#include <signet/tls/wire.hpp>

using namespace signet;
using namespace signet::tls;
using crypto::HashId;
using test::from_hex;
using test::to_hex;

namespace {

using Octets = std::vector<std::uint8_t>;

constexpr HashId suite_hashes[] = {HashId::sha256, HashId::sha384};

Octets filled(HashId id, std::uint8_t octet) { return Octets(crypto::digest_bytes(id), octet); }

Octets digest_of(HashId id, std::string_view text) {
  Octets digest(crypto::digest_bytes(id));
  crypto::hash(digest, id, base::as_bytes(text));
  return digest;
}

/// HKDF-Expand-Label as RFC 8446 section 7.1 writes it.
Octets expand_label(HashId id, base::Bytes secret, const std::string& label, base::Bytes context,
                    std::size_t n) {
  Octets info = {static_cast<std::uint8_t>(n >> 8), static_cast<std::uint8_t>(n),
                 static_cast<std::uint8_t>(6 + label.size())};
  for (const char c : "tls13 " + label) info.push_back(static_cast<std::uint8_t>(c));
  info.push_back(static_cast<std::uint8_t>(context.size()));
  info.insert(info.end(), context.begin(), context.end());
  Octets out(n);
  REQUIRE(crypto::hkdf_expand(out, crypto::HmacKey(id, secret), info));
  return out;
}

Octets derive(HashId id, base::Bytes secret, const std::string& label, base::Bytes context) {
  return expand_label(id, secret, label, context, crypto::digest_bytes(id));
}

Octets extract(HashId id, base::Bytes salt, base::Bytes input) {
  Octets out(crypto::digest_bytes(id));
  crypto::hkdf_extract(out, id, salt, input);
  return out;
}

std::string hex(const Secret& secret) { return to_hex(secret.bytes()); }

}  // namespace

TEST_CASE("the chain with a PSK is the one of RFC 8446 section 7.1") {
  for (const HashId id : suite_hashes) {
    const Octets psk = filled(id, 0x11), shared = filled(id, 0x22), digest = filled(id, 0x33),
                 zeros = filled(id, 0);
    const Octets nothing = digest_of(id, "");
    const Octets early = extract(id, zeros, psk);
    const Octets handshake = extract(id, derive(id, early, "derived", nothing), shared);
    const Octets master = extract(id, derive(id, handshake, "derived", nothing), zeros);

    EarlySecret first(id, psk);
    CHECK(hex(first.binder_key(PskKind::external)) == to_hex(derive(id, early, "ext binder", nothing)));
    CHECK(hex(first.binder_key(PskKind::resumption)) == to_hex(derive(id, early, "res binder", nothing)));
    CHECK(hex(first.client_traffic(digest)) == to_hex(derive(id, early, "c e traffic", digest)));
    CHECK(hex(first.exporter(digest)) == to_hex(derive(id, early, "e exp master", digest)));
    HandshakeSecret second = std::move(first).handshake(shared);
    CHECK(hex(second.traffic(digest).client) == to_hex(derive(id, handshake, "c hs traffic", digest)));
    CHECK(hex(second.traffic(digest).server) == to_hex(derive(id, handshake, "s hs traffic", digest)));
    MasterSecret third = std::move(second).master();
    CHECK(hex(third.traffic(digest).client) == to_hex(derive(id, master, "c ap traffic", digest)));
    CHECK(hex(third.traffic(digest).server) == to_hex(derive(id, master, "s ap traffic", digest)));
    CHECK(hex(third.exporter(digest)) == to_hex(derive(id, master, "exp master", digest)));
    CHECK(hex(std::move(third).resumption(digest)) == to_hex(derive(id, master, "res master", digest)));
  }
}

TEST_CASE("without a PSK the constant stands for a PSK of zeros") {
  for (const HashId id : suite_hashes) {
    const Octets shared = filled(id, 0x22), digest = filled(id, 0x33);
    const TrafficSecrets chain = EarlySecret(id, filled(id, 0)).handshake(shared).traffic(digest);
    const TrafficSecrets constant = HandshakeSecret::without_psk(id, shared).traffic(digest);
    CHECK(hex(constant.client) == hex(chain.client));
    CHECK(hex(constant.server) == hex(chain.server));
    CHECK(hex(chain.client) != hex(chain.server));
  }
}

TEST_CASE("keys of every suite") {
  for (const CipherSuite suite : {CipherSuite::aes_128_gcm_sha256, CipherSuite::aes_256_gcm_sha384,
                                  CipherSuite::chacha20_poly1305_sha256}) {
    const HashId id = hash_of(suite);
    const Octets secret = filled(id, 0x44);
    TrafficKey key;
    std::memset(&key, 0xee, sizeof key);
    derive_traffic_key(key, suite, Secret(secret));
    const std::size_t n = crypto::aead_key_bytes(aead_of(suite));
    CHECK(to_hex({key.key, n}) == to_hex(expand_label(id, secret, "key", {}, n)));
    CHECK(to_hex(key.iv) == to_hex(expand_label(id, secret, "iv", {}, 12)));
    CHECK(to_hex({key.key + n, sizeof key.key - n}) == std::string(2 * (sizeof key.key - n), '0'));
    CHECK(key.serial == 0xeeeeeeee);
  }
}

TEST_CASE("Finished, key updates and the PSK of a ticket") {
  for (const HashId id : suite_hashes) {
    const Octets secret = filled(id, 0x55), digest = filled(id, 0x66), nonce = {0, 1};
    Octets mac(crypto::digest_bytes(id));
    crypto::hmac(mac, crypto::HmacKey(id, derive(id, secret, "finished", {})), digest);
    CHECK(hex(finished_verify_data(LabelKey(id, secret), digest)) == to_hex(mac));
    CHECK(hex(next_traffic_secret(id, Secret(secret))) == to_hex(derive(id, secret, "traffic upd", {})));
    CHECK(hex(resumption_psk(id, Secret(secret), nonce)) == to_hex(derive(id, secret, "resumption", nonce)));
  }
}

TEST_CASE("exported keying material is RFC 8446 section 7.5's") {
  for (const HashId id : suite_hashes) {
    const Octets master = filled(id, 0x77);
    const Octets secret = derive(id, master, "EXPERIMENTAL label", digest_of(id, ""));
    Octets out(100);
    REQUIRE(export_keying_material(out, id, Secret(master), "EXPERIMENTAL label", base::as_bytes("context")));
    CHECK(to_hex(out) == to_hex(expand_label(id, secret, "exporter", digest_of(id, "context"), 100)));
    REQUIRE(export_keying_material(out, id, Secret(master), "EXPERIMENTAL label", {}));
    CHECK(to_hex(out) == to_hex(expand_label(id, secret, "exporter", digest_of(id, ""), 100)));
    CHECK_FALSE(export_keying_material(out, id, Secret(master), std::string(250, 'x'), {}));
    CHECK(to_hex(out) == std::string(200, '0'));
    Octets too_long(255 * crypto::digest_bytes(id) + 1, 1);
    CHECK_FALSE(export_keying_material(too_long, id, Secret(master), "label", {}));
    CHECK(too_long == Octets(too_long.size()));
  }
}

TEST_CASE("the bounds of a label's expansion") {
  const LabelKey key(HashId::sha256, filled(HashId::sha256, 1));
  Octets out(40, 0xee);
  CHECK(key.expand(out, std::string(249, 'x'), Octets(255)));
  CHECK(to_hex(out) == to_hex(expand_label(HashId::sha256, filled(HashId::sha256, 1), std::string(249, 'x'),
                                           Octets(255), out.size())));
  CHECK_FALSE(key.expand(out, std::string(250, 'x'), {}));
  CHECK(out == Octets(out.size()));
  CHECK_FALSE(key.expand(out, "x", Octets(256)));
  CHECK_FALSE(key.expand(out, std::string(1000, 'x'), {}));
}

TEST_CASE("moving a secret leaves a wiped one behind") {
  Secret first(filled(HashId::sha384, 0x12));
  Secret second(std::move(first));
  CHECK(first.empty());
  CHECK(second.bytes().size() == 48);
  Secret third;
  third = std::move(second);
  CHECK(second.empty());
  CHECK(hex(third) == to_hex(filled(HashId::sha384, 0x12)));
  const Octets left(reinterpret_cast<const std::uint8_t*>(&second),
                    reinterpret_cast<const std::uint8_t*>(&second) + sizeof second);
  CHECK(left == Octets(sizeof second));
  third.wipe();
  CHECK(third.empty());
}

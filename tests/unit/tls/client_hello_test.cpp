// ClientHello: what is refused, what is tolerated, what the views say.
#include <doctest/doctest.h>

#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/message_samples.hpp>
#include <signet/tls/messages/client_hello.hpp>

using namespace signet;
using namespace signet::tls;
using namespace signet::test;

namespace {

using Octets = std::vector<std::uint8_t>;

/// version, random, then the parts given.
Octets hello_of(const std::string& rest) { return from_hex("0303" + std::string(64, 'a') + rest); }

Reason reason_of(const std::string& rest) {
  const Octets body = hello_of(rest);
  const auto hello = ClientHello::parse(body);
  return hello ? Reason::none : hello.error().reason;
}

constexpr const char* offers_13 = "0007 002b 0003 02 0304";

}  // namespace

TEST_CASE("the views of a ClientHello with every extension") {
  const MessageSample sample = message_samples().front();
  const auto hello = ClientHello::parse(sample.body());
  REQUIRE(hello);
  CHECK(hello->legacy_version == ProtocolVersion::tls12);
  CHECK(hello->random.size() == 32);
  CHECK(hello->session_id.size() == 32);
  CHECK(hello->cipher_suites.contains(CipherSuite::chacha20_poly1305_sha256));
  CHECK(hello->cipher_suites.count() == 5);
  CHECK(hello->offers(ProtocolVersion::tls13));
  CHECK_FALSE(hello->offers(ProtocolVersion::tls11));
  const Extensions& e = hello->extensions;
  CHECK(base::as_text(e.server_name) == "127.0.0.1");
  CHECK(e.supported_groups.contains(NamedGroup::x25519));
  CHECK(e.signature_algorithms.contains(SignatureScheme::ecdsa_secp256r1_sha256));
  CHECK(e.record_size_limit == 16385);
  CHECK(e.protocols.count() == 2);
  CHECK(e.key_shares.count() == 2);
  CHECK(e.psk_identities.count() == 2);
  CHECK(e.psk_binders.count() == 2);
  CHECK(e.psk_identities.begin()->obfuscated_ticket_age == 0x01020304);
  CHECK(to_hex(e.cookie) == "c00c1e");
  CHECK(e.find(0xff01));
}

TEST_CASE("views point into the message") {
  const MessageSample sample = message_samples().front();
  const auto hello = ClientHello::parse(sample.body());
  REQUIRE(hello);
  const std::uint8_t* first = sample.message.data();
  const std::uint8_t* last = first + sample.message.size();
  for (const base::Bytes view : {hello->random, hello->session_id, hello->extensions.server_name,
                                 hello->extensions.cookie, hello->extensions.psk_binders.encoded()}) {
    CHECK(view.data() > first);
    CHECK(view.data() + view.size() <= last);
  }
}

TEST_CASE("what binders are computed over ends before their list") {
  const MessageSample sample = message_samples().front();
  const auto hello = ClientHello::parse(sample.body());
  REQUIRE(hello);
  const base::Bytes prefix = without_binders(sample.message, *hello);
  CHECK(prefix.size() == sample.message.size() - 2 - 33 - 34);
  CHECK(prefix.data() == sample.message.data());
}

TEST_CASE("a hello of an old client parses, for the handshake to answer") {
  CHECK(reason_of("00 0002 002f 01 00") == Reason::none);
  CHECK_FALSE(ClientHello::parse(hello_of("00 0002 002f 01 00"))->has_extensions);
  CHECK(ClientHello::parse(hello_of("00 0002 002f 01 00 0000"))->has_extensions);
  Octets ssl3 = hello_of("00 0002 002f 02 0100");  // with a compression besides
  ssl3[1] = 0;
  const auto hello = ClientHello::parse(ssl3);
  REQUIRE(hello);
  CHECK(static_cast<unsigned>(hello->legacy_version) == 0x0300);
}

TEST_CASE("only null compression with TLS 1.3") {
  CHECK(reason_of(std::string("00 0002 1301 01 00") + offers_13) == Reason::none);
  CHECK(reason_of(std::string("00 0002 1301 01 01") + offers_13) == Reason::compression_offered);
  CHECK(reason_of(std::string("00 0002 1301 02 0001") + offers_13) == Reason::compression_offered);
  CHECK(reason_of("00 0002 1301 02 0001 0007 002b 0003 02 0303") == Reason::none);
}

TEST_CASE("malformed fields") {
  for (const char* rest :
       {"", "00", "00 0000 01 00", "00 0001 13 01 00", "00 0003 130100 01 00", "00 0002 1301 00",
        "00 0002 1301", "00 0002 1301 01 00 00", "00 0002 1301 01 00 0001"}) {
    CAPTURE(rest);
    CHECK(reason_of(rest) == Reason::message_malformed);
  }
  CHECK(reason_of("20" + std::string(64, '0') + "0002 1301 01 00") == Reason::none);
  CHECK(reason_of("21" + std::string(66, '0') + "0002 1301 01 00") == Reason::message_malformed);
  CHECK(reason_of("00 0002 1301 01 00 0000 00") == Reason::message_trailing_octets);
}

TEST_CASE("faults of extensions come through") {
  CHECK(reason_of("00 0002 1301 01 00 0008 0017 0000 0017 0000") == Reason::extension_duplicate);
  const Octets body = hello_of("00 0002 1301 01 00 0004 000a 0000");
  CHECK(ClientHello::parse(body).error() == Failure(Reason::extension_malformed));
  CHECK(ClientHello::parse(body).error().alert == Alert::decode_error);
}

// ServerHello and HelloRetryRequest.
#include <doctest/doctest.h>

#include <signet/crypto/hash.hpp>
#include <signet/tests/support/hex.hpp>
#include <signet/tls/messages/server_hello.hpp>

using namespace signet;
using namespace signet::tls;
using namespace signet::test;

namespace {

using Octets = std::vector<std::uint8_t>;

Reason reason_of(const std::string& hex) {
  const Octets body = from_hex(hex);
  const auto hello = ServerHello::parse(body);
  return hello ? Reason::none : hello.error().reason;
}

const std::string start = "0303" + std::string(64, 'a');
const std::string retry_start = "0303" + to_hex(hello_retry_random);

Downgrade downgrade_of(const std::string& end) {
  const Octets random = from_hex(std::string(48, 'a') + end);
  ServerHello hello;
  hello.random = random;
  return hello.downgrade();
}

}  // namespace

TEST_CASE("a HelloRetryRequest is told by its random") {
  Octets digest(32);
  crypto::hash(digest, crypto::HashId::sha256, base::as_bytes("HelloRetryRequest"));
  CHECK(to_hex(digest) == to_hex(hello_retry_random));
  // The same key_share is a group there and malformed in a ServerHello; a cookie is allowed there alone.
  const std::string group = "00 1301 00 0006 0033 0002 001d", cookie = "00 1301 00 0007 002c 0003 0001 aa";
  CHECK(reason_of(retry_start + group) == Reason::none);
  CHECK(reason_of(start + group) == Reason::extension_malformed);
  CHECK(reason_of(retry_start + cookie) == Reason::none);
  CHECK(reason_of(start + cookie) == Reason::extension_not_allowed_here);
  const Octets body = from_hex(retry_start + group);
  const auto retry = ServerHello::parse(body);
  REQUIRE(retry);
  CHECK(retry->is_retry());
  CHECK(retry->extensions.selected_group == NamedGroup::x25519);
}

TEST_CASE("fields of a ServerHello") {
  const Octets body = from_hex(start + "01 bb 1303 00 0006 002b 0002 0304");
  const auto hello = ServerHello::parse(body);
  REQUIRE(hello);
  CHECK_FALSE(hello->is_retry());
  CHECK(hello->suite == CipherSuite::chacha20_poly1305_sha256);
  CHECK(to_hex(hello->session_id_echo) == "bb");
  CHECK(hello->extensions.selected_version == ProtocolVersion::tls13);
  CHECK(hello->downgrade() == Downgrade::none);
}

TEST_CASE("malformed ServerHellos") {
  CHECK(reason_of(start + "00 c02f 00") == Reason::none);  // an old server's
  CHECK(reason_of(start + "00 1301 01 0000") == Reason::server_compression_wrong);
  CHECK(reason_of(start + "00 1301") == Reason::message_malformed);
  CHECK(reason_of(start + "00 1301 00 00") == Reason::message_malformed);
  CHECK(reason_of(start + "00 1301 00 0001") == Reason::message_malformed);
  CHECK(reason_of(start + "00 1301 00 0000 00") == Reason::message_trailing_octets);
  CHECK(reason_of(start + "20" + std::string(64, '0') + "1301 00") == Reason::none);
  CHECK(reason_of(start + "21" + std::string(66, '0') + "1301 00") == Reason::message_malformed);
}

TEST_CASE("downgrade sentinels") {
  CHECK(downgrade_of("444f574e47524401") == Downgrade::to_tls12);
  CHECK(downgrade_of("444f574e47524400") == Downgrade::to_tls11_or_below);
  CHECK(downgrade_of("444f574e47524402") == Downgrade::none);
  CHECK(downgrade_of("454f574e47524401") == Downgrade::none);
}

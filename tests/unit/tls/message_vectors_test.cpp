// Another implementation's cases for the parsers and its handshakes' messages, where the vectors
// are.
#include <doctest/doctest.h>

#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/message_round_trip.hpp>
#include <signet/tests/support/vector_cases.hpp>
#include <signet/tls/extensions.hpp>
#include <signet/tls/messages/certificate_verify.hpp>

using namespace signet;
using namespace signet::tls;
using namespace signet::test;

namespace {

using Octets = std::vector<std::uint8_t>;
using Place = ExtensionPlace;

constexpr crypto::HashId hash = crypto::HashId::sha256;

/// A TLS 1.3 hello whose legacy_version is not TLS 1.2 parses here: the handshake judges it.
bool judged_by_handshake(const VectorCase& one) { return one.at("id") == "tls_13/client_hello/23"; }

unsigned type_of(const std::string& section) {
  if (section == "client_hello") return 1;
  if (section == "server_hello") return 2;
  return section == "cert_verify" ? 15 : 0;  // alerts, and messages that only TLS 1.2 has in this form
}

struct Kind {
  const char* section;
  ExtensionId id;
  Place place;
};

constexpr Kind kinds[] = {
    {"alpn", ExtensionId::application_layer_protocol_negotiation, Place::client_hello},
    {"cookie", ExtensionId::cookie, Place::client_hello},
    {"key_share_CH", ExtensionId::key_share, Place::client_hello},
    {"key_share_HRR", ExtensionId::key_share, Place::hello_retry_request},
    {"key_share_SH", ExtensionId::key_share, Place::server_hello},
    {"signature_algorithms_cert", ExtensionId::signature_algorithms_cert, Place::client_hello},
    {"supported_groups", ExtensionId::supported_groups, Place::client_hello},
    {"supported_version", ExtensionId::supported_versions, Place::client_hello},
};

bool extension_parses(const Kind& kind, const Octets& body) {
  Octets list(body.size() + 4);
  Writer writer(list);
  RawExtension{static_cast<std::uint16_t>(kind.id), body}.write(writer);
  return Extensions::parse(list, kind.place).ok();
}

/// Each handshake message of a row of records that are not protected.
std::size_t check_plain_records(const Octets& records) {
  std::size_t checked = 0;
  Reader reader(records);
  while (!reader.empty()) {
    const std::uint8_t type = reader.u8();
    reader.u16();
    const base::Bytes content = reader.vector16();
    REQUIRE(reader.ok());
    if (type != 22) continue;
    CHECK(round_trip(content, hash) == "");
    checked++;
  }
  return checked;
}

/// The content to sign ends with the digest: made again from it, it is the same.
void check_signed_content(Signer signer, const std::string& hex) {
  const Octets expected = from_hex(hex);
  REQUIRE(expected.size() > 32);
  CHECK(to_hex(SignedContent(signer, base::Bytes(expected).last(32)).bytes()) == to_hex(expected));
}

}  // namespace

TEST_CASE("messages of another implementation's tests") {
  std::size_t checked = 0;
  for (const VectorCase& one : vector_cases("botan/tls_messages.json")) {
    const unsigned type = type_of(one.at("section"));
    if (type == 0) continue;
    CAPTURE(one.at("id"));
    std::string written;
    const Octets body = from_hex(one.at("Buffer"));
    const Reason reason = parse_and_write(written, type, body, hash);
    const bool good = one.at("Exception").empty() || judged_by_handshake(one);
    CHECK((reason == Reason::none) == good);
    if (reason == Reason::none) CHECK(to_hex(base::as_bytes(written)).substr(8) == to_hex(body));
    checked++;
  }
  CHECK((checked == 0 || checked == 31));
}

TEST_CASE("extensions of another implementation's tests") {
  std::size_t checked = 0;
  for (const VectorCase& one : vector_cases("botan/tls_extensions.json")) {
    CAPTURE(one.at("id"));
    for (const Kind& kind : kinds) {
      if (one.at("section") != kind.section) continue;
      CHECK(extension_parses(kind, from_hex(one.at("Buffer"))) == one.at("Exception").empty());
      checked++;
    }
  }
  CHECK((checked == 0 || checked == 30));
}

TEST_CASE("handshakes of another implementation's tests") {
  std::size_t checked = 0;
  for (const VectorCase& one : vector_cases("botan/tls13_transcripts.json")) {
    CAPTURE(one.at("section"));
    for (const auto& field : one) {
      const std::string& name = field.first;
      const std::string& hex = field.second;
      CAPTURE(name);
      if (name.rfind("Message_", 0) == 0) {
        CHECK(round_trip(from_hex(hex), hash) == "");
        checked++;
      }
      const bool plain = name.rfind("Record_ClientHello", 0) == 0 || name == "Record_ServerHello" ||
                         name == "Record_HelloRetryRequest";
      if (plain) checked += check_plain_records(from_hex(hex));
      if (name == "Server_MessageToSign") check_signed_content(Signer::server, hex);
      if (name == "Client_MessageToSign") check_signed_content(Signer::client, hex);
    }
  }
  CHECK((checked == 0 || checked == 49));
}

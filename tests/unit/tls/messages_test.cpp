// Every message: written and parsed back, cut at every octet, with every octet changed to every value.
#include <memory>

#include <doctest/doctest.h>

#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/message_round_trip.hpp>
#include <signet/tests/support/message_samples.hpp>
#include <signet/tls/messages/certificate.hpp>
#include <signet/tls/messages/certificate_request.hpp>
#include <signet/tls/messages/certificate_verify.hpp>
#include <signet/tls/messages/encrypted_extensions.hpp>
#include <signet/tls/messages/end_of_early_data.hpp>
#include <signet/tls/messages/finished.hpp>
#include <signet/tls/messages/key_update.hpp>
#include <signet/tls/messages/new_session_ticket.hpp>

using namespace signet;
using namespace signet::tls;
using namespace signet::test;

namespace {

constexpr crypto::HashId hash = crypto::HashId::sha256;
using Octets = std::vector<std::uint8_t>;

/// Parses a copy that ends where its allocation ends, so that a sanitizer sees one octet too many. A body
/// that parses must be written back to the same octets.
Reason parse_copy(unsigned type, base::Bytes body) {
  const auto copy = std::make_unique<std::uint8_t[]>(body.size());
  std::copy(body.begin(), body.end(), copy.get());
  std::string written;
  const Reason reason = parse_and_write(written, type, {copy.get(), body.size()}, hash);
  if (reason != Reason::none) return reason;
  const std::string_view message = written;
  const bool same = message.size() == handshake_header_bytes + body.size() &&
                    message.substr(handshake_header_bytes) == base::as_text(body);
  if (!same) FAIL_CHECK("parses, but is written back to other octets: " << to_hex(body));
  return reason;
}

template <class Message>
Reason reason_of(const char* hex) {
  const Octets body = from_hex(hex);
  const auto message = Message::parse(body);
  return message ? Reason::none : message.error().reason;
}

}  // namespace

TEST_CASE("every message is written back to the same octets") {
  for (const MessageSample& sample : message_samples()) {
    CAPTURE(sample.name);
    CHECK(round_trip(sample.message, hash) == "");
    CHECK(known(static_cast<HandshakeType>(sample.type())));
  }
}

TEST_CASE("every message cut anywhere is refused") {
  for (const MessageSample& sample : message_samples()) {
    const base::Bytes body = sample.body();
    for (std::size_t n = 0; n < body.size(); n++) {
      CAPTURE(sample.name);
      CAPTURE(n);
      const Reason reason = parse_copy(sample.type(), body.first(n));
      // A hello may end before its extensions; then what is left is a hello of an older version.
      const bool hello = sample.type() <= 2;
      if (!hello) CHECK(reason != Reason::none);
      if (reason == Reason::none) CHECK(n < 100);
    }
  }
}

TEST_CASE("octets behind the end are refused") {
  for (const MessageSample& sample : message_samples()) {
    CAPTURE(sample.name);
    Octets longer(sample.body().begin(), sample.body().end());
    longer.push_back(0);
    CHECK(parse_copy(sample.type(), longer) != Reason::none);
  }
}

TEST_CASE("every change of one octet is refused or written back to the same octets") {
  std::size_t refused = 0, taken = 0;
  for (const MessageSample& sample : message_samples()) {
    Octets body(sample.body().begin(), sample.body().end());
    for (std::uint8_t& octet : body) {
      const std::uint8_t original = octet;
      for (unsigned change = 1; change < 256; change++) {
        octet = static_cast<std::uint8_t>(original ^ change);
        (parse_copy(sample.type(), body) == Reason::none ? taken : refused)++;
      }
      octet = original;
    }
  }
  CHECK(refused > 40000);
  CHECK(taken > 50000);
}

TEST_CASE("handshake headers") {
  const Octets octets = from_hex("0b0001b9");
  const auto header = HandshakeHeader::peek(octets);
  REQUIRE(header);
  CHECK(header->type == HandshakeType::certificate);
  CHECK(header->body_bytes == 441);
  CHECK(header->message_bytes() == 445);
  CHECK_FALSE(HandshakeHeader::peek(base::Bytes(octets).first(3)));
  CHECK_FALSE(known(HandshakeType::message_hash));
  CHECK_FALSE(known(static_cast<HandshakeType>(0)));
  CHECK(name_of(HandshakeType::client_hello) == "ClientHello");
  CHECK(name_of(static_cast<HandshakeType>(3)) == "unknown");
}

TEST_CASE("KeyUpdate") {
  CHECK(reason_of<KeyUpdate>("00") == Reason::none);
  CHECK(reason_of<KeyUpdate>("02") == Reason::key_update_malformed);
  CHECK(reason_of<KeyUpdate>("") == Reason::message_malformed);
  CHECK(reason_of<KeyUpdate>("0000") == Reason::message_trailing_octets);
  CHECK(KeyUpdate::parse(from_hex("01"))->update_requested);
  CHECK_FALSE(KeyUpdate::parse(from_hex("00"))->update_requested);
}

TEST_CASE("Finished has one digest") {
  const Octets body(48);
  CHECK(Finished::parse(body, crypto::HashId::sha384).ok());
  CHECK(Finished::parse(body, crypto::HashId::sha256).error() == Failure(Reason::finished_length_wrong));
  CHECK(Finished::parse(body, crypto::HashId::sha256).error().alert == Alert::decode_error);
}

TEST_CASE("EndOfEarlyData is empty") {
  CHECK(reason_of<EndOfEarlyData>("") == Reason::none);
  CHECK(reason_of<EndOfEarlyData>("00") == Reason::message_trailing_octets);
}

TEST_CASE("EncryptedExtensions") {
  CHECK(reason_of<EncryptedExtensions>("0000") == Reason::none);
  CHECK(reason_of<EncryptedExtensions>("") == Reason::message_malformed);
  CHECK(reason_of<EncryptedExtensions>("000000") == Reason::message_trailing_octets);
  CHECK(reason_of<EncryptedExtensions>("0006 002b 0002 0304") == Reason::extension_not_allowed_here);
  CHECK(reason_of<EncryptedExtensions>("0009 0010 0005 0003 026832") == Reason::none);
  CHECK(reason_of<EncryptedExtensions>("000b 0010 0007 0005 026832 0161") == Reason::extension_malformed);
  CHECK(reason_of<EncryptedExtensions>("0005 0000 0001 00") == Reason::extension_malformed);
}

TEST_CASE("CertificateRequest must have signature_algorithms") {
  CHECK(reason_of<CertificateRequest>("00 0000") == Reason::signature_algorithms_missing);
  CHECK(reason_of<CertificateRequest>("00 0008 000d 0004 0002 0403") == Reason::none);
  CHECK(reason_of<CertificateRequest>("00 0004 0000 0000") == Reason::extension_not_allowed_here);
}

TEST_CASE("NewSessionTicket") {
  CHECK(reason_of<NewSessionTicket>("00001c20 01020304 00 0001 aa 0000") == Reason::none);
  CHECK(reason_of<NewSessionTicket>("00001c20 01020304 00 0000 0000") == Reason::message_malformed);
  CHECK(reason_of<NewSessionTicket>("00001c20 01020304 00 0001 aa 0004 002a 0000") ==
        Reason::extension_malformed);
}

TEST_CASE("Certificate from a chain in DER") {
  const Octets leaf = {0x30, 0x01, 0x00}, issuer = {0x30, 0x00};
  const base::Bytes chain[] = {leaf, issuer};
  Octets room(100);
  Writer writer(room);
  write_certificate_message(writer, {}, chain);
  REQUIRE(writer.ok());
  CHECK(to_hex(writer.written()) ==
        "0b000013"
        "00"
        "00000f"
        "000003300100"
        "0000"
        "0000023000"
        "0000");
  const auto message = CertificateMessage::parse(writer.written().subspan(handshake_header_bytes));
  REQUIRE(message);
  CHECK(message->entries.count() == 2);
  CHECK(to_hex(message->entries.begin()->certificate) == "300100");
}

TEST_CASE("Certificate: empty entries and extensions of other messages") {
  CHECK(reason_of<CertificateMessage>("00 000000") == Reason::none);
  CHECK(reason_of<CertificateMessage>("00 000005 000000 0000") == Reason::message_malformed);
  CHECK(reason_of<CertificateMessage>("00 00000a 000001 30 0004 0033 0000") ==
        Reason::extension_not_allowed_here);
  CHECK(reason_of<CertificateMessage>("00 00000e 000001 30 0008 0005 0000 0005 0000") ==
        Reason::extension_duplicate);
}

TEST_CASE("what CertificateVerify signs") {
  const Octets digest(32, 0x01);  // the example of RFC 8446 section 4.4.3
  std::string sixty_four;
  for (int i = 0; i < 64; i++) sixty_four += "20";
  CHECK(to_hex(SignedContent(Signer::server, digest).bytes()) ==
        sixty_four + to_hex(base::as_bytes("TLS 1.3, server CertificateVerify")) + "00" + to_hex(digest));
  CHECK(to_hex(SignedContent(Signer::client, Octets(64, 2)).bytes()) ==
        sixty_four + to_hex(base::as_bytes("TLS 1.3, client CertificateVerify")) + "00" +
            to_hex(Octets(64, 2)));
}

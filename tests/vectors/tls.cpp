// The key schedule, whole traces, and handshake messages parsed and written back.
#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/message_round_trip.hpp>
#include <signet/tests/support/rfc8448.hpp>
#include <signet/tests/support/vector_files.hpp>
#include <signet/tests/vectors/digests.hpp>
#include <signet/tests/vectors/engine.hpp>
#include <signet/tests/vectors/files.hpp>
#include <signet/tls/extensions.hpp>
#include <signet/tls/key_schedule.hpp>
#include <signet/tls/messages/certificate_verify.hpp>

namespace signet::vectors {
namespace {

using namespace tls;
using crypto::HashId;

void expect_secret(Case& one, const Secret& made, Json answer, const char* name) {
  one.expect(test::to_hex(made.bytes()) == test::to_hex(hex(answer, name)), name);
}

/// The digests of the messages that each stage's secrets cover; the vectors give a random for each message.
struct Digests {
  Octets client_hello, server_hello, server_finished, client_finished;

  Digests(HashId id, Json prompt) {
    Octets messages;
    const auto next = [&](const char* name) {
      const Octets message = hex(prompt, name);
      messages.insert(messages.end(), message.begin(), message.end());
      return digest_of(id, messages);
    };
    client_hello = next("helloClientRandom");
    server_hello = next("helloServerRandom");
    server_finished = next("finishedServerRandom");
    client_finished = next("finishedClientRandom");
  }
};

void expect_schedule(Case& one, HashId id, Json prompt, Json answer) {
  const Digests digests(id, prompt);
  const Octets zeros(crypto::digest_bytes(id));
  EarlySecret early(id, has(prompt, "psk") ? hex(prompt, "psk") : zeros);
  expect_secret(one, early.client_traffic(digests.client_hello), answer, "clientEarlyTrafficSecret");
  expect_secret(one, early.exporter(digests.client_hello), answer, "earlyExporterMasterSecret");
  HandshakeSecret handshake = std::move(early).handshake(has(prompt, "dhe") ? hex(prompt, "dhe") : zeros);
  const TrafficSecrets first = handshake.traffic(digests.server_hello);
  expect_secret(one, first.client, answer, "clientHandshakeTrafficSecret");
  expect_secret(one, first.server, answer, "serverHandshakeTrafficSecret");
  MasterSecret master = std::move(handshake).master();
  const TrafficSecrets second = master.traffic(digests.server_finished);
  expect_secret(one, second.client, answer, "clientApplicationTrafficSecret");
  expect_secret(one, second.server, answer, "serverApplicationTrafficSecret");
  expect_secret(one, master.exporter(digests.server_finished), answer, "exporterMasterSecret");
  expect_secret(one, std::move(master).resumption(digests.client_finished), answer, "resumptionMasterSecret");
}

void acvp_schedule(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const auto id = hash_named(text(child(json, "group"), "hmacAlg"));
    if (!id || *id == HashId::sha512) return one.skip(other_hash);
    expect_schedule(one, *id, child(json, "prompt"), child(json, "answer"));
  });
}

void rfc8448(Report& report, Json) {
  std::size_t compared = 0;
  std::size_t steps = 0;
  const auto path = test::vector_file("rfc/rfc8448.json");
  const auto traces = path ? test::load_rfc8448(*path) : std::nullopt;
  if (!traces) return report.fail("rfc/rfc8448.json", "cannot be read");
  for (const test::Trace& trace : *traces) {
    Case one(report, trace.title);
    const test::Replay played = test::replay(trace);
    for (const std::string& failure : played.failures) one.expect(false, failure);
    one.expect(played.compared > 0, "nothing was compared");
    compared += played.compared;
    steps += trace.steps.size();
  }
  report.note(std::to_string(steps) + " steps, " + std::to_string(compared) +
              " published values derived again");
}

// Botan's handshake messages.

/// 0 for those that do not exist here.
std::uint8_t type_of(const std::string& section) {
  if (section == "client_hello") return 1;
  if (section == "server_hello") return 2;
  return section == "cert_verify" ? 15 : 0;
}

const char* why_not(const std::string& section) {
  return section == "alert" ? "alerts are read inside the engine, where tests of the states cover them"
                            : "a message that TLS 1.2 alone has in this form";
}

/// Whether `body` parses; when it does, it must be written back as it was.
bool parses(Case& one, std::uint8_t type, const Octets& body) {
  std::string written;
  if (test::parse_and_write(written, type, body, HashId::sha256) != Reason::none) return false;
  one.expect(test::to_hex(base::as_bytes(written)).substr(8) == test::to_hex(body),
             "written back to other octets");
  return true;
}

/// Botan refuses a TLS 1.3 hello for this; the RFC tells servers not to look at it.
constexpr const char* legacy_version =
    "legacy_version beside supported_versions: not looked at, RFC 8446 sections 4.2.1 and D.5";

/// What is wrong with a TLS 1.3 hello as a whole may be for the handshake to refuse.
bool refused_by_handshake(std::uint8_t type, const std::string& exception, const Octets& body) {
  const bool judged = type == 1 && exception.find("TLS 1.3") != std::string::npos;
  return judged && ask_engine_message(type, body).reason != Reason::none;
}

void messages(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const std::uint8_t type = type_of(text(json, "section"));
    const std::string exception = text(json, "Exception");
    const Octets body = hex(json, "Buffer");
    if (type == 0) return one.skip(why_not(text(json, "section")));
    if (exception.find("legacy_version") != std::string::npos) return one.skip(legacy_version);
    const bool good = parses(one, type, body) && !refused_by_handshake(type, exception, body);
    one.expect(good == exception.empty(), good ? "not refused: " + exception : "refused");
  });
}

struct Kind {
  const char* section;
  ExtensionId id;
  ExtensionPlace place;
};

constexpr Kind kinds[] = {
    {"alpn", ExtensionId::application_layer_protocol_negotiation, ExtensionPlace::client_hello},
    {"cookie", ExtensionId::cookie, ExtensionPlace::client_hello},
    {"key_share_CH", ExtensionId::key_share, ExtensionPlace::client_hello},
    {"key_share_HRR", ExtensionId::key_share, ExtensionPlace::hello_retry_request},
    {"key_share_SH", ExtensionId::key_share, ExtensionPlace::server_hello},
    {"signature_algorithms_cert", ExtensionId::signature_algorithms_cert, ExtensionPlace::client_hello},
    {"supported_groups", ExtensionId::supported_groups, ExtensionPlace::client_hello},
    {"supported_version", ExtensionId::supported_versions, ExtensionPlace::client_hello},
};

const Kind* kind_of(const std::string& section) {
  for (const Kind& kind : kinds) {
    if (section == kind.section) return &kind;
  }
  return nullptr;
}

void extensions(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const Kind* kind = kind_of(text(json, "section"));
    const Octets body = hex(json, "Buffer");
    if (kind == nullptr) return one.skip("an extension that is not parsed: " + text(json, "section"));
    Octets list(body.size() + 4);
    Writer writer(list);
    RawExtension{static_cast<std::uint16_t>(kind->id), body}.write(writer);
    const bool parsed = Extensions::parse(list, kind->place).ok();
    one.expect(parsed == text(json, "Exception").empty(), parsed ? "not refused" : "refused");
  });
}

/// Each handshake message of a row of records that are not protected.
std::size_t expect_plain_records(Case& one, const Octets& records) {
  std::size_t messages_seen = 0;
  Reader reader(records);
  while (!reader.empty()) {
    const std::uint8_t type = reader.u8();
    reader.u16();
    const base::Bytes content = reader.vector16();
    if (!reader.ok()) {
      one.expect(false, "a record is cut");
      break;
    }
    if (type != 22) continue;
    one.expect(test::round_trip(content, HashId::sha256).empty(), "a message of a plain record");
    messages_seen++;
  }
  return messages_seen;
}

/// The content to sign ends with the transcript's digest: made again from it, it is the same.
void expect_signed_content(Case& one, Signer signer, const Octets& expected) {
  one.expect(expected.size() > 32, "too short a content");
  if (expected.size() <= 32) return;
  const SignedContent made(signer, base::Bytes(expected).last(32));
  one.expect(test::to_hex(made.bytes()) == test::to_hex(expected), "the content to sign");
}

void transcripts(Report& report, Json document) {
  std::size_t round_trips = 0;
  each_case(report, document, "cases", [&](Case& one, Json json) {
    for (const auto field : simdjson::dom::object(json)) {
      const std::string name(field.key);
      if (name.rfind("Message_", 0) == 0) {
        one.expect(test::round_trip(hex(json, name.c_str()), HashId::sha256).empty(), name);
        round_trips++;
      }
      const bool plain = name.rfind("Record_ClientHello", 0) == 0 || name == "Record_ServerHello" ||
                         name == "Record_HelloRetryRequest";
      if (plain) round_trips += expect_plain_records(one, hex(json, name.c_str()));
      if (name == "Server_MessageToSign") expect_signed_content(one, Signer::server, hex(json, name.c_str()));
      if (name == "Client_MessageToSign") expect_signed_content(one, Signer::client, hex(json, name.c_str()));
    }
  });
  report.note(std::to_string(round_trips) + " messages parsed and written back");
}

constexpr File files[] = {
    {"nist/acvp_tls13.json", acvp_schedule},       {"rfc/rfc8448.json", rfc8448},
    {"botan/tls_messages.json", messages},         {"botan/tls_extensions.json", extensions},
    {"botan/tls13_transcripts.json", transcripts},
};

}  // namespace

std::span<const File> tls_files() { return files; }

}  // namespace signet::vectors

// Whole connections between the server and the tests' client.
#include <string>

#include <doctest/doctest.h>

#include <signet/tests/support/tls_pair.hpp>

using namespace signet;
using namespace signet::test;
using tls::CipherSuite;
using tls::Event;
using tls::NamedGroup;
using tls::Reason;

namespace {

std::string text_of(const Octets& octets) { return {octets.begin(), octets.end()}; }

void check_done(TlsPair& pair) {
  CHECK(pair.client.fault() == "");
  CHECK(pair.client.established());
  REQUIRE(pair.server->established());
  CHECK(pair.events == std::vector{Event::Kind::handshake_done});
  CHECK(pair.worst_residue == 0);
}

void check_echo(TlsPair& pair) {
  pair.client.send("a question");
  pair.run();
  CHECK(text_of(pair.received) == "a question");
  pair.say("an answer");
  CHECK(text_of(pair.client.received()) == "an answer");
  CHECK(pair.worst_residue == 0);
}

// The reason why the server ended the connection, Reason::none when it did not; the alert must be the
// reason's.
Reason failure_of(TlsPair& pair) {
  if (!pair.failure) return Reason::none;
  CHECK(pair.failure->alert == tls::Failure(pair.failure->reason).alert);
  CHECK(pair.client.alert() == pair.failure->alert);
  CHECK(pair.worst_residue == 0);
  return pair.failure->reason;
}

}  // namespace

TEST_CASE("every suite with every group, whole and in pieces") {
  for (const CipherSuite suite : {CipherSuite::aes_128_gcm_sha256, CipherSuite::aes_256_gcm_sha384,
                                  CipherSuite::chacha20_poly1305_sha256}) {
    for (const NamedGroup group : {NamedGroup::x25519, NamedGroup::secp256r1}) {
      for (const std::size_t piece : {0U, 1U, 3U, 7U}) {
        CAPTURE(tls::name_of(suite));
        CAPTURE(tls::name_of(group));
        CAPTURE(piece);
        ClientOptions options;
        options.suites = {suite};
        options.groups = options.shares = {group};
        TlsPair pair(options, piece);
        pair.run();
        check_done(pair);
        CHECK(pair.server->suite() == suite);
        CHECK(pair.server->group() == group);
        CHECK(pair.client.suite() == suite);
        check_echo(pair);
      }
    }
  }
}

TEST_CASE("a ClientHello cut at every octet, within its records and across two") {
  const std::size_t bytes = TlsPair().client.client_hello().size();
  for (std::size_t cut = 1; cut < bytes; cut++) {
    CAPTURE(cut);
    TlsPair segments;
    segments.feed_cut(segments.client.take_output(), cut);
    segments.run();
    check_done(segments);
    TlsPair records;
    const Octets hello = records.client.client_hello();
    (void)records.client.take_output();
    records.client.send_plain(tls::ContentType::handshake, base::Bytes(hello).first(cut));
    records.client.send_plain(tls::ContentType::handshake, base::Bytes(hello).subspan(cut));
    records.run();
    check_done(records);
  }
}

TEST_CASE("a ClientHello of 16,384 octets in one-octet records, and one more octet") {
  for (const std::size_t extra : {0U, 1U}) {
    ClientOptions options;
    const std::size_t plain = TlsPair(options).client.client_hello().size() - 4;
    const std::size_t padding = 16384 - plain - 4 + extra;
    options.others = {0, 21, static_cast<std::uint8_t>(padding >> 8), static_cast<std::uint8_t>(padding)};
    options.others.resize(4 + padding);
    TlsPair pair(options);
    const Octets hello = pair.client.client_hello();
    REQUIRE(hello.size() == 4 + 16384 + extra);
    (void)pair.client.take_output();
    for (const std::uint8_t octet : hello) pair.client.send_plain(tls::ContentType::handshake, {&octet, 1});
    pair.run();
    if (extra == 0) {
      check_done(pair);
    } else {
      CHECK(failure_of(pair) == Reason::message_too_long);
    }
  }
}

TEST_CASE("HelloRetryRequest for a client whose shares we do not take") {
  for (const std::size_t piece : {0U, 1U}) {
    ClientOptions options;
    options.groups = {static_cast<NamedGroup>(24), NamedGroup::secp256r1};
    options.shares = {};
    TlsPair pair(options, piece);
    pair.run();
    check_done(pair);
    CHECK(pair.client.retried());
    CHECK(pair.server->group() == NamedGroup::secp256r1);
    check_echo(pair);
  }
}

TEST_CASE("never a retry when an acceptable share is there") {
  ClientOptions options;
  options.shares = {NamedGroup::secp256r1};  // X25519 is offered and preferred, but has no share
  TlsPair pair(options);
  pair.run();
  check_done(pair);
  CHECK_FALSE(pair.client.retried());
  CHECK(pair.server->group() == NamedGroup::secp256r1);
}

TEST_CASE(
    "preferences: AES-128 first, ChaCha20 first for a client that lists it first, X25519 before P-256") {
  const std::vector<std::pair<std::vector<CipherSuite>, CipherSuite>> rows = {
      {{CipherSuite::aes_256_gcm_sha384, CipherSuite::chacha20_poly1305_sha256,
        CipherSuite::aes_128_gcm_sha256},
       CipherSuite::aes_128_gcm_sha256},
      {{CipherSuite::aes_256_gcm_sha384, CipherSuite::chacha20_poly1305_sha256},
       CipherSuite::aes_256_gcm_sha384},
      {{static_cast<CipherSuite>(0x4a4a), CipherSuite::chacha20_poly1305_sha256,
        CipherSuite::aes_128_gcm_sha256},
       CipherSuite::chacha20_poly1305_sha256}};
  for (const auto& [offered, chosen] : rows) {
    ClientOptions options;
    options.suites = offered;
    options.shares = {NamedGroup::secp256r1, NamedGroup::x25519};
    TlsPair pair(options);
    pair.run();
    check_done(pair);
    CHECK(pair.server->suite() == chosen);
    CHECK(pair.server->group() == NamedGroup::x25519);
  }
}

TEST_CASE("application protocols: ours first, none in common is an alert, unasked is no answer") {
  constexpr std::string_view ours[] = {"h9", "http/1.1"};
  for (const auto& [offered, expected] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"http/1.1", "h9"}, "h9"}, {{"x", "http/1.1"}, "http/1.1"}, {{}, ""}}) {
    ClientOptions options;
    options.protocols = offered;
    TlsPair pair(options);
    pair.settings.protocols = ours;
    pair.run();
    check_done(pair);
    CHECK(pair.client.protocol() == expected);
  }
  ClientOptions options;
  options.protocols = {"h2"};
  TlsPair pair(options);
  pair.settings.protocols = ours;
  pair.run();
  CHECK(failure_of(pair) == Reason::no_common_protocol);
}

TEST_CASE("odd server names are tolerated") {
  for (const char* name : {"127.0.0.1", "::1", "a_b", "-", "xn--", ""}) {
    ClientOptions options;
    options.server_name = name;
    TlsPair pair(options);
    pair.run();
    check_done(pair);
  }
}

TEST_CASE(
    "compatibility mode: change_cipher_spec is sent once to a client with a session id, and to no other") {
  for (const std::size_t id : {0U, 32U}) {
    for (const bool retry : {false, true}) {
      ClientOptions options;
      options.session_id_bytes = id;
      if (retry) options.shares = {};
      TlsPair pair(options);
      pair.run();
      check_done(pair);
      std::size_t specs = 0;
      for (std::size_t at = 0; at < pair.sent.size();) {
        const auto header = tls::RecordHeader::parse(&pair.sent[at]);
        if (header.type == tls::ContentType::change_cipher_spec) specs++;
        at += tls::record_header_bytes + header.length;
      }
      CHECK(specs == (id == 0 ? 0 : 1));
    }
  }
}

TEST_CASE("change_cipher_spec: passed over within the handshake, bounded, refused before and after it") {
  TlsPair before;
  (void)before.client.take_output();
  before.client.send_plain(tls::ContentType::change_cipher_spec, Octets{1});
  before.run();
  CHECK(failure_of(before) == Reason::change_cipher_spec_unexpected);

  for (const int count : {32, 33}) {
    TlsPair within;
    within.client.hold_finished();
    within.run();
    for (int i = 0; i < count - 1; i++)
      within.client.send_plain(tls::ContentType::change_cipher_spec, Octets{1});
    within.client.send_held_finished();  // has one more before it
    within.run();
    CHECK(failure_of(within) == (count == 32 ? Reason::none : Reason::too_many_change_cipher_specs));
  }
  for (const Octets& content : {Octets{}, Octets{2}, Octets{1, 1}}) {
    TlsPair malformed;
    malformed.client.hold_finished();
    malformed.run();
    malformed.client.send_plain(tls::ContentType::change_cipher_spec, content);
    malformed.run();
    CHECK(failure_of(malformed) == Reason::change_cipher_spec_malformed);
  }
  TlsPair after;
  after.run();
  after.client.send_plain(tls::ContentType::change_cipher_spec, Octets{1});
  after.run();
  CHECK(failure_of(after) == Reason::change_cipher_spec_unexpected);
}

TEST_CASE("KeyUpdate both ways, requested and not, in pieces, and bounded") {
  for (const std::size_t piece : {0U, 1U}) {
    TlsPair pair({}, piece);
    pair.run();
    for (int i = 0; i < 3; i++) {
      pair.client.send_key_update(i != 1);
      check_echo(pair);
      pair.received.clear();
      pair.client.forget_received();
    }
    CHECK(pair.client.key_updates_seen() == 2);
  }
  TlsPair abusive;
  abusive.run();
  for (int i = 0; i < 33; i++) abusive.client.send_key_update(false);
  abusive.run();
  CHECK(failure_of(abusive) == Reason::too_many_key_updates);

  TlsPair patient;
  patient.run();
  for (int i = 0; i < 100; i++) {
    patient.client.send_key_update(true);
    patient.client.send("x");
    patient.run();
  }
  CHECK(failure_of(patient) == Reason::none);
}

TEST_CASE("a KeyUpdate in one-octet records, and one that is not the last of its record") {
  TlsPair pair;
  pair.run();
  const Octets message = {24, 0, 0, 1, 0};
  for (const std::uint8_t octet : message) pair.client.send(tls::ContentType::handshake, {&octet, 1});
  pair.run();
  CHECK(failure_of(pair) == Reason::none);

  TlsPair interleaved;
  interleaved.run();
  interleaved.client.send(tls::ContentType::handshake, base::Bytes(message).first(2));
  interleaved.client.send("data");
  interleaved.run();
  CHECK(failure_of(interleaved) == Reason::message_interleaved);

  TlsPair trailing;
  trailing.run();
  trailing.client.send(tls::ContentType::handshake, Octets{24, 0, 0, 1, 0, 24});
  trailing.run();
  CHECK(failure_of(trailing) == Reason::message_spans_key_change);

  for (const auto& [octets, reason] :
       std::vector<std::pair<Octets, Reason>>{{{24, 0, 0, 1, 2}, Reason::key_update_malformed},
                                              {{24, 0, 0, 2, 0}, Reason::message_malformed},
                                              {{99}, Reason::message_type_unknown},
                                              {{4, 0}, Reason::message_unexpected}}) {
    TlsPair odd;
    odd.run();
    odd.client.send(tls::ContentType::handshake, octets);
    odd.run();
    CHECK(failure_of(odd) == reason);
  }
}

TEST_CASE("our own KeyUpdate before the limit of a key") {
  TlsPair pair;
  pair.settings.limits.records_per_key = 100;
  pair.run();
  for (int i = 0; i < 1000; i++) pair.say("x");
  CHECK(pair.client.fault() == "");
  CHECK(pair.client.received().size() == 1000);
  CHECK(pair.client.key_updates_seen() == 10);  // 99 records of data and one of the update before each
  CHECK(pair.client.core().read.sequence < 100);
  CHECK(pair.worst_residue == 0);
}

TEST_CASE("a KeyUpdate that is owed waits for room, and next() says so") {
  TlsPair pair;
  pair.run();
  pair.fill_output();
  pair.client.send_key_update(true);
  const Octets octets = pair.client.take_output();
  const base::MutBytes room = pair.in->room(octets.size());
  std::memcpy(room.data(), octets.data(), octets.size());
  pair.in->received(octets.size());
  const Event event = pair.server->next(*pair.in, *pair.out);
  CHECK(event.kind == Event::Kind::wait);
  CHECK(event.wait == tls::Wait::flush);
  pair.flush();
  pair.client.forget_received();
  check_echo(pair);
  CHECK(pair.client.key_updates_seen() == 1);
}

TEST_CASE("close_notify both ways") {
  TlsPair theirs;
  theirs.run();
  theirs.client.send("last");
  theirs.client.close();
  theirs.client.send("ignored");
  theirs.run();
  CHECK(text_of(theirs.received) == "last");
  CHECK(theirs.events.back() == Event::Kind::peer_closed);
  theirs.say("still answered");
  theirs.close();
  CHECK(text_of(theirs.client.received()) == "still answered");
  CHECK(theirs.client.peer_closed());

  TlsPair ours;
  ours.run();
  ours.close();
  const std::size_t sent = ours.sent.size();
  ours.close();
  CHECK(ours.sent.size() == sent);
  CHECK(ours.client.peer_closed());
  CHECK_FALSE(ours.client.alert().has_value());
}

TEST_CASE("a close_notify that finds no room is said when there is some") {
  TlsPair pair;
  pair.run();
  pair.fill_output();
  pair.server->close(*pair.out);
  pair.flush();
  CHECK_FALSE(pair.client.peer_closed());
  pair.close();
  CHECK(pair.client.peer_closed());
  CHECK(pair.client.fault() == "");
}

TEST_CASE("nothing follows our close_notify: no KeyUpdate that was asked for, no alert") {
  TlsPair pair;
  pair.run();
  pair.close();
  REQUIRE(pair.client.peer_closed());
  const std::size_t sent = pair.sent.size();
  pair.client.send_key_update(true);
  pair.client.send("still read");
  pair.run();
  CHECK(text_of(pair.received) == "still read");
  CHECK(pair.sent.size() == sent);
  pair.client.send(tls::ContentType::handshake, Octets{20, 0, 0, 0});
  pair.run();
  REQUIRE(pair.failure);
  CHECK(pair.failure->reason == Reason::message_unexpected);
  CHECK(pair.sent.size() == sent);
}

TEST_CASE("padding is taken off, and a record of padding alone is refused") {
  TlsPair pair;
  pair.run();
  pair.client.send(tls::ContentType::application_data, base::as_bytes("padded"), 1000);
  pair.client.send(tls::ContentType::application_data, base::as_bytes("full"), 16380);
  pair.run();
  CHECK(text_of(pair.received) == "paddedfull");
  CHECK(failure_of(pair) == Reason::none);
  pair.client.send(tls::ContentType::invalid, Octets{});
  pair.run();
  CHECK(failure_of(pair) == Reason::record_no_inner_type);
}

TEST_CASE("records over their limit are refused by their header, and by what is in them") {
  TlsPair plain;
  plain.feed(Octets{22, 3, 1, 0x40, 0x01});
  CHECK(failure_of(plain) == Reason::record_too_long);
  TlsPair header;
  header.run();
  header.feed(Octets{23, 3, 3, 0x41, 0x01});
  CHECK(failure_of(header) == Reason::record_too_long);
  TlsPair inner;
  inner.run();
  inner.client.send(tls::ContentType::application_data, base::as_bytes("x"), 16384);
  inner.run();
  CHECK(failure_of(inner) == Reason::record_too_long);
  CHECK(inner.received.empty());
}

TEST_CASE("record_size_limit: ours is kept, the client's is told") {
  for (const std::uint16_t limit :
       {std::uint16_t{64}, std::uint16_t{300}, std::uint16_t{16385}, std::uint16_t{65535}}) {
    ClientOptions options;
    options.record_size_limit = limit;
    TlsPair pair(options);
    pair.run();
    check_done(pair);
    pair.say(std::string(20000, 'x'));
    CHECK(pair.client.received().size() == 20000);
    CHECK(pair.client.largest_record() == std::min<std::size_t>(limit - 1U, 16384));
  }
  ClientOptions options;
  options.record_size_limit = 63;
  TlsPair pair(options);
  pair.run();
  CHECK(failure_of(pair) == Reason::record_size_limit_too_small);
}

TEST_CASE("early data is passed over within its bound, before and across a HelloRetryRequest") {
  for (const bool retry : {false, true}) {
    for (const std::size_t body : {16384U, 16385U}) {
      CAPTURE(retry);
      CAPTURE(body);
      ClientOptions options;
      options.early_data = true;
      if (retry) options.shares = {};
      TlsPair pair(options);
      Octets hello = pair.client.take_output();
      Octets record(5 + body, 0xee);
      tls::RecordHeader::write(record.data(), tls::ContentType::application_data, body);
      hello.insert(hello.end(), record.begin(), record.end());
      pair.feed(hello);
      pair.run();
      if (body == 16384) {
        check_done(pair);
        check_echo(pair);
      } else {
        CHECK(failure_of(pair) == Reason::too_much_early_data);
      }
    }
  }
}

TEST_CASE("early data that was not offered is not passed over") {
  Octets record(100, 0xee);
  tls::RecordHeader::write(record.data(), tls::ContentType::application_data, 95);
  TlsPair first;
  first.feed(record);
  CHECK(failure_of(first) == Reason::record_type_unexpected);
  TlsPair second;
  second.client.hold_finished();
  second.run();
  second.feed(record);
  CHECK(failure_of(second) == Reason::record_bad_mac);
}

TEST_CASE("early data ends with the first record that opens") {
  ClientOptions options;
  options.early_data = true;
  TlsPair pair(options);
  pair.run();
  check_done(pair);
  Octets record(100, 0xee);
  tls::RecordHeader::write(record.data(), tls::ContentType::application_data, 95);
  pair.feed(record);
  CHECK(failure_of(pair) == Reason::record_bad_mac);
}

TEST_CASE("a changed octet anywhere in a protected record is refused, and nothing of it is left") {
  TlsPair sample;
  sample.run();
  sample.client.send("some secret text");
  const std::size_t bytes = sample.client.take_output().size();
  for (std::size_t i = 5; i < bytes; i++) {
    TlsPair pair;
    pair.run();
    pair.client.send("some secret text");
    Octets octets = pair.client.take_output();
    octets[i] ^= 0x10;
    pair.feed(octets);
    CHECK(failure_of(pair) == Reason::record_bad_mac);
    CHECK(pair.received.empty());
  }
}

TEST_CASE("empty records, warning alerts: some are taken, more are abuse, data resets the count") {
  TlsPair pair;
  pair.run();
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 32; i++) pair.client.send("");
    for (int i = 0; i < 4; i++) pair.client.send(tls::ContentType::alert, Octets{1, 90});
    pair.client.send("x");
  }
  pair.run();
  CHECK(failure_of(pair) == Reason::none);
  CHECK(text_of(pair.received) == "xxx");
  for (int i = 0; i < 33; i++) pair.client.send("");
  pair.run();
  CHECK(failure_of(pair) == Reason::too_many_empty_records);
  TlsPair warned;
  warned.run();
  for (int i = 0; i < 5; i++) warned.client.send(tls::ContentType::alert, Octets{1, 90});
  warned.run();
  CHECK(failure_of(warned) == Reason::too_many_warning_alerts);
}

TEST_CASE("a fatal alert of the peer ends the connection without one of ours") {
  TlsPair pair;
  pair.run();
  const std::size_t sent = pair.sent.size();
  pair.client.send(tls::ContentType::alert, Octets{2, 40});
  pair.run();
  REQUIRE(pair.failure.has_value());
  CHECK(pair.failure->reason == Reason::peer_alert);
  CHECK(pair.failure->peer == tls::Alert::handshake_failure);
  CHECK(pair.sent.size() == sent);

  TlsPair early;  // a client that cannot read our flight
  early.client.hold_finished();
  early.run();
  early.client.send_plain(tls::ContentType::alert, Octets{2, 42});
  early.run();
  REQUIRE(early.failure.has_value());
  CHECK(early.failure->peer == tls::Alert::bad_certificate);
  for (const auto& [content, reason] :
       std::vector<std::pair<Octets, Reason>>{{{}, Reason::record_empty_alert},
                                              {{2}, Reason::alert_malformed},
                                              {{2, 40, 0}, Reason::alert_malformed}}) {
    TlsPair odd;
    odd.run();
    odd.client.send(tls::ContentType::alert, content);
    odd.run();
    CHECK(failure_of(odd) == reason);
  }
}

TEST_CASE("what is not TLS is told apart") {
  TlsPair http;
  http.feed(base::as_bytes("GET / HTTP/1.1\r\n"));
  REQUIRE(http.failure.has_value());
  CHECK(http.failure->reason == Reason::plain_http_request);
  CHECK(http.sent.empty());
  TlsPair garbage;
  garbage.feed(Octets{0, 1, 2, 3, 4, 5});
  CHECK(failure_of(garbage) == Reason::record_not_tls);
  TlsPair type;
  type.feed(Octets{24, 3, 1, 0, 1});
  CHECK(failure_of(type) == Reason::record_type_unknown);
}

TEST_CASE("what a ClientHello must have, each lack with its reason") {
  const auto reason_for = [](auto&& change) {
    ClientOptions options;
    change(options);
    TlsPair pair(options);
    pair.run();
    return failure_of(pair);
  };
  using O = ClientOptions;
  CHECK(reason_for([](O& o) { o.versions = {tls::ProtocolVersion::tls12}; }) == Reason::version_not_offered);
  CHECK(reason_for([](O& o) { o.versions = {}; }) == Reason::version_not_offered);
  CHECK(reason_for([](O& o) { o.suites = {static_cast<CipherSuite>(0x1304)}; }) == Reason::no_common_suite);
  CHECK(reason_for([](O& o) { o.schemes = {}; }) == Reason::signature_algorithms_missing);
  CHECK(reason_for([](O& o) { o.schemes = {static_cast<tls::SignatureScheme>(0x0804)}; }) ==
        Reason::no_common_signature);
  CHECK(reason_for([](O& o) { o.groups = {}; }) == Reason::supported_groups_missing);
  CHECK(reason_for([](O& o) { o.groups = {static_cast<NamedGroup>(24)}, o.shares = {}; }) ==
        Reason::no_common_group);
  CHECK(reason_for([](O& o) { o.groups = {NamedGroup::secp256r1}; }) == Reason::key_share_not_in_groups);
  CHECK(reason_for([](O& o) {
          o.shares = {NamedGroup::x25519, NamedGroup::x25519};
        }) == Reason::key_share_duplicate);
}

TEST_CASE("a second ClientHello that changed where it may not") {
  const auto retry_with = [](auto&& change) {
    ClientOptions options;
    options.shares = {};
    TlsPair pair(options);
    pair.feed(pair.client.take_output());
    Octets second = pair.client.take_output();
    change(second);
    pair.feed(second);
    return failure_of(pair);
  };
  CHECK(retry_with([](Octets&) {}) == Reason::none);
  // The last octet of the random: record header, message header, version, random.
  CHECK(retry_with([](Octets& o) { o[5 + 4 + 2 + 31] ^= 1; }) == Reason::retry_hello_changed);
}

TEST_CASE("the exporters of both sides agree") {
  TlsPair pair;
  std::uint8_t ours[40];
  CHECK_FALSE(pair.server->export_keying_material(ours, "EXPERIMENTAL x", {}));
  pair.run();
  check_done(pair);
  REQUIRE(pair.server->export_keying_material(ours, "EXPERIMENTAL x", base::as_bytes("context")));
  std::uint8_t theirs[40];
  const tls::Secret master({pair.client.core().exporter_master, 32});
  REQUIRE(tls::export_keying_material(theirs, crypto::HashId::sha256, master, "EXPERIMENTAL x",
                                      base::as_bytes("context")));
  CHECK(std::memcmp(ours, theirs, sizeof ours) == 0);
}

TEST_CASE("a large body is contiguous plaintext, and is gone after the buffer was wiped") {
  TlsPair pair;
  pair.run();
  const std::string marker = "a marker that is nowhere else";
  pair.client.send(marker);
  pair.client.send(marker);
  Octets octets = pair.client.take_output();
  std::memcpy(pair.in->room(octets.size()).data(), octets.data(), octets.size());
  pair.in->received(octets.size());
  CHECK(pair.server->next(*pair.in, *pair.out).kind == Event::Kind::data);
  CHECK(pair.server->next(*pair.in, *pair.out).kind == Event::Kind::data);
  CHECK(base::as_text(pair.in->plaintext()) == marker + marker);
  pair.in->consume(2 * marker.size());
  pair.in->wipe();
  const std::string_view memory(reinterpret_cast<const char*>(pair.in.get()), sizeof(base::RecvBuffer));
  CHECK(memory.find(marker.substr(0, 8)) == std::string_view::npos);
}

TEST_CASE("after wipe() the connection and the cache hold no secret") {
  TlsPair pair;
  pair.run();
  check_echo(pair);
  CHECK(pair.keys.held() == 2);
  pair.server->wipe();
  CHECK(pair.keys.held() == 0);
}

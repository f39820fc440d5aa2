// The table of states and messages: every handshake message that has a number, in every state that a server's
// handshake can be in when octets arrive. Each cell is served, or an alert with its reason.
#include <cstdio>
#include <string>

#include <doctest/doctest.h>

#include <signet/tests/support/tls_pair.hpp>
#include <signet/tls/server_handshake.hpp>

using namespace signet;
using namespace signet::test;
using tls::HandshakeType;
using tls::Reason;
using tls::ServerState;

namespace {

constexpr std::size_t state_count = static_cast<std::size_t>(ServerState::done) + 1;

const char* name_of(ServerState state) {
  switch (state) {
    case ServerState::wait_client_hello:
      return "wait_client_hello";
    case ServerState::wait_second_client_hello:
      return "wait_second_client_hello";
    case ServerState::wait_signature:
      return "wait_signature";
    case ServerState::send_finished:
      return "send_finished";
    case ServerState::wait_finished:
      return "wait_finished";
    case ServerState::done:
      return "done";
  }
  return "?";
}

// A pair whose server waits for input in `state`; null for the states that next() leaves by itself.
std::unique_ptr<TlsPair> pair_in(ServerState state) {
  ClientOptions options;
  if (state == ServerState::wait_second_client_hello) options.shares = {};
  auto pair = std::make_unique<TlsPair>(options);
  switch (state) {
    case ServerState::wait_client_hello:
      return pair;
    case ServerState::wait_second_client_hello:
      pair->feed(pair->client.take_output());
      return pair;
    case ServerState::wait_finished:
      pair->client.hold_finished();
      pair->run();
      return pair;
    case ServerState::done:
      pair->run();
      return pair;
    default:
      return nullptr;
  }
}

// The message of `type`: the right one where the state serves it, else one of the right shape with an empty
// body.
Octets message_of(HandshakeType type, TlsPair& pair, ServerState state) {
  if (type == HandshakeType::client_hello) return pair.client.client_hello();
  if (type == HandshakeType::finished && state == ServerState::wait_finished)
    return pair.client.finished_message();
  if (type == HandshakeType::key_update) return {24, 0, 0, 1, 0};
  return {static_cast<std::uint8_t>(type), 0, 0, 0};
}

// What RFC 8446 lets a client send: the whole truth that the table is compared with.
bool expected_served(ServerState state, HandshakeType type) {
  switch (state) {
    case ServerState::wait_client_hello:
    case ServerState::wait_second_client_hello:
      return type == HandshakeType::client_hello;
    case ServerState::wait_finished:
      return type == HandshakeType::finished;
    case ServerState::done:
      return type == HandshakeType::key_update;
    default:
      return false;
  }
}

}  // namespace

TEST_CASE("states and messages: each cell is served, or alert and reason") {
  std::size_t cells = 0;
  std::size_t served_cells = 0;
  for (std::size_t s = 0; s < state_count; s++) {
    const auto state = static_cast<ServerState>(s);
    std::string served;
    for (int t = 0; t < 256; t++) {
      const auto type = static_cast<HandshakeType>(t);
      const auto pair = pair_in(state);
      if (!pair) {
        // Octets are not looked at here: the step that is due comes first.
        CHECK_FALSE(tls::ServerHandshake::serves(state, type));
        continue;
      }
      CAPTURE(name_of(state));
      CAPTURE(t);
      const Octets message = message_of(type, *pair, state);
      (void)pair->client.take_output();
      if (state == ServerState::wait_finished || state == ServerState::done) {
        pair->client.send(tls::ContentType::handshake, message);
      } else {
        pair->client.send_plain(tls::ContentType::handshake, message);
      }
      pair->feed(pair->client.take_output());
      cells++;
      CHECK(pair->worst_residue == 0);
      if (expected_served(state, type)) {
        CHECK_FALSE(pair->failure.has_value());
        served += " " + std::string(tls::name_of(type));
        served_cells++;
        continue;
      }
      REQUIRE(pair->failure.has_value());
      const Reason reason = tls::known(type) ? Reason::message_unexpected : Reason::message_type_unknown;
      CHECK(pair->failure->reason == reason);
      CHECK(pair->failure->alert == tls::Alert::unexpected_message);
      CHECK(pair->client.alert() == tls::Alert::unexpected_message);
    }
    std::printf("  %-26s serves%s; all else unexpected_message\n", name_of(state), served.c_str());
  }
  CHECK(cells == 4 * 256);
  CHECK(served_cells == 4);
}

TEST_CASE("states and record types: what is not a handshake record") {
  struct Row {
    ServerState state;
    tls::ContentType type;
    Reason in_the_clear;
    Reason sealed;
  };
  const auto early = Reason::none;  // there are no keys to seal with
  const std::vector<Row> rows = {
      {ServerState::wait_client_hello, tls::ContentType::application_data, Reason::record_type_unexpected,
       early},
      {ServerState::wait_second_client_hello, tls::ContentType::application_data,
       Reason::record_type_unexpected, early},
      {ServerState::wait_finished, tls::ContentType::application_data, Reason::record_too_short,
       Reason::record_type_unexpected},
      {ServerState::wait_finished, tls::ContentType::change_cipher_spec, Reason::none,
       Reason::record_type_unexpected},
      {ServerState::wait_finished, tls::ContentType::handshake, Reason::record_type_unexpected,
       Reason::message_type_unknown},
      {ServerState::done, tls::ContentType::change_cipher_spec, Reason::change_cipher_spec_unexpected,
       Reason::record_type_unexpected},
      {ServerState::done, tls::ContentType::handshake, Reason::record_type_unexpected,
       Reason::message_type_unknown},
      {ServerState::done, tls::ContentType::alert, Reason::record_type_unexpected, Reason::alert_malformed},
  };
  for (const Row& row : rows) {
    for (const bool seal : {false, true}) {
      if (seal && row.sealed == early) continue;
      CAPTURE(name_of(row.state));
      CAPTURE(static_cast<int>(row.type));
      CAPTURE(seal);
      const auto pair = pair_in(row.state);
      (void)pair->client.take_output();
      const bool spec = row.type == tls::ContentType::change_cipher_spec;
      const Octets content = spec ? Octets{1} : Octets{99, 0, 0, 0};
      if (seal) {
        pair->client.send(row.type, content);
      } else {
        pair->client.send_plain(row.type, content);
      }
      pair->feed(pair->client.take_output());
      CHECK((pair->failure ? pair->failure->reason : Reason::none) == (seal ? row.sealed : row.in_the_clear));
    }
  }
}

TEST_CASE("a handshake message is judged by its header, before the rest of it is waited for") {
  TlsPair unexpected;
  unexpected.feed(Octets{22, 3, 1, 0, 4, 20, 0xff, 0xff, 0xff});
  REQUIRE(unexpected.failure.has_value());
  CHECK(unexpected.failure->reason == Reason::message_unexpected);
  TlsPair long_one;
  long_one.feed(Octets{22, 3, 1, 0, 4, 1, 0, 0x40, 0x01});
  REQUIRE(long_one.failure.has_value());
  CHECK(long_one.failure->reason == Reason::message_too_long);
}

TEST_CASE("nothing may stand between the pieces of a message, or behind the last message of a flight") {
  TlsPair interleaved;
  const Octets hello = interleaved.client.client_hello();
  (void)interleaved.client.take_output();
  interleaved.client.send_plain(tls::ContentType::handshake, base::Bytes(hello).first(10));
  interleaved.client.send_plain(tls::ContentType::change_cipher_spec, Octets{1});
  interleaved.feed(interleaved.client.take_output());
  REQUIRE(interleaved.failure.has_value());
  CHECK(interleaved.failure->reason == Reason::message_interleaved);

  TlsPair trailing;
  Octets more = trailing.client.client_hello();
  more.push_back(20);
  (void)trailing.client.take_output();
  trailing.client.send_plain(tls::ContentType::handshake, more);
  trailing.feed(trailing.client.take_output());
  REQUIRE(trailing.failure.has_value());
  CHECK(trailing.failure->reason == Reason::message_spans_key_change);

  TlsPair wrong;
  wrong.client.hold_finished();
  wrong.run();
  Octets finished = wrong.client.finished_message();
  finished.back() ^= 1;
  wrong.client.send(tls::ContentType::handshake, finished);
  wrong.feed(wrong.client.take_output());
  REQUIRE(wrong.failure.has_value());
  CHECK(wrong.failure->reason == Reason::finished_wrong);
}

// What peers do that cost others, or themselves, more than it should: small records, pipelining behind an
// answer that is not read, octets after the end, silence while the server drains.
#include "tls_support.hpp"

using namespace signet::server;
using namespace signet::test;

namespace {

constexpr std::string_view hello = "GET /hello/bob HTTP/1.1\r\nHost: x\r\n\r\n";

/// Consumes nothing, and closes when no more fits.
void serve_until_full(Channel& channel) noexcept {
  while (channel.read()) {
  }
  if (channel.input_full()) channel.close();
}

}  // namespace

TEST_CASE("a refusal comes whole to a client that takes records of 64 octets") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));
  ClientOptions options;
  options.record_size_limit = 64;
  TlsPeer peer(rig, options);
  peer.exchange();
  const std::string answer = peer.ask("GET / HTTP/1.1\r\n\r\n");  // no Host
  CHECK(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"));
  const std::size_t body = answer.find("\r\n\r\n") + 4;
  CHECK(answer.find("Content-Length: " + std::to_string(answer.size() - body) + "\r\n") != answer.npos);
  CHECK(answer.ends_with("\n"));
  CHECK(peer.client.peer_closed());
  CHECK(rig.all_free());
}

TEST_CASE("requests that wait behind an answer are no halves, and do not give way") {
  TestHttp http;
  WorkerSettings settings = small_settings();
  settings.service = http.service();
  settings.held = 2;
  Rig rig(settings);
  auto reader = rig.connect(), first = rig.connect(), second = rig.connect();
  reader->send("GET /big/30000 HTTP/1.1\r\nHost: x\r\n\r\n" + std::string(hello));
  rig.turns(20);
  CHECK(rig.worker.inputs().held_count() == 1);
  CHECK(rig.ask(*first, hello.substr(0, 10)).empty());
  CHECK(rig.ask(*second, hello.substr(0, 10)).empty());
  CHECK(rig.ended(Cause::gave_way) == 1);
  CHECK(rig.ask(*second, hello.substr(10)).ends_with("hello bob\n"));
  std::string answers;
  for (int i = 0; i < 3000 && !answers.ends_with("hello bob\n") && !reader->at_end(); i++) {
    rig.turns(2);
    reader->receive(answers);
  }
  CHECK(count_of(answers, "HTTP/1.1 200 OK\r\n") == 2);
  CHECK(answers.size() > 30'000'000);
  CHECK(rig.all_free());
}

TEST_CASE("after an end for a full buffer the peer's octets are still thrown away, within their bound") {
  WorkerSettings settings = small_settings();
  settings.service = service_of(serve_until_full);
  Rig rig(settings);
  auto peer = rig.connect();
  const std::string much(64 * 1024, 'y');
  for (int i = 0; i < 64 && rig.worker.connections() == 1; i++) {
    (void)peer->try_send(much);
    rig.turns(4);
  }
  CHECK(rig.ended(Cause::linger_excess) == 1);
  CHECK(rig.all_free());
}

TEST_CASE("a drain does not wait for connections that never sent an octet") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));
  auto silent = rig.connect();
  TlsPeer begun(rig);
  begun.flush();
  rig.turns();
  REQUIRE(rig.worker.connections() == 2);
  REQUIRE(rig.worker.mailbox().send({.kind = Message::Kind::drain}));
  rig.turns();
  CHECK(rig.worker.connections() == 1);
  std::string nothing;
  silent->receive(nothing);
  CHECK(silent->at_end());
  begun.exchange();
  CHECK(begun.ask(hello).find("Connection: close\r\n") != std::string::npos);
  begun.socket.reset();
  rig.turns();
  CHECK(rig.worker.over());
}

TEST_CASE("a drain waits two seconds for the rest of a head, and says so") {
  TestHttp http;
  WorkerSettings settings = small_settings();
  settings.service = http.service();
  Rig rig(settings);
  auto half = rig.connect();
  half->send(hello.substr(0, 10));
  rig.turns();
  REQUIRE(rig.worker.mailbox().send({.kind = Message::Kind::drain}));
  rig.turns();
  CHECK(rig.worker.connections() == 1);
  rig.pass(settings.periods.linger + 1);
  CHECK(rig.listen(*half).starts_with("HTTP/1.1 408 "));
  half.reset();
  rig.turns();
  CHECK(rig.worker.over());
}

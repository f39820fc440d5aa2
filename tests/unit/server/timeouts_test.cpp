// Each timer ends its own peer, by name.
#include "support.hpp"

using namespace signet::server;
using namespace signet::test;

namespace {

WorkerSettings http_settings(const TestHttp& http) {
  WorkerSettings settings = small_settings();
  settings.service = http.service();
  return settings;
}

}  // namespace

TEST_CASE("idle: no request begun") {
  TestHttp http;
  Rig rig(http_settings(http));
  auto peer = rig.connect();
  rig.pass(74'000);
  CHECK(rig.ask(*peer, "GET /hello/a HTTP/1.1\r\nHost: x\r\n\r\n").ends_with("hello a\n"));
  rig.pass(74'000);
  CHECK(rig.worker.connections() == 1);
  rig.pass(1'001);
  std::string nothing;
  peer->receive(nothing);
  CHECK(nothing.empty());
  CHECK(peer->at_end());
  peer->close();
  rig.turns();
  CHECK(rig.ended(Cause::idle_timeout) == 1);
}

TEST_CASE("header: a head that does not end is answered 408, however it trickles") {
  TestHttp http;
  Rig rig(http_settings(http));
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, "GET / HTTP/1.1\r\n").empty());
  rig.pass(6'000);
  CHECK(rig.ask(*peer, "Host: x\r\n").empty());
  CHECK(rig.worker.inputs().held_count() == 1);
  rig.pass(4'001);
  CHECK(rig.listen(*peer).starts_with("HTTP/1.1 408 "));
  CHECK(peer->at_end());
  peer->close();
  rig.turns();
  CHECK(rig.ended(Cause::header_timeout) == 1);
  CHECK(rig.all_free());
}

TEST_CASE("body: it may be slow, but not stand still") {
  TestHttp http;
  Rig rig(http_settings(http));
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n").empty());
  for (const char* piece : {"a", "b", "c"}) {
    rig.pass(29'000);
    CHECK(rig.ask(*peer, piece).empty());
  }
  rig.pass(30'001);
  CHECK(rig.listen(*peer).starts_with("HTTP/1.1 408 "));
  peer->close();
  rig.turns();
  CHECK(rig.ended(Cause::body_timeout) == 1);
}

TEST_CASE("write: a peer that acknowledges nothing is ended, one that reads slowly is not") {
  TestHttp http;
  Rig rig(http_settings(http));
  auto peer = rig.connect(), slow = rig.connect();
  peer->send("GET /big/50000 HTTP/1.1\r\nHost: x\r\n\r\n");
  slow->send("GET /big/50000 HTTP/1.1\r\nHost: x\r\n\r\n");
  rig.turns(200);
  std::string some;
  // The kernel may acknowledge a little more of its own accord, so that the last look moves.
  for (int i = 0; i < 10 && rig.ended(Cause::write_timeout) == 0; i++) {
    some.clear();
    slow->receive(some);
    CHECK(some.size() > 0);
    rig.turns(50);
    rig.pass(7'500);
  }
  CHECK(rig.ended(Cause::write_timeout) == 1);
  CHECK(rig.worker.connections() == 1);
  slow->reset();
  rig.turns();
  CHECK(rig.all_free());
}

TEST_CASE("linger: a peer that does not close after us is left") {
  TestHttp http;
  Rig rig(http_settings(http));
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
  CHECK(rig.worker.connections() == 1);
  rig.pass(2'001);
  CHECK(rig.worker.connections() == 0);
  CHECK(rig.ended(Cause::linger_timeout) == 1);
}

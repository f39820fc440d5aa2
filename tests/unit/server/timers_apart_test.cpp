// The timers of many connections at once: each ends its own peer, in its own time, and none while the server
// is late.
#include <functional>
#include <map>

#include "site.hpp"

using namespace signet::server;
using namespace signet::test;
namespace http = signet::http;
using http::status;

namespace {

struct Slow : Site {
  http::Waker waker;
  bool has_room = false;

  Slow() {
    static const std::string many(64 * 1024, 'm');
    hello();
    get("/later", later());
    get("/big", [](const http::Request&, http::Response& response) { response.repeat(many, 50'000'000); });
    add(http::verb::post, "/body", [](const http::Request&, http::Response&) {});
    REQUIRE(router.add_upload(http::verb::post, "/up", receiver()).ok());
  }
  http::UploadHandler receiver() {
    return [this](const http::Request&, http::Response&) {
      return [this](http::Upload& piece, http::Response& response) {
        waker = piece.waker();
        if (!has_room) return piece.wait_after(2);
        if (piece.last()) response.text(status::ok, "all\n");
      };
    };
  }
  WorkerSettings roomy() {
    WorkerSettings made = tls();
    made.areas = made.held = 16;
    made.handshakes = 8;
    return made;
  }
};

std::string upload_head(std::string_view target) {
  return "POST " + std::string(target) + " HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n";
}

/// Sends the first octets of a record and no more.
void send_half_a_record(TlsPeer& peer) {
  peer.client.send(get_request("/hello"));
  const Octets record = peer.client.take_output();
  peer.socket->send(signet::base::as_text(record).substr(0, 20));
  peer.rig.turns();
}

}  // namespace

TEST_CASE(
    "header, record, body, write and idle each end their own peer, one to two periods after its last octet") {
  Slow site;
  const WorkerSettings settings = site.roomy();
  Rig rig(settings);
  const Periods& periods = settings.periods;
  TlsPeer idle(rig), header(rig), record(rig), body(rig), write(rig), quick(rig);
  for (TlsPeer* peer : {&idle, &header, &record, &body, &write, &quick}) {
    peer->exchange();
    REQUIRE(peer->client.established());
    CHECK(peer->ask(get_request("/hello")).ends_with("hello\n"));
  }
  CHECK(header.ask("GET /hel").empty());
  send_half_a_record(record);
  CHECK(body.ask(upload_head("/body") + "1234").empty());
  write.client.send(get_request("/big"));
  write.flush();
  rig.turns(200);
  // The kernel's window grows in its own time: what it still acknowledges must not count in the test's.
  for (int i = 0; i < 5; i++) (void)turns_in_200ms(rig.worker);

  struct Expected {
    Cause cause;
    Ticks period;
    Ticks ended = 0;
  };
  Expected expected[] = {{Cause::header_timeout, periods.header},
                         {Cause::record_timeout, periods.record},
                         {Cause::body_timeout, periods.body},
                         {Cause::write_timeout, periods.write},
                         {Cause::idle_timeout, periods.idle}};
  constexpr Ticks step = 500;
  for (Ticks now = step; now <= 2 * periods.idle; now += step) {
    rig.pass(step);
    if (now % 5000 == 0) CHECK(quick.ask(get_request("/hello")).ends_with("hello\n"));
    for (TlsPeer* peer : {&idle, &header, &body}) {
      if (peer->socket->at_end()) continue;
      peer->exchange(1);
      if (peer->socket->at_end()) peer->socket->close();
    }
    rig.turns();
    for (Expected& one : expected) {
      CHECK(rig.ended(one.cause) <= 1);
      if (one.ended == 0 && rig.ended(one.cause) == 1) one.ended = now;
    }
  }
  for (const Expected& one : expected) {
    CAPTURE(std::string(name_of(one.cause)));
    CHECK(one.ended >= one.period);
    CHECK(one.ended <= 2 * one.period);
  }
  CHECK(signet::base::as_text(header.client.received()).starts_with("HTTP/1.1 408 "));
  CHECK(signet::base::as_text(body.client.received()).starts_with("HTTP/1.1 408 "));
  CHECK(rig.worker.connections() == 1);
  CHECK(rig.ended(Cause::linger_timeout) == 0);
}

TEST_CASE("no timer runs while an answer is awaited, whatever of the next request is there") {
  Slow site;
  Rig rig(site.roomy());
  TlsPeer alone(rig), half_head(rig), half_record(rig);
  for (TlsPeer* peer : {&alone, &half_head, &half_record}) peer->exchange();
  CHECK(alone.ask(get_request("/later")).empty());
  CHECK(half_head.ask(get_request("/later") + "GET /hel").empty());
  CHECK(half_record.ask(get_request("/later")).empty());
  send_half_a_record(half_record);
  for (int i = 0; i < 20; i++) rig.pass(50'000);
  CHECK(rig.worker.connections() == 3);
  for (TlsPeer* peer : {&alone, &half_head, &half_record}) {
    site.take().text(status::ok, "late\n");
    peer->exchange();
    CHECK(signet::base::as_text(peer->client.received()).ends_with("late\n"));
  }
  // Each timer begins where it belongs: with the answer, not with the octets that waited.
  rig.pass(9'000);
  CHECK(rig.worker.connections() == 3);
  rig.pass(1'500);
  half_head.exchange();
  CHECK(half_head.socket->at_end());
  half_head.socket->close();
  rig.turns();
  CHECK(rig.ended(Cause::header_timeout) == 1);
  rig.pass(10'000);
  half_record.exchange();
  CHECK(half_record.socket->at_end());
  half_record.socket->close();
  rig.turns();
  CHECK(rig.ended(Cause::record_timeout) == 1);
  CHECK(rig.worker.connections() == 1);
}

TEST_CASE("no timer runs while an upload is paused by its receiver, and the body's runs again behind it") {
  Slow site;
  Rig rig(site.roomy());
  TlsPeer peer(rig);
  peer.exchange();
  CHECK(peer.ask(upload_head("/up") + "1234").empty());
  for (int i = 0; i < 20; i++) rig.pass(50'000);
  CHECK(rig.worker.connections() == 1);
  site.has_room = true;
  site.waker.wake();
  rig.turns();
  rig.pass(29'000);
  CHECK(rig.worker.connections() == 1);
  CHECK(peer.ask("5678").ends_with("all\n"));

  site.has_room = false;
  CHECK(peer.ask(upload_head("/up") + "1234").empty());
  rig.pass(100'000);
  site.has_room = true;
  site.waker.wake();
  rig.turns();
  rig.pass(30'001);
  peer.exchange();
  CHECK(signet::base::as_text(peer.client.received()).starts_with("HTTP/1.1 408 "));
  peer.socket->close();
  rig.turns();
  CHECK(rig.ended(Cause::body_timeout) == 1);
}

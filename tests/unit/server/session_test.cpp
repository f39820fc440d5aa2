// HTTP over a channel without TLS.
#include "support.hpp"

using namespace signet::server;
using namespace signet::test;

namespace {

constexpr std::string_view hello = "GET /hello/bob HTTP/1.1\r\nHost: x\r\n\r\n";

struct HttpRig {
  TestHttp http;
  Rig rig;
  explicit HttpRig(WorkerSettings settings = small_settings()) : rig(with(settings, http)) {}
  static WorkerSettings with(WorkerSettings settings, const TestHttp& http) {
    settings.service = http.service();
    return settings;
  }
};

bool starts(std::string_view answer, std::string_view status) {
  return answer.starts_with("HTTP/1.1 " + std::string(status));
}

}  // namespace

TEST_CASE("requests one after the other on one connection") {
  HttpRig t;
  auto peer = t.rig.connect();
  for (int i = 0; i < 5; i++) {
    const std::string answer = t.rig.ask(*peer, hello);
    CHECK(starts(answer, "200"));
    CHECK(answer.ends_with("\r\n\r\nhello bob\n"));
    CHECK(t.rig.all_free());
  }
  CHECK(t.rig.worker.counters().requests == 5);
}

TEST_CASE("a request in any pieces") {
  for (const std::size_t piece : {1U, 3U, 7U}) {
    HttpRig t;
    auto peer = t.rig.connect();
    const std::string post =
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789" + std::string(hello);
    std::string answer;
    for (std::size_t at = 0; at < post.size(); at += piece) {
      peer->send(std::string_view(post).substr(at, piece));
      t.rig.turns(2);
    }
    answer = t.rig.listen(*peer);
    CHECK(answer.find("\r\n\r\n0123456789HTTP/1.1 200") != answer.npos);
    CHECK(answer.ends_with("hello bob\n"));
    CHECK(t.rig.all_free());
  }
}

TEST_CASE("pipelined requests are answered in order") {
  HttpRig t;
  auto peer = t.rig.connect();
  std::string requests;
  for (int i = 0; i < 100; i++)
    requests += "GET /hello/n" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string answer = t.rig.ask(*peer, requests);
  CHECK(count_of(answer, "HTTP/1.1 200") == 100);
  std::size_t at = 0;
  for (int i = 0; i < 100 && at != answer.npos; i++)
    at = answer.find("hello n" + std::to_string(i) + "\n", at);
  CHECK(at != answer.npos);
}

TEST_CASE("a large answer to a slow reader is whole, and later requests follow it") {
  HttpRig t;
  auto peer = t.rig.connect();
  peer->send("GET /big/20000 HTTP/1.1\r\nHost: x\r\n\r\n");
  peer->send(hello);
  t.rig.turns(200);
  std::string answer;
  for (int i = 0; i < 2000 && !answer.ends_with("hello bob\n"); i++) {
    peer->receive(answer);
    t.rig.turns(4);
  }
  const std::size_t body = answer.find("\r\n\r\n") + 4;
  CHECK(answer.find_first_not_of('x', body) == body + 20'000'000);
  CHECK(answer.ends_with("hello bob\n"));
  CHECK(t.rig.all_free());
}

TEST_CASE("errors are answered and named") {
  HttpRig t;
  const auto ask = [&](std::string_view text, bool ends) {
    auto peer = t.rig.connect();
    const std::string answer = t.rig.ask(*peer, text);
    CHECK(peer->at_end() == ends);
    CHECK_FALSE(peer->was_reset());
    return answer;
  };
  CHECK(starts(ask("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", false), "404"));
  CHECK(starts(ask("DELETE /hello/bob HTTP/1.1\r\nHost: x\r\n\r\n", false), "405"));
  CHECK(starts(ask("GET /throw HTTP/1.1\r\nHost: x\r\n\r\n", false), "500"));
  CHECK(starts(ask("GET / HTTP/1.1\r\n\r\n", true), "400"));
  CHECK(starts(ask("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n", true), "413"));
  CHECK(starts(ask("GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(20'000, 'a') + "\r\n\r\n", true), "431"));
  CHECK(ask("GET /hello/bob HTTP/1.0\r\n\r\n", true).ends_with("hello bob\n"));
  CHECK(
      ask("GET /hello/bob HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", true).ends_with("hello bob\n"));
}

TEST_CASE("a client that ends its side gets its answers first") {
  HttpRig t;
  auto peer = t.rig.connect();
  peer->send(std::string(hello) + std::string(hello));
  peer->finish();
  const std::string answer = t.rig.listen(*peer);
  CHECK(count_of(answer, "hello bob\n") == 2);
  CHECK(peer->at_end());
  CHECK(t.rig.worker.connections() == 0);
}

TEST_CASE("Expect: 100-continue is answered before the body comes") {
  HttpRig t;
  auto peer = t.rig.connect();
  CHECK(t.rig.ask(*peer,
                  "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n") ==
        "HTTP/1.1 100 Continue\r\n\r\n");
  CHECK(t.rig.ask(*peer, "body").ends_with("\r\n\r\nbody"));
}

TEST_CASE("an error's answer is not lost to a reset though the client goes on sending") {
  HttpRig t;
  auto peer = t.rig.connect();
  peer->send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n");
  peer->send(std::string(90'000, 'z'));
  const std::string answer = t.rig.listen(*peer);
  CHECK(starts(answer, "413"));
  CHECK_FALSE(peer->was_reset());
  peer->close();
  t.rig.turns();
  CHECK(t.rig.worker.connections() == 0);
}

TEST_CASE("a peer that goes away in the middle of an answer ends its connection alone") {
  HttpRig t;
  auto peer = t.rig.connect(), other = t.rig.connect();
  peer->send("GET /big/50000 HTTP/1.1\r\nHost: x\r\n\r\n");
  t.rig.turns(100);
  CHECK(t.rig.worker.outputs().pool().used() == 1);
  peer->reset();
  t.rig.turns();
  CHECK(t.rig.worker.connections() == 1);
  CHECK(t.rig.ask(*other, hello).ends_with("hello bob\n"));
  CHECK(t.rig.all_free());
}

// Answers that a function writes as room for them comes, chunked, of known length, and ended by the
// connection's end.
#include <optional>
#include <thread>

#include "body_support.hpp"

#include <signet/http/responder.hpp>

using namespace signet::server;
using namespace signet::test;
namespace http = signet::http;
using http::Request;
using http::Response;
using http::status;
using http::Stream;
using http::verb;

namespace {

/// GET routes named for what their function does; what it calls is counted.
struct Streams {
  static constexpr std::size_t huge = 5;

  int calls = 0;
  int refused = 0;  // writes that were answered with false
  std::size_t at = 0;
  std::string queue;  // what /queue is to write; ends behind a '.'
  http::Waker waker;
  std::shared_ptr<int> functions = std::make_shared<int>();  // each function has one more use of it
  std::string whole = pattern(5'000'000);
  Hosted hosted;

  explicit Streams(bool tls) : hosted(routes(), tls) {}

  [[nodiscard]] long alive() const { return functions.use_count() - 1; }

  void write_until_told(Stream& stream, std::size_t total, std::size_t step) {
    calls++;
    while (at < total) {
      const std::string_view part = std::string_view(whole).substr(at, std::min(step, total - at));
      at += part.size();
      if (!stream.write(part)) {
        refused++;
        return;
      }
    }
    stream.end();
  }
  /// More than the kernel keeps for a client that does not read.
  void write_repeated(Stream& stream) {
    calls++;
    while (at < huge * whole.size()) {
      const std::string_view part = std::string_view(whole).substr(at % whole.size(), 5000);
      at += part.size();
      if (!stream.write(part)) return;
    }
    stream.end();
  }
  void write_queue(Stream& stream) {
    calls++;
    waker = stream.waker();
    const std::string octets = std::exchange(queue, {});
    if (!octets.empty()) stream.write(octets);
    if (octets.ends_with('.') || stream.draining()) stream.end();
  }
  /// A route that answers with a stream of unknown length.
  void add(http::Router& router, std::string_view pattern, std::function<void(Stream&)> write) {
    add_answer(router, pattern, [this, write](Response& response) { response.stream(counted(write)); });
  }
  void add_answer(http::Router& router, std::string_view pattern, std::function<void(Response&)> answer) {
    const auto handler = [this, answer](const Request&, Response& response) {
      at = 0;
      answer(response);
    };
    REQUIRE(router.add(verb::get, pattern, handler).ok());
  }
  http::StreamFunction counted(std::function<void(Stream&)> write) {
    return [write, alive = functions](Stream& stream) { write(stream); };
  }

  http::Router routes() {
    http::Router router;
    add(router, "/lines", [this](Stream& stream) { write_until_told(stream, 50'000, 11); });
    add(router, "/long", [this](Stream& stream) { write_until_told(stream, whole.size(), 5000); });
    add(router, "/huge", [this](Stream& stream) { write_repeated(stream); });
    add(router, "/empty", [this](Stream& stream) { calls++, stream.end(); });
    add(router, "/queue", [this](Stream& stream) { write_queue(stream); });
    // All at once, whatever write() says.
    add(router, "/backlog", [this](Stream& stream) {
      calls++, refused += !stream.write(whole.substr(0, 900'000)), stream.end();
    });
    add(router, "/flood", [this](Stream& stream) { calls++, refused += !stream.write(whole); });
    add(router, "/raise", [](Stream& stream) { stream.write("abc"), (void)std::string().at(1); });
    for (const std::size_t n : {99u, 100u, 101u}) {
      add_answer(router, "/fixed/" + std::to_string(n), [this, n](Response& response) {
        response.stream(100, counted([this, n](Stream& stream) { write_until_told(stream, n, 33); }));
      });
    }
    add_answer(router, "/fixed/long", [this](Response& response) {
      response.stream(whole.size(),
                      counted([this](Stream& stream) { write_until_told(stream, whole.size(), 7000); }));
    });
    for (const status code : {status::no_content, status::not_modified}) {
      add_answer(router, "/status/" + std::to_string(static_cast<int>(code)),
                 [this, code](Response& response) {
                   response.status(code);
                   response.stream(counted([this](Stream&) { calls++; }));
                 });
    }
    add_answer(router, "/next", [](Response& response) { response.text(status::ok, "next\n"); });
    return router;
  }

  void check_gone(Wire& wire) {
    check_leaves(hosted, wire);
    CHECK(alive() == 0);
    waker = {};
    CHECK(hosted.clean());
  }
};

std::string get(std::string_view target, std::string_view version = "1.1", std::string_view method = "GET") {
  return std::string(method) + " " + std::string(target) + " HTTP/" + std::string(version) +
         "\r\nHost: x\r\n\r\n";
}

/// The body of an answer in chunks; nothing when it is not well-formed, or not whole. `rest` is what follows.
std::optional<std::string> unchunk(std::string_view octets, std::string* rest = nullptr) {
  std::string body;
  for (;;) {
    const std::size_t line = octets.find("\r\n");
    if (line == octets.npos || line == 0 || line > 8) return std::nullopt;
    const std::size_t size = std::stoul(std::string(octets.substr(0, line)), nullptr, 16);
    octets.remove_prefix(line + 2);
    if (octets.size() < size + 2 || octets.substr(size, 2) != "\r\n") return std::nullopt;
    body += octets.substr(0, size);
    octets.remove_prefix(size + 2);
    if (size == 0) break;
  }
  if (rest != nullptr) *rest = octets;
  return body;
}

}  // namespace

TEST_CASE("a stream of unknown length comes in chunks, exact, and the next request waits its turn") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    for (const auto& [target, size] : {std::pair{"/lines", 50'000ul}, std::pair{"/long", t.whole.size()},
                                       std::pair{"/backlog", 900'000ul}, std::pair{"/empty", 0ul}}) {
      const std::string_view asked = target;
      CAPTURE(asked);
      const std::string answers = wire.ask(get(target) + get("/next"));
      CHECK(answers.starts_with("HTTP/1.1 200 OK\r\n"));
      CHECK(answers.find("\r\nTransfer-Encoding: chunked\r\n") < answers.find("\r\n\r\n"));
      std::string rest;
      const auto body = unchunk(body_of(answers), &rest);
      CHECK(body.has_value());
      CHECK((body == t.whole.substr(0, size)));
      CHECK(rest.starts_with("HTTP/1.1 200 OK\r\n"));
      CHECK(rest.ends_with("next\n"));
      CHECK(t.alive() == 0);
      CHECK(t.hosted.clean());
    }
    CHECK(t.refused > 2);
    t.check_gone(wire);
  }
}

TEST_CASE("a function that is told to wait is called again when the client reads, not before") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    wire.push(get("/huge"));
    int calls = -1;
    for (int quiet = 0; quiet < 100; quiet = calls == t.calls ? quiet + 1 : 0) {
      calls = t.calls;
      t.hosted.rig.worker.turn(1);  // the client reads nothing
    }
    CHECK(t.at < t.huge * t.whole.size());
    CHECK(turns_in_200ms(t.hosted.rig.worker) <= 8);
    CHECK(t.calls == calls);
    const auto body = unchunk(body_of(wire.listen()));
    std::string wanted;
    for (std::size_t i = 0; i < t.huge; i++) wanted += t.whole;
    CHECK((body == wanted));
    t.check_gone(wire);
  }
}

TEST_CASE("a stream of known length") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    std::string answers = wire.ask(get("/fixed/100") + get("/next"));
    CHECK(answers.find("\r\nContent-Length: 100\r\n") < answers.find("\r\n\r\n"));
    CHECK(body_of(answers).starts_with(t.whole.substr(0, 100) + "HTTP/1.1 200 OK\r\n"));
    CHECK(answers.ends_with("next\n"));
    answers = wire.ask(get("/fixed/long"));
    CHECK((body_of(answers) == t.whole));
    CHECK(t.alive() == 0);
    CHECK(t.hosted.clean());
    t.check_gone(wire);
  }
}

TEST_CASE("a stream that writes fewer or more octets than it announced ends the connection, and is named") {
  for (const bool tls : {false, true}) {
    for (const char* target : {"/fixed/99", "/fixed/101"}) {
      Streams t(tls);
      Wire wire(t.hosted);
      const std::string answer = wire.ask(get(target) + get("/next"));
      CAPTURE(answer);
      CHECK(answer.find("next\n") == answer.npos);
      CHECK(body_of(answer).size() < 100);
      CHECK(wire.at_end());
      CHECK(t.hosted.rig.ended(Cause::body_failed) == 1);
      REQUIRE(t.hosted.faults.size() == 1);
      CHECK(t.hosted.faults.front().find("octets were written than the stream announced") !=
            std::string::npos);
      t.check_gone(wire);
    }
  }
}

TEST_CASE("a stream that does not wait for room fails at its bound") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    const std::string answer = wire.ask(get("/flood"));
    CHECK(answer.find(t.whole.substr(0, 100)) == answer.npos);
    CHECK(wire.at_end());
    CHECK(t.refused == 1);
    CHECK(t.hosted.rig.ended(Cause::body_failed) == 1);
    CHECK((t.hosted.faults == std::vector<std::string>{"the stream did not wait for room"}));
    t.check_gone(wire);
  }
}

TEST_CASE("a function that raises an exception ends the connection without a last chunk") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    const std::string answer = wire.ask(get("/raise") + get("/next"));
    CHECK_FALSE(unchunk(body_of(answer)).has_value());
    CHECK(answer.find("next\n") == answer.npos);
    CHECK(wire.at_end());
    CHECK(t.hosted.rig.ended(Cause::body_failed) == 1);
    CHECK(t.hosted.faults.size() == 1);
    t.check_gone(wire);
  }
}

TEST_CASE("HTTP/1.0 gets a stream without chunks, ended by the connection's end") {
  for (const bool tls : {false, true}) {
    for (const auto& [target, size] : {std::pair{"/lines", 50'000ul}, std::pair{"/long", 5'000'000ul}}) {
      Streams t(tls);
      Wire wire(t.hosted);
      const std::string answer = wire.ask(get(target, "1.0"));
      CHECK(answer.find("Transfer-Encoding") == answer.npos);
      CHECK(answer.find("Content-Length") == answer.npos);
      CHECK(answer.find("\r\nConnection: close\r\n") < answer.find("\r\n\r\n"));
      CHECK((body_of(answer) == t.whole.substr(0, size)));
      CHECK(wire.at_end());
      t.check_gone(wire);
    }
  }
}

TEST_CASE("HEAD, 204 and 304: the function is never called") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    for (const std::string& request : {get("/lines", "1.1", "HEAD"), get("/fixed/100", "1.1", "HEAD"),
                                       get("/status/204"), get("/status/304")}) {
      const std::string answers = wire.ask(request + get("/next"));
      CAPTURE(answers);
      CHECK(body_of(answers).starts_with("HTTP/1.1 200 OK\r\n"));
      CHECK(answers.ends_with("next\n"));
      CHECK(t.alive() == 0);
    }
    CHECK(wire.ask(get("/lines", "1.1", "HEAD")).find("\r\nTransfer-Encoding: chunked\r\n") !=
          std::string::npos);
    CHECK(wire.ask(get("/fixed/100", "1.1", "HEAD")).find("\r\nContent-Length: 100\r\n") !=
          std::string::npos);
    CHECK(wire.ask(get("/status/204")).find("Transfer-Encoding") == std::string::npos);
    CHECK(t.calls == 0);
    t.check_gone(wire);
  }
}

TEST_CASE("a stream that has nothing waits without a turn, and another thread wakes it") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    std::string answers = wire.ask(get("/queue") + get("/next"));
    CHECK(answers.ends_with("\r\n\r\n"));  // the head alone
    CHECK(t.calls == 1);
    CHECK(turns_in_200ms(t.hosted.rig.worker) <= 8);
    t.hosted.rig.pass(600'000);
    CHECK(t.calls == 1);
    CHECK(t.hosted.rig.worker.connections() == 1);
    for (const char* octets : {"one", "two", "three"}) {
      t.queue = octets;
      wake_from_elsewhere(t.waker);
      answers += wire.listen();
      CHECK(answers.ends_with(octets + std::string("\r\n")));
    }
    wake_from_elsewhere(t.waker);  // with nothing to say
    CHECK(wire.listen().empty());
    t.queue = "end.";
    wake_from_elsewhere(t.waker);
    answers += wire.listen();
    std::string rest;
    CHECK(unchunk(body_of(answers), &rest) == "onetwothreeend.");
    CHECK(rest.ends_with("next\n"));
    CHECK(t.alive() == 0);
    t.check_gone(wire);
  }
}

TEST_CASE("a drain asks a stream that waits, so that it can end") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    std::string answer = wire.ask(get("/queue"));
    CHECK(t.calls == 1);
    REQUIRE(t.hosted.rig.worker.mailbox().send({.kind = Message::Kind::drain}));
    answer += wire.listen();
    CHECK(t.calls == 2);
    CHECK(answer.ends_with("\r\n\r\n0\r\n\r\n"));
    CHECK(t.alive() == 0);
    wire.close();
    t.hosted.rig.pass(3000);
    CHECK(t.hosted.rig.worker.over());
  }
}

TEST_CASE("a wake for a stream that does not wait, or is over, does no harm") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    t.queue = "all.";
    CHECK(unchunk(body_of(wire.ask(get("/queue")))) == "all.");
    const http::Waker over = t.waker;
    for (int i = 0; i < 3; i++) wake_from_elsewhere(over);
    CHECK(wire.listen().empty());
    CHECK(t.calls == 1);
    CHECK(wire.ask(get("/queue")).ends_with("\r\n\r\n"));  // another exchange of the same connection
    wake_from_elsewhere(over);
    CHECK(wire.listen().empty());
    CHECK(t.calls == 2);
    t.queue = "x.";
    wake_from_elsewhere(t.waker);
    CHECK(unchunk(wire.listen()) == "x.");
    t.check_gone(wire);
  }
}

TEST_CASE("a client that goes away while a stream waits, or is blocked") {
  for (const bool tls : {false, true}) {
    for (const char* target : {"/queue", "/huge"}) {
      Streams t(tls);
      Wire wire(t.hosted);
      wire.push(get(target));
      t.hosted.rig.turns(400);
      CHECK(t.alive() == 1);
      wire.reset();
      CHECK(t.hosted.rig.worker.connections() == 0);
      CHECK(t.alive() == 0);
      wake_from_elsewhere(t.waker);
      t.hosted.rig.turns();
      t.check_gone(wire);
    }
  }
}

TEST_CASE("a client that only ended its side gets the rest of a stream") {
  for (const bool tls : {false, true}) {
    Streams t(tls);
    Wire wire(t.hosted);
    CHECK(wire.ask(get("/queue")).ends_with("\r\n\r\n"));
    if (tls) wire.client()->close(), wire.push({});
    wire.socket().finish();
    t.hosted.rig.turns();
    CHECK(t.alive() == 1);
    t.queue = "rest.";
    wake_from_elsewhere(t.waker);
    CHECK(unchunk(wire.listen()) == "rest.");
    CHECK(wire.at_end());
    t.check_gone(wire);
  }
}

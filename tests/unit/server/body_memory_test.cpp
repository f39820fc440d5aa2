// What bodies may take: limits before memory, a bound for all of a worker, and nothing left over, however
// they end. Over TLS a long one is opened straight to where it stays.
#include "body_support.hpp"

using namespace signet::server;
using namespace signet::test;
namespace base = signet::base;
namespace http = signet::http;
namespace tls = signet::tls;
using http::status;
using http::verb;

namespace {

constexpr std::size_t server_limit = 200'000;

/// POST /body, /small (1000 octets), /large (more than the server's limit); GET /next.
struct Rooms {
  std::vector<std::string> bodies;
  std::size_t residue = 0;  // plaintext of all receive buffers while the handler ran
  Hosted hosted;

  explicit Rooms(bool tls, std::size_t memory = 64 * 1024 * 1024)
      : hosted(routes(), tls, [memory](WorkerSettings& settings, HttpService& http) {
          settings.body_memory = memory;
          http.limits.body_bytes = server_limit;
        }) {}

  http::Router routes() {
    http::Router router;
    const auto keep = [this](const http::Request& request, http::Response& response) {
      bodies.emplace_back(request.body());
      residue = residue_of_inputs();
      response.text(status::ok, "took ", std::to_string(request.body().size()), "\n");
    };
    http::RouteOptions small, large;
    small.max_body_bytes = 1000;
    large.max_body_bytes = 2 * server_limit;
    REQUIRE(router.add(verb::post, "/body", keep).ok());
    REQUIRE(router.add(verb::post, "/small", keep, small).ok());
    REQUIRE(router.add(verb::post, "/large", keep, large).ok());
    REQUIRE(
        router
            .add(verb::get, "/next",
                 [](const http::Request&, http::Response& response) { response.text(status::ok, "next\n"); })
            .ok());
    return router;
  }
  /// A buffer that was given back has none; a sanitizer lets nobody ask it.
  std::size_t residue_of_inputs() {
    std::size_t sum = 0;
#if !defined(SIGNET_SANITIZED)
    const auto& inputs = hosted.rig.worker.inputs().pool();
    for (std::size_t i = 0; i < inputs.capacity(); i++) sum += inputs.at(i).residue();
#endif
    return sum;
  }
  std::size_t used() { return hosted.rig.worker.body_memory().used(); }
};

void check_end(Rooms& t, Wire& wire, std::string_view answer, std::string_view code) {
  CHECK(answer.starts_with("HTTP/1.1 " + std::string(code)));
  CHECK(answer.find("\r\nConnection: close\r\n") != answer.npos);
  CHECK(count_of(answer, "HTTP/1.1 ") == 1);
  CHECK(wire.at_end());
  CHECK_FALSE(wire.was_reset());
  wire.close();
  t.hosted.rig.pass(3000);
  CHECK(t.hosted.rig.worker.connections() == 0);
  CHECK(t.hosted.clean());
}

std::string length_head(std::string_view target, std::size_t length) {
  return head_of(target, "Content-Length: " + std::to_string(length) + "\r\n");
}

tls::ContentType data_type() { return tls::ContentType::application_data; }

}  // namespace

TEST_CASE("413 for a declared length over the limit, the server's or the route's, before any of it is read") {
  for (const bool tls : {false, true}) {
    for (const auto& [target, limit] : {std::pair{"/body", server_limit}, std::pair{"/small", 1000ul},
                                        std::pair{"/large", 2 * server_limit}}) {
      Rooms t(tls);
      const std::string_view asked = target;
      CAPTURE(asked);
      Wire fits(t.hosted), over(t.hosted);
      const std::string body = pattern(limit);
      CHECK(fits.ask(by_length(target, body)).starts_with("HTTP/1.1 200 "));
      CHECK((t.bodies == std::vector{body}));
      fits.close();
      const std::string answer = over.ask(length_head(target, limit + 1));
      CHECK(answer.ends_with("the request body is too long\n"));
      check_end(t, over, answer, "413");
      CHECK(t.bodies.size() == 1);
    }
  }
}

TEST_CASE("413 in the middle of a body in chunks, at the first octet over the limit") {
  for (const bool tls : {false, true}) {
    for (const std::size_t piece : {0u, 1u, 7u}) {
      Rooms t(tls);
      Wire fits(t.hosted), over(t.hosted);
      CHECK(fits.ask(in_chunks("/small", pattern(1000), 300), piece).starts_with("HTTP/1.1 200 "));
      fits.close();
      const std::string message = in_chunks("/small", pattern(1001), 300);
      // All but the last octet of the data and what follows it.
      const std::size_t most = message.size() - std::string_view("x\r\n0\r\n\r\n").size();
      CHECK(over.ask(std::string_view(message).substr(0, most), piece).empty());
      CHECK(t.used() != 0);
      check_end(t, over, over.ask(std::string_view(message).substr(most, 1)), "413");
      CHECK(t.bodies.size() == 1);
    }
  }
}

TEST_CASE("503 when others' bodies take the worker's memory, and service again afterwards") {
  for (const bool tls : {false, true}) {
    Rooms t(tls, 100 * 1024);
    const std::string body = pattern(60 * 1024);
    const std::string message = by_length("/body", body);
    Wire holder(t.hosted), length(t.hosted), chunks(t.hosted);
    CHECK(holder.ask(std::string_view(message).substr(0, message.size() - 1)).empty());
    CHECK(t.used() >= body.size());
    const std::size_t held = t.used();
    CHECK(length.ask(length_head("/body", body.size())).starts_with("HTTP/1.1 503 "));
    CHECK(length.at_end());
    CHECK(chunks.ask(in_chunks("/body", body, 1000)).starts_with("HTTP/1.1 503 "));
    CHECK(chunks.at_end());
    CHECK(t.used() == held);
    CHECK(holder.ask(std::string_view(message).substr(message.size() - 1)).starts_with("HTTP/1.1 200 "));
    CHECK(t.used() == 0);
    Wire again(t.hosted);
    CHECK(again.ask(message).starts_with("HTTP/1.1 200 "));
    CHECK((t.bodies == std::vector{body, body}));
    for (Wire* wire : {&holder, &length, &chunks, &again}) wire->close();
    t.hosted.rig.pass(3000);
    CHECK(t.hosted.clean());
  }
}

TEST_CASE("memory is taken as bodies fill, and the body that got nothing for longest gives way") {
  for (const bool tls : {false, true}) {
    Rooms t(tls, 150 * 1024);
    const std::string body = pattern(100 * 1024);
    const std::string message = by_length("/body", body);
    Wire idle(t.hosted), busy(t.hosted), late(t.hosted);
    // Much is announced and little sent.
    CHECK(idle.ask(length_head("/body", body.size()) + "x").empty());
    CHECK(t.used() <= 64 * 1024);
    CHECK(busy.ask(std::string_view(message).substr(0, 40'000)).empty());
    // Nobody is over its patience yet.
    CHECK(late.ask(message).starts_with("HTTP/1.1 503 "));
    t.hosted.rig.pass(900);
    CHECK(busy.ask(std::string_view(message).substr(40'000, 1)).empty());
    t.hosted.rig.pass(200);
    CHECK(busy.ask(std::string_view(message).substr(40'001)).starts_with("HTTP/1.1 200 "));
    CHECK(t.hosted.rig.ended(Cause::gave_way) == 1);
    CHECK(t.used() == 0);
    CHECK((t.bodies == std::vector{body}));
    for (Wire* wire : {&idle, &busy, &late}) wire->close();
    t.hosted.rig.pass(3000);
    CHECK(t.hosted.clean());
  }
}

TEST_CASE("a body that all of the worker's memory cannot hold is answered 413 if it says so, else 503") {
  for (const bool tls : {false, true}) {
    Rooms t(tls, 50 * 1024);
    Wire length(t.hosted);
    check_end(t, length, length.ask(length_head("/body", 60 * 1024)), "413");
    Wire chunks(t.hosted);
    check_end(t, chunks, chunks.ask(in_chunks("/body", pattern(60 * 1024), 1000)), "503");
    CHECK(t.bodies.empty());
  }
}

TEST_CASE("408 when a body stands still, and its memory is free") {
  for (const bool tls : {false, true}) {
    for (const std::string& message :
         {by_length("/body", pattern(60'000)), in_chunks("/body", pattern(60'000), 1000)}) {
      Rooms t(tls);
      Wire wire(t.hosted);
      CHECK(wire.ask(std::string_view(message).substr(0, 50'000)).empty());
      t.hosted.rig.pass(29'000);
      CHECK(wire.ask(std::string_view(message).substr(50'000, 1)).empty());
      t.hosted.rig.pass(29'999);
      CHECK(wire.listen().empty());
      CHECK(t.used() != 0);
      t.hosted.rig.pass(2);
      CHECK(t.used() == 0);
      check_end(t, wire, wire.listen(), "408");
      CHECK(t.hosted.rig.ended(Cause::body_timeout) == 1);
    }
  }
}

TEST_CASE("a drain lets a body come to its end, and a stop does not leave it behind") {
  for (const bool tls : {false, true}) {
    const std::string message = by_length("/body", pattern(60'000));
    const std::size_t chunks_before = base::chunk_cache().out();
    {
      Rooms t(tls);
      Wire wire(t.hosted), stopped(t.hosted);
      stopped.push(std::string_view(message).substr(0, 50'000));
      wire.push(std::string_view(message).substr(0, 50'000));
      REQUIRE(t.hosted.rig.worker.mailbox().send({.kind = Message::Kind::drain}));
      t.hosted.rig.turns();
      const std::string answer = wire.ask(std::string_view(message).substr(50'000));
      CHECK(answer.starts_with("HTTP/1.1 200 "));
      CHECK(answer.find("\r\nConnection: close\r\n") != answer.npos);
      CHECK(wire.at_end());
      CHECK(t.used() != 0);  // the other one's
    }
    CHECK(base::chunk_cache().out() == chunks_before);
  }
}

TEST_CASE("over TLS a long body is opened to where the handler sees it, and not in the receive buffer") {
  Rooms t(true);
  Wire wire(t.hosted);
  const std::string body = pattern(100 * 1024);
  const std::string head = length_head("/body", body.size());
  wire.push(head);
  wire.push(body);
  CHECK(wire.listen().starts_with("HTTP/1.1 200 "));
  CHECK((t.bodies == std::vector{body}));
  // The buffer of the head's record was given back before, and nothing was opened in the one that followed.
  CHECK(t.residue == 0);
  // A body in chunks goes through it: were the figure always small, it would show nothing.
  CHECK(wire.ask(in_chunks("/body", body, 4096)).starts_with("HTTP/1.1 200 "));
#if !defined(SIGNET_SANITIZED)
  CHECK(t.residue > 4096);
#endif
  CHECK(t.hosted.clean());
}

TEST_CASE("records with padding, and records of other kinds between those of a long body") {
  Rooms t(true);
  Wire wire(t.hosted);
  TlsClient& client = *wire.client();
  const std::string body = pattern(70'000);
  wire.push(length_head("/body", body.size()));
  constexpr std::uint8_t canceled[] = {1, static_cast<std::uint8_t>(tls::Alert::user_canceled)};
  int kind = 0;
  for (std::size_t at = 0; at < body.size(); at += 7000, kind++) {
    // The last one's padding does not fit behind the body's end any more.
    client.send(data_type(), base::as_bytes(std::string_view(body).substr(at, 7000)),
                kind % 2 == 0 ? 0 : 3000);
    if (kind % 4 == 0) client.send_key_update(kind == 4);
    if (kind % 4 == 1) client.send(tls::ContentType::alert, canceled);
    if (kind % 4 == 2) client.send(data_type(), {}, 100);
    REQUIRE(wire.push_raw(base::as_text(client.take_output())));
  }
  CHECK(wire.listen().starts_with("HTTP/1.1 200 "));
  CHECK((t.bodies == std::vector{body}));
  CHECK(client.key_updates_seen() == 1);
  CHECK(client.fault().empty());
  CHECK(wire.ask(next_request).ends_with("next\n"));
  CHECK(t.hosted.clean());
}

TEST_CASE("the record with a long body's end has the next request as well") {
  Rooms t(true);
  Wire wire(t.hosted);
  const std::string body = pattern(50'000);
  wire.push(length_head("/body", body.size()));
  for (const std::size_t last : {1u, 10u, 5000u}) {
    CAPTURE(last);
    wire.push(std::string_view(body).substr(0, body.size() - last));
    CHECK(wire.listen().empty());
    const std::string answers = wire.ask(body.substr(body.size() - last) + std::string(next_request) +
                                         length_head("/body", body.size()));
    CHECK(count_of(answers, "HTTP/1.1 200 ") == 2);
    CHECK(answers.ends_with("next\n"));
    CHECK((t.bodies.back() == body));
  }
  wire.reset();
  CHECK(t.hosted.clean());
}

TEST_CASE("close_notify in the middle of a long body") {
  Rooms t(true);
  Wire wire(t.hosted);
  wire.push(length_head("/body", 100'000));
  wire.push(pattern(50'000));
  CHECK(t.used() != 0);
  wire.close();
  CHECK(t.hosted.rig.ended(Cause::truncated) == 1);
  CHECK(t.bodies.empty());
  CHECK(t.hosted.clean());
}

TEST_CASE("a bad tag in the middle of a long body ends the connection, and nothing of it is served or kept") {
  Rooms t(true);
  Wire wire(t.hosted);
  TlsClient& client = *wire.client();
  wire.push(length_head("/body", 60'000));
  wire.push(pattern(40'000));
  client.send(pattern(16'000));
  Octets record = client.take_output();
  record.back() ^= 1;
  wire.push_raw(base::as_text(record));
  CHECK(wire.listen().empty());
  CHECK(client.alert() == tls::Alert::bad_record_mac);
  CHECK(t.hosted.rig.worker.counters().of(tls::Reason::record_bad_mac) == 1);
  CHECK(wire.at_end());
  CHECK(t.bodies.empty());
  wire.close();
  t.hosted.rig.pass(3000);
  CHECK(t.hosted.clean());
}

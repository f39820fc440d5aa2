// 421: a Host that the connection's certificate does not cover.
#include "body_support.hpp"

#include <signet/tests/support/test_identity.hpp>

using namespace signet::server;
using namespace signet::test;
namespace base = signet::base;
namespace http = signet::http;

namespace {

http::Router routes() {
  http::Router router;
  const auto say_host = [](const http::Request& request, http::Response& response) {
    response.text(http::status::ok, "for ", request.head().host, "\n");
  };
  router.otherwise(say_host);
  return router;
}

/// The development certificate: localhost, 127.0.0.1 and ::1.
Hosted::Tweak checks(bool on) {
  return [on](WorkerSettings&, HttpService& service) { service.checks_host = on; };
}

std::string request_for(std::string_view host, std::string_view target = "/", std::string_view body = {}) {
  return "POST " + std::string(target) + " HTTP/1.1\r\nHost: " + std::string(host) +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string status_of(const std::string& answer) { return answer.substr(9, 3); }

}  // namespace

TEST_CASE("a Host that the certificate covers is served, another is answered 421") {
  Hosted t(routes(), true, checks(true));
  Wire wire(t);
  for (const char* host : {"localhost", "LocalHost", "localhost:443", "localhost:8443", "127.0.0.1",
                           "127.0.0.1:1", "[::1]", "[::1]:443"}) {
    CAPTURE(host);
    const std::string answer = wire.ask(request_for(host));
    CHECK(status_of(answer) == "200");
    CHECK(answer.ends_with("for " + std::string(host) + "\n"));
  }
  for (const char* host : {"example.test", "example.test:443", "127.0.0.2", "[::2]", "localhost.example.test",
                           "sub.localhost", "ocalhost"}) {
    CAPTURE(host);
    const std::string answer = wire.ask(request_for(host));
    CHECK(status_of(answer) == "421");
    CHECK(
        answer.ends_with("\r\n\r\nthe certificate of this server does not cover the host of the request\n"));
    CHECK(answer.find("Connection: close") == answer.npos);
  }
  CHECK(t.clean());
}

TEST_CASE("it is decided for each Host of a connection that changes between two") {
  Hosted t(routes(), true, checks(true));
  Wire wire(t);
  std::string all;
  for (int i = 0; i < 6; i++) {
    CHECK(status_of(wire.ask(request_for("localhost"))) == "200");
    CHECK(status_of(wire.ask(request_for("example.test"))) == "421");
    CHECK(status_of(wire.ask(request_for("127.0.0.1"))) == "200");
    all += request_for("example.test") + request_for("localhost");
  }
  const std::string answers = wire.ask(all);
  CHECK(count_of(answers, "HTTP/1.1 421 ") == 6);
  CHECK(count_of(answers, "HTTP/1.1 200 ") == 6);
  CHECK(count_of(answers, "for localhost\n") == 6);
  CHECK(t.clean());
}

TEST_CASE("a target in absolute form names the host, whatever the Host field says") {
  Hosted t(routes(), true, checks(true));
  Wire wire(t);
  CHECK(status_of(wire.ask(request_for("example.test", "https://localhost/"))) == "200");
  CHECK(status_of(wire.ask(request_for("example.test", "https://localhost:8443/x"))) == "200");
  CHECK(status_of(wire.ask(request_for("localhost", "https://example.test/"))) == "421");
  CHECK(t.clean());
}

TEST_CASE("a body that came along is passed over; for one that did not come the connection ends") {
  Hosted t(routes(), true, checks(true));
  Wire wire(t), expects(t), chunks(t);
  CHECK(count_of(wire.ask(request_for("example.test", "/", "body") + request_for("localhost")),
                 "HTTP/1.1 200 ") == 1);
  const std::string answer = expects.ask(
      "POST / HTTP/1.1\r\nHost: example.test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
  CHECK(status_of(answer) == "421");
  CHECK(answer.find("\r\nConnection: close\r\n") != answer.npos);
  CHECK(expects.at_end());
  CHECK(status_of(chunks.ask(
            "POST / HTTP/1.1\r\nHost: example.test\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n")) == "421");
  CHECK(chunks.at_end());
  for (Wire* one : {&wire, &expects, &chunks}) one->close();
  t.rig.pass(3000);
  CHECK(t.clean());
}

TEST_CASE("HTTP/1.0 without Host, a connection without TLS, and a server that is for any host") {
  Hosted checked(routes(), true, checks(true)), plain(routes(), false, checks(true)),
      open(routes(), true, checks(false));
  Wire old(checked), without_tls(plain), any(open);
  CHECK(status_of(old.ask("GET / HTTP/1.0\r\n\r\n")) == "200");
  CHECK(status_of(without_tls.ask(request_for("example.test"))) == "200");
  CHECK(status_of(any.ask(request_for("example.test"))) == "200");
}

TEST_CASE("a certificate for names with a wildcard") {
  namespace identity = signet::test_identity;
  const auto loaded = signet::tls::Identity::load(base::as_bytes(identity::leaf_certificate),
                                                  base::as_bytes(identity::leaf_key_sec1), identity::now);
  REQUIRE(loaded.ok());
  Hosted t(routes(), true, [&](WorkerSettings& settings, HttpService& service) {
    settings.tls.identity = *loaded;
    service.checks_host = true;
  });
  Wire wire(t);
  for (const char* host : {"example.test", "a.example.test", "A.Example.Test:443", "192.0.2.7"}) {
    CAPTURE(host);
    CHECK(status_of(wire.ask(request_for(host))) == "200");
  }
  for (const char* host : {"a.b.example.test", "localhost", ".example.test"}) {
    CAPTURE(host);
    CHECK(status_of(wire.ask(request_for(host))) == "421");
  }
}

#include <stdexcept>

#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/dispatch.hpp>

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

namespace {

std::vector<std::string> errors;

Dispatcher dispatcher() {
  Router router;
  const auto add = [&](verb method, std::string_view pattern, Handler handler) {
    REQUIRE(router.add(method, pattern, std::move(handler)).ok());
  };
  add(verb::get, "/hello/{name}", [](const Request& request, Response& response) {
    response.text(status::ok, "hello ", request.param("name"), "\n");
  });
  add(verb::post, "/throw", [](const Request& request, Response& response) {
    response.header("X-Half", "done");
    std::memcpy(response.body(4).data(), "half", 4);
    if (request.body() == "odd") throw 7;
    throw std::runtime_error("the password is swordfish");
  });
  add(verb::get, "/header", [](const Request&, Response& response) { response.header("X", "a\nb"); });
  return {std::move(router),
          [](const Request& request, std::string_view what) {
            errors.push_back(std::string(request.path()) + ": " + std::string(what));
            throw std::runtime_error("the log fails too");
          },
          nullptr};
}

std::string answer(std::string_view method_and_target, std::string_view body = {}) {
  errors.clear();
  return answer_of(dispatcher(),
                   std::string(method_and_target) + " HTTP/1.1\r\nHost: a\r\n\r\n" + std::string(body));
}

}  // namespace

TEST_CASE("a handler is called with its parameters") {
  const std::string sent = answer("GET /hello/you%21?x");
  CHECK(sent.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(sent.ends_with("\r\n\r\nhello you!\n"));
  CHECK(answer("HEAD /hello/you").ends_with("Content-Length: 10\r\n\r\n"));
}

TEST_CASE("no route, no method, no such escape") {
  CHECK(answer("GET /nothing").starts_with("HTTP/1.1 404 Not Found\r\n"));
  const std::string put = answer("PUT /hello/x");
  CHECK(put.starts_with("HTTP/1.1 405 Method Not Allowed\r\n"));
  CHECK(put.find("\r\nAllow: GET, HEAD, OPTIONS\r\n") != std::string::npos);
  CHECK(answer("GET /hello/%4").starts_with("HTTP/1.1 400 Bad Request\r\n"));
  CHECK(answer("OPTIONS /hello/x") == "HTTP/1.1 204 No Content\r\nAllow: GET, HEAD, OPTIONS\r\n\r\n");
  CHECK(answer("OPTIONS *") == "HTTP/1.1 204 No Content\r\nAllow: GET, POST, HEAD, OPTIONS\r\n\r\n");
  CHECK(answer("QUERY /hello/x").starts_with("HTTP/1.1 501 Not Implemented\r\n"));
  CHECK(answer("QUERY /nothing").starts_with("HTTP/1.1 501 Not Implemented\r\n"));
  CHECK(answer("CONNECT a:443").starts_with("HTTP/1.1 501 Not Implemented\r\n"));
  CHECK(errors.empty());
}

TEST_CASE("a handler that throws answers 500 without the exception's text") {
  const std::string sent = answer("POST /throw");
  CHECK(sent.starts_with("HTTP/1.1 500 Internal Server Error\r\n"));
  CHECK(sent.ends_with("\r\n\r\nthe server failed at this request\n"));
  CHECK(sent.find("swordfish") == std::string::npos);
  CHECK(sent.find("X-Half") == std::string::npos);
  CHECK(sent.find("half") == std::string::npos);
  CHECK(errors == std::vector<std::string>{"/throw: the password is swordfish"});
  CHECK(answer("POST /throw", "odd").starts_with("HTTP/1.1 500 "));
  CHECK(errors == std::vector<std::string>{"/throw: an exception that is no std::exception"});
}

TEST_CASE("a response that could not be made is reported") {
  CHECK(answer("GET /header").starts_with("HTTP/1.1 500 "));
  CHECK(errors == std::vector<std::string>{"/header: a control character in a header field"});
}

#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/request.hpp>

using namespace signet::http;
using namespace signet::http::test;

namespace {

std::string text_of(std::optional<std::string_view> value) { return value ? std::string(*value) : "(none)"; }

}  // namespace

TEST_CASE("query parameters of a request, decoded") {
  ReadHead received(
      "GET /search?q=a+b%26c&empty=&flag&q=second&%6eame=x&bad=%zz HTTP/1.1\r\nHost: a\r\n\r\n");
  const Request request(received.head, *received.region, no_thread);
  CHECK(text_of(request.query_parameter("q")) == "a b&c");
  CHECK(text_of(request.query_parameter("empty")) == "");
  CHECK(text_of(request.query_parameter("flag")) == "");
  CHECK(text_of(request.query_parameter("name")) == "x");
  CHECK(text_of(request.query_parameter("bad")) == "%zz");
  CHECK(text_of(request.query_parameter("none")) == "(none)");
  std::string all;
  CHECK(request.for_each_query_parameter([&](std::string_view name, std::string_view value) {
    all += std::string(name) + "=" + std::string(value) + "|";
  }));
  CHECK(all == "q=a b&c|empty=|flag=|q=second|name=x|bad=%zz|");
}

TEST_CASE("a request without a query, and without cookies") {
  ReadHead received("GET /search HTTP/1.1\r\nHost: a\r\n\r\n");
  const Request request(received.head, *received.region, no_thread);
  CHECK(!request.query_parameter("q"));
  CHECK(!request.query_parameter(""));
  CHECK(!request.cookie("q"));
  CHECK(request.id().empty());
  CHECK(request.for_each_query_parameter([](std::string_view, std::string_view) { FAIL("a parameter"); }));
}

TEST_CASE("cookies of a request") {
  ReadHead received("GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1; b=\"2 3\"\r\nCookie: c=%41\r\n\r\n");
  const Request request(received.head, *received.region, no_thread);
  CHECK(text_of(request.cookie("a")) == "1");
  CHECK(text_of(request.cookie("b")) == "2 3");
  CHECK(text_of(request.cookie("c")) == "%41");
  CHECK(text_of(request.cookie("A")) == "(none)");
}

TEST_CASE("a copy that lives longer has all of it: parameters, cookies, id") {
  ReadHead received("GET /?q=a%20b&r=2 HTTP/1.1\r\nHost: a\r\nCookie: c=1\r\n\r\n");
  Request first(received.head, *received.region, no_thread);
  std::string id = "id-1";
  first.set_id(id);
  OwnedRegion later;
  Request copy(first, *later, no_thread);
  REQUIRE(copy.keep_all());
  received.spoil();
  id = "gone";
  CHECK(text_of(copy.query_parameter("q")) == "a b");
  CHECK(text_of(copy.query_parameter("r")) == "2");
  CHECK(text_of(copy.cookie("c")) == "1");
  CHECK(copy.id() == "id-1");
}

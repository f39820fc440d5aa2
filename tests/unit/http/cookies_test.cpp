#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/cookies.hpp>

using namespace signet::http;
using namespace signet::http::test;

namespace {

std::string found(std::initializer_list<std::string_view> fields, std::string_view name) {
  std::vector<Header> headers = {{field::host, "Host", "a=host"}};
  for (const std::string_view value : fields) headers.push_back({field::cookie, "Cookie", value});
  headers.push_back({field::unknown, "X-Cookie", "a=other"});
  const auto value = cookie(headers, name);
  return value ? std::string(*value) : "(none)";
}

}  // namespace

TEST_CASE("a cookie by its name, in one field or several; the first one counts") {
  CHECK(found({"a=1; b=2; a=3"}, "a") == "1");
  CHECK(found({"a=1; b=2; a=3"}, "b") == "2");
  CHECK(found({"a=1", "b=2; c=3", "c=4"}, "c") == "3");
  CHECK(found({"a=1"}, "b") == "(none)");
  CHECK(found({"a=1"}, "A") == "(none)");
  CHECK(found({}, "a") == "(none)");
  CHECK(found({""}, "a") == "(none)");
  CHECK(found({"ab=1; a=2"}, "a") == "2");
}

TEST_CASE("a value is everything behind the first '=', without quotes around it") {
  CHECK(found({"a="}, "a") == "");
  CHECK(found({"a=b=c=="}, "a") == "b=c==");
  CHECK(found({"a=\"b c\""}, "a") == "b c");
  CHECK(found({"a=\"\""}, "a") == "");
  CHECK(found({"a=\""}, "a") == "\"");
  CHECK(found({"a=\"b"}, "a") == "\"b");
  CHECK(found({"a=b\""}, "a") == "b\"");
  CHECK(found({"a=%41+b"}, "a") == "%41+b");
}

TEST_CASE("odd cookie strings") {
  CHECK(found({"a=1;b=2"}, "b") == "2");
  CHECK(found({";; a=1 ;\t b=2\t;"}, "a") == "1");
  CHECK(found({";; a=1 ;\t b=2\t;"}, "b") == "2");
  CHECK(found({"a; b=2"}, "a") == "(none)");
  CHECK(found({"a; a=2"}, "a") == "2");
  CHECK(found({"=1"}, "") == "1");
  CHECK(found({"a =1"}, "a") == "(none)");
}

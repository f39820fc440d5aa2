#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/query.hpp>

using namespace signet::http;
using namespace signet::http::test;
using namespace std::string_view_literals;

namespace {

std::string found(std::string_view query, std::string_view name) {
  OwnedRegion region;
  const auto value = query_parameter(query, name, *region);
  return value ? std::string(*value) : "(none)";
}

std::string all(std::string_view query) {
  OwnedRegion region;
  std::string text;
  CHECK(for_each_query_parameter(query, *region, [&](std::string_view name, std::string_view value) {
    text += std::string(name) + "=" + std::string(value) + "|";
  }));
  return text;
}

}  // namespace

TEST_CASE("parameters in the order received, decoded") {
  CHECK(all("") == "");
  CHECK(all("a=1&b=2&a=3") == "a=1|b=2|a=3|");
  CHECK(all("&&a&b=&=c&=&d=e=f&") == "a=|b=|=c|=|d=e=f|");
  CHECK(all("a+b=c+d&%61%62=%2B%26%3d") == "a b=c d|ab=+&=|");
  CHECK(all("a=1;b=2") == "a=1;b=2|");
  CHECK(all("a=%C3%A9&b=\xc3\xa9") == "a=\xc3\xa9|b=\xc3\xa9|");
  CHECK(all("a?b=c?d") == "a?b=c?d|");
}

TEST_CASE("a parameter by its name: the first one, whatever form its name has") {
  CHECK(found("a=1&b=2&a=3", "a") == "1");
  CHECK(found("a=1&b=2&a=3", "b") == "2");
  CHECK(found("a=1", "A") == "(none)");
  CHECK(found("", "a") == "(none)");
  CHECK(found("ab=1&a=2", "a") == "2");
  CHECK(found("a=1&ab=2", "ab") == "2");
  CHECK(found("b&a", "a") == "");
  CHECK(found("=x", "") == "x");
  CHECK(found("a", "") == "(none)");
  CHECK(found("first+name=A%20B", "first name") == "A B");
  CHECK(found("%66irst%20name=x", "first name") == "x");
  CHECK(found("a%3Db=c", "a=b") == "c");
  CHECK(found("a%26b=c&b=d", "b") == "d");
}

TEST_CASE("what has a malformed escape is answered as it was received") {
  for (const char* value : {"%", "%4", "a%4g+", "%g1", "100%", "%%41", "%41%", "a%00b", "+%"}) {
    CAPTURE(std::string(value));
    CHECK(found("a=" + std::string(value) + "&b=%41", "a") == value);
    CHECK(found("a=" + std::string(value) + "&b=%41", "b") == "A");
    CHECK(found(std::string(value) + "=%41", value) == "A");
    CHECK(all(std::string(value) + "=1") == std::string(value) + "=1|");
  }
  CHECK(found("a%=1", "a") == "(none)");
}

TEST_CASE("what needs no decoding is a view into the query") {
  OwnedRegion region;
  const std::string_view query = "a=plain&b=%41&c=100%";
  const auto within = [&](std::string_view name) {
    const auto value = query_parameter(query, name, *region);
    REQUIRE(value.has_value());
    return value->data() >= query.data() && value->data() < query.data() + query.size();
  };
  CHECK(within("a"));
  CHECK(!within("b"));
  CHECK(within("c"));
}

TEST_CASE("each octet decodes to itself, NUL apart") {
  for (unsigned c = 1; c < 256; ++c) {
    char escape[8];
    std::snprintf(escape, sizeof escape, c % 2 == 0 ? "%%%02x" : "%%%02X", c);
    CHECK(found("a=" + std::string(escape), "a") == std::string(1, static_cast<char>(c)));
    CHECK(found(std::string(escape) + "=b", std::string(1, static_cast<char>(c))) == "b");
  }
}

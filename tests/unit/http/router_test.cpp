#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/router.hpp>

using namespace signet::http;
using namespace signet::http::test;
using Kind = Match::Kind;

namespace {

const Handler nothing = [](const Request&, Response&) {};

Router router_of(std::initializer_list<std::pair<verb, std::string_view>> routes) {
  Router router;
  for (const auto& [method, pattern] : routes) REQUIRE(router.add(method, pattern, nothing).ok());
  return router;
}

/// "pattern name=value name=value", or the kind's number.
std::string found(const Router& router, std::string_view path, verb method = verb::get) {
  OwnedRegion region;
  const Match match = router.match(method, path, *region);
  if (match.kind != Kind::found) return std::to_string(static_cast<int>(match.kind));
  std::string text(match.pattern);
  for (const Parameter& each : match.parameters) {
    text += " " + std::string(each.name) + "=" + std::string(each.value);
  }
  return text;
}

std::string no(Kind kind) { return std::to_string(static_cast<int>(kind)); }

std::string fault(Router& router, verb method, std::string_view pattern) {
  const auto added = router.add(method, pattern, nothing);
  return added.ok() ? "" : added.error();
}

}  // namespace

TEST_CASE("literal segments and parameters") {
  const Router router = router_of({{verb::get, "/"},
                                   {verb::get, "/hello/{name}"},
                                   {verb::get, "/hello/world"},
                                   {verb::get, "/a/{x}/c"},
                                   {verb::get, "/a/b/{y}"},
                                   {verb::get, "/{any}/{other}/tail/"}});
  CHECK(found(router, "/") == "/");
  CHECK(found(router, "/hello/bob") == "/hello/{name} name=bob");
  CHECK(found(router, "/hello/world") == "/hello/world");
  CHECK(found(router, "/hello/World") == "/hello/{name} name=World");
  CHECK(found(router, "/a/b/c") == "/a/b/{y} y=c");
  CHECK(found(router, "/a/z/c") == "/a/{x}/c x=z");
  CHECK(found(router, "/hello/world/tail/") == "/{any}/{other}/tail/ any=hello other=world");
  for (const char* path :
       {"/hello", "/hello/", "/hello/a/b", "//hello/bob", "/hello//bob", "hello/bob", "", "/x"}) {
    CAPTURE(std::string(path));
    CHECK(found(router, path) == no(Kind::not_found));
  }
}

TEST_CASE("what a parameter took on a way that led nowhere is forgotten") {
  const Router router = router_of({{verb::get, "/{a}/{b}/x"}, {verb::get, "/k/{c}/{d}/y"}});
  CHECK(found(router, "/k/2/x") == "/{a}/{b}/x a=k b=2");
  CHECK(found(router, "/k/2/3/y") == "/k/{c}/{d}/y c=2 d=3");
}

TEST_CASE("percent escapes are decoded after the path is divided") {
  const Router router = router_of({{verb::get, "/hello/{name}"}});
  CHECK(found(router, "/hello/J%C3%BCrgen%20a") == "/hello/{name} name=J\xc3\xbcrgen a");
  CHECK(found(router, "/hello/a%2Fb%2f%25") == "/hello/{name} name=a/b/%");
  CHECK(found(router, "/hell%6f/x") == "/hello/{name} name=x");
  CHECK(found(router, "/hello/a+b") == "/hello/{name} name=a+b");
  for (const char* path :
       {"/hello/%", "/hello/%4", "/hello/%4g", "/hello/%g4", "/hello/%00", "/hello/a%0%41", "/%zz/x"}) {
    CAPTURE(std::string(path));
    CHECK(found(router, path) == no(Kind::bad_escape));
  }
  // What lies behind the path in the buffer is not looked at.
  CHECK(found(router, std::string_view("/hello/%41").substr(0, 9)) == no(Kind::bad_escape));
}

TEST_CASE("methods: HEAD by GET's route, Allow for the others") {
  const Router router = router_of({{verb::get, "/a"},
                                   {verb::post, "/a"},
                                   {verb::delete_, "/b"},
                                   {verb::options, "/c"},
                                   {verb::head, "/d"},
                                   {verb::get, "/d"}});
  OwnedRegion region;
  CHECK(found(router, "/a", verb::head) == "/a");
  CHECK(found(router, "/b", verb::head) == no(Kind::not_allowed));
  const Match put = router.match(verb::put, "/a", *region);
  CHECK(put.kind == Kind::not_allowed);
  CHECK(put.allow == "GET, POST, HEAD, OPTIONS");
  const Match options = router.match(verb::options, "/b", *region);
  CHECK(options.kind == Kind::options);
  CHECK(options.allow == "DELETE, OPTIONS");
  CHECK(found(router, "/c", verb::options) == "/c");
  CHECK(router.match(verb::get, "/c", *region).allow == "OPTIONS");
  CHECK(router.match(verb::put, "/d", *region).allow == "HEAD, GET, OPTIONS");
  const Match all = router.match(verb::options, "*", *region);
  CHECK(all.kind == Kind::options);
  CHECK(all.allow == "GET, POST, DELETE, OPTIONS, HEAD");
}

TEST_CASE("routes that cannot be are errors of the start") {
  Router router;
  CHECK(fault(router, verb::get, "/a/{x}").empty());
  CHECK(fault(router, verb::post, "/a/{y}").empty());
  CHECK(fault(router, verb::get, "/a/{z}") == "route /a/{z}: the same as /a/{x}");
  CHECK(fault(router, verb::get, "/a/{x}") == "route /a/{x}: the same as /a/{x}");
  for (const char* pattern :
       {"", "a", "/{}", "/{x", "/x}", "/a{x}", "/{x}{y}", "/{x}/{x}", "/a?b", "/%41", "/{x}a"}) {
    CAPTURE(std::string(pattern));
    CHECK(!fault(router, verb::get, pattern).empty());
  }
  CHECK(!fault(router, verb::unknown, "/b").empty());
  CHECK(!router.add(verb::get, "/b", Handler()).ok());
}

TEST_CASE("parameters of one place have each route's own names") {
  const Router router = router_of({{verb::get, "/a/{x}"}, {verb::post, "/a/{y}"}});
  CHECK(found(router, "/a/1") == "/a/{x} x=1");
  CHECK(found(router, "/a/1", verb::post) == "/a/{y} y=1");
}

TEST_CASE("a path of more segments than are looked at is not found") {
  Router router = router_of({{verb::get, "/a"}});
  std::string path;
  for (std::size_t i = 0; i < Router::most_segments; ++i) path += "/a";
  REQUIRE(router.add(verb::get, path, nothing).ok());
  CHECK(found(router, path) == path);
  CHECK(found(router, path + "/a") == no(Kind::not_found));
  CHECK(!router.add(verb::get, path + "/a", nothing).ok());
}

TEST_CASE("otherwise takes whatever has no route") {
  Router router = router_of({{verb::get, "/a"}});
  router.otherwise(nothing);
  CHECK(found(router, "/a") == "/a");
  CHECK(found(router, "/b") == "*");
  CHECK(found(router, "/a", verb::put) == "*");
  CHECK(found(router, "/%zz", verb::unknown) == "*");
  CHECK(found(router, "*", verb::options) == "*");
}

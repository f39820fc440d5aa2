#include "allocation_counter.hpp"
#include "router_support.hpp"

using namespace signet::http;
using namespace signet::http::test;

namespace {

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
  CHECK(found(router, "/a", "HEAD") == "/a");
  CHECK(found(router, "/b", "HEAD") == no(Kind::not_allowed));
  CHECK(found(router, "/a", "PUT") == no(Kind::not_allowed));
  CHECK(allow(router, "/a", "PUT") == "GET, POST, HEAD, OPTIONS");
  CHECK(found(router, "/b", "OPTIONS") == no(Kind::options));
  CHECK(allow(router, "/b", "OPTIONS") == "DELETE, OPTIONS");
  CHECK(found(router, "/c", "OPTIONS") == "/c");
  CHECK(allow(router, "/c", "GET") == "OPTIONS");
  CHECK(allow(router, "/d", "PUT") == "HEAD, GET, OPTIONS");
  CHECK(found(router, "*", "OPTIONS") == no(Kind::options));
  CHECK(allow(router, "*", "OPTIONS") == "GET, POST, DELETE, OPTIONS, HEAD");
}

TEST_CASE("HEAD has a route of its own, else GET's handler, and never GET's upload") {
  Router router;
  REQUIRE(router.add(verb::get, "/own", nothing).ok());
  REQUIRE(router.add(verb::head, "/own", nothing).ok());
  REQUIRE(router.add_upload(verb::get, "/upload", take_nothing).ok());
  router.freeze();
  OwnedRegion region;
  CHECK(match_of(router, "HEAD", "/own", *region).route->method == verb::head);
  CHECK(found(router, "/upload") == "/upload");
  CHECK(found(router, "/upload", "HEAD") == no(Kind::not_allowed));
  CHECK(allow(router, "/upload", "HEAD") == "GET, OPTIONS");
}

TEST_CASE("a method that Beast does not list has routes by its name") {
  Router router;
  REQUIRE(router.add("QUERY", "/a", nothing).ok());
  REQUIRE(router.add("query", "/lower", nothing).ok());
  REQUIRE(router.add("GET", "/b", nothing).ok());
  router.freeze();
  CHECK(found(router, "/a", "QUERY") == "/a");
  CHECK(found(router, "/a", "query") == no(Kind::not_allowed));
  CHECK(found(router, "/b", "QUERY") == no(Kind::not_allowed));
  CHECK(found(router, "/c", "QUERY") == no(Kind::not_found));
  CHECK(allow(router, "/a", "GET") == "QUERY, OPTIONS");
  CHECK(allow(router, "*", "OPTIONS") == "QUERY, query, GET, HEAD, OPTIONS");
  CHECK(found(router, "/b", "HEAD") == "/b");
  OwnedRegion region;
  CHECK(match_of(router, "QUERY", "/a", *region).route->method_string == "QUERY");
  CHECK(match_of(router, "GET", "/b", *region).route->method == verb::get);
}

TEST_CASE("a method that neither Beast nor a route names is unknown on every path") {
  const Router router = router_of({{verb::get, "/a"}});
  for (const char* method : {"QUERY", "get", "G", "CONNECT"}) {
    for (const char* path : {"/a", "/b", "*", "/%zz", "a:443"}) {
      CAPTURE(std::string(method) + " " + path);
      CHECK(found(router, path, method) == no(Kind::unknown_method));
    }
  }
  CHECK(found(router, "/a", "M-SEARCH") == no(Kind::not_allowed));
  CHECK(found(router, "/b", "M-SEARCH") == no(Kind::not_found));
}

TEST_CASE("CONNECT is a method like others once a route names it") {
  const Router router = router_of({{verb::connect, "/a"}, {verb::get, "/b"}});
  CHECK(found(router, "/a", "CONNECT") == "/a");
  CHECK(found(router, "/b", "CONNECT") == no(Kind::not_allowed));
  CHECK(found(router, "a:443", "CONNECT") == no(Kind::not_found));
}

TEST_CASE("routes that cannot be are errors of the start") {
  Router router;
  CHECK(fault(router, verb::get, "/a/{x}").empty());
  CHECK(fault(router, verb::post, "/a/{y}").empty());
  CHECK(fault(router, verb::get, "/a/{z}") == "route /a/{z}: the same as /a/{x}");
  CHECK(fault(router, verb::get, "/a/{x}") == "route /a/{x}: the same as /a/{x}");
  for (const char* pattern : {"", "a", "/{}", "/{x", "/x}", "/a{x}", "/{x}{y}", "/{x}/{x}", "/a?b", "/%41",
                              "/{x}a", "/.", "/a/../b"}) {
    CAPTURE(std::string(pattern));
    CHECK(!fault(router, verb::get, pattern).empty());
  }
  CHECK(!fault(router, verb::unknown, "/b").empty());
  CHECK(!router.add(verb::get, "/b", Handler()).ok());
  CHECK(!router.add_upload(verb::get, "/b", UploadHandler()).ok());
  CHECK(router.add_upload(verb::get, "/a/{x}", take_nothing).error() == "route /a/{x}: the same as /a/{x}");
  CHECK(router.add("GET", "/a/{x}", nothing).error() == "route /a/{x}: the same as /a/{x}");
  for (const char* method : {"", "A B", "GET ", "G\xc3\xa9T", "A:"}) {
    CAPTURE(std::string(method));
    CHECK(!router.add(method, "/b", nothing).ok());
  }
}

TEST_CASE("a route is refused whole") {
  Router router;
  CHECK(!router.add("QUERY", "/a/{x}/{x}", nothing).ok());
  router.freeze();
  CHECK(found(router, "/a/1/2", "QUERY") == no(Kind::unknown_method));
}

TEST_CASE("a route has what it was registered with") {
  Router router;
  REQUIRE(router.add(verb::post, "/a", nothing, {.max_body_bytes = 7, .trailers = true}).ok());
  REQUIRE(router.add_upload("PUT", "/a", take_nothing, {.max_body_bytes = 0}).ok());
  router.freeze();
  OwnedRegion region;
  const Route& post = *match_of(router, "POST", "/a", *region).route;
  CHECK((post.handler && !post.upload));
  CHECK(post.options.max_body_bytes == 7);
  CHECK(post.options.trailers);
  const Route& put = *match_of(router, "PUT", "/a", *region).route;
  CHECK((put.upload && !put.handler));
  CHECK(put.options.max_body_bytes == 0);
  CHECK(!put.options.trailers);
}

TEST_CASE("literal segments are found whatever the order they were registered in") {
  Router router;
  const std::vector<std::string> names = {"m", "b", "z", "", "mm", "a", "\xc3\xa4", "B", "l"};
  for (const std::string& name : names) REQUIRE(router.add(verb::get, "/k/" + name, nothing).ok());
  router.freeze();
  for (const std::string& name : names) CHECK(found(router, "/k/" + name) == "/k/" + name);
  for (const char* other : {"/k/c", "/k/mmm", "/k/A", "/k/zz", "/k"}) {
    CHECK(found(router, other) == no(Kind::not_found));
  }
}

TEST_CASE("a path is matched as it is written") {
  const Router router = router_of({{verb::get, "/"},
                                   {verb::get, "/a"},
                                   {verb::get, "/a/b"},
                                   {verb::get, "/a/"},
                                   {verb::get, "/p/{x}/b"},
                                   {verb::get, "/p/{x}"},
                                   {verb::get, "/c"}});
  CHECK(found(router, "/a") == "/a");
  CHECK(found(router, "/a/") == "/a/");
  CHECK(found(router, "/p/...") == "/p/{x} x=...");
  CHECK(found(router, "/p/.a") == "/p/{x} x=.a");
  CHECK(found(router, "/p/..%2Fa") == "/p/{x} x=../a");
  for (const char* path : {"/a//b",   "//a/b",   "//",      "/c/",         "/./a",  "/../a",  "/a/.",
                           "/a/..",   "/a/./b",  "/a/../a", "/p/.",        "/p/..", "/p/%2e", "/p/%2E%2e",
                           "/p/.%2e", "/p/%2e.", "/p/../b", "/p/%2e%2e/b", "/p//b", "/p/"}) {
    CAPTURE(std::string(path));
    CHECK(found(router, path) == no(Kind::not_found));
  }
}

TEST_CASE("parameters of one place have each route's own names") {
  const Router router = router_of({{verb::get, "/a/{x}"}, {verb::post, "/a/{y}"}});
  CHECK(found(router, "/a/1") == "/a/{x} x=1");
  CHECK(found(router, "/a/1", "POST") == "/a/{y} y=1");
}

TEST_CASE("a path of more segments than are looked at is not found") {
  Router router = router_of({{verb::get, "/a"}});
  std::string path;
  for (std::size_t i = 0; i < Router::most_segments; ++i) path += "/a";
  REQUIRE(router.add(verb::get, path, nothing).ok());
  router.freeze();
  CHECK(found(router, path) == path);
  CHECK(found(router, path + "/a") == no(Kind::not_found));
  CHECK(!router.add(verb::get, path + "/a", nothing).ok());
}

TEST_CASE("otherwise takes whatever has no route") {
  Router router = router_of({{verb::get, "/a"}});
  router.otherwise(nothing, {.max_body_bytes = 3});
  router.freeze();
  CHECK(found(router, "/a") == "/a");
  CHECK(found(router, "/b") == "*");
  CHECK(found(router, "/a", "PUT") == "*");
  CHECK(found(router, "/../a") == "*");
  CHECK(found(router, "/%zz", "QUERY") == "*");
  CHECK(found(router, "a:443", "CONNECT") == "*");
  CHECK(found(router, "*", "OPTIONS") == "*");
  OwnedRegion region;
  CHECK(match_of(router, "GET", "/b", *region).route->options.max_body_bytes == 3);
  router.otherwise(Handler());
  router.freeze();
  CHECK(found(router, "/b") == no(Kind::not_found));
}

TEST_CASE("matching allocates nothing but in the region") {
  const Router router = router_of({{verb::get, "/a/{x}/{y}"}, {verb::get, "/a/b/c/d"}});
  OwnedRegion region;
  CHECK(match_of(router, "GET", "/a/b/%41", *region).kind == Kind::found);
  const std::uint64_t before = allocations();
  const Match found = match_of(router, "GET", "/a/b/%41", *region);
  const Match not_found = match_of(router, "GET", "/a/b/c/e", *region);
  const Match unknown = match_of(router, "QUERY", "/a/b/c", *region);
  const std::uint64_t after = allocations();
  CHECK(after == before);
  CHECK(found.parameters.size() == 2);
  CHECK(not_found.kind == Kind::not_found);
  CHECK(unknown.kind == Kind::unknown_method);
}

#include "router_support.hpp"

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

namespace {

// Hooks that are told apart by which one was registered: each adds its letter.
struct Letters {
  std::string called;

  BeforeHook before(char letter) {
    return [this, letter](const Request&, Response&) {
      called += letter;
      return true;
    };
  }
  AfterHook after(char letter) {
    return [this, letter](const Request&, Response&) { called += letter; };
  }

  /// The letters of these hooks, in the order they are listed: those before, '|', those after.
  std::string of(const Hooks& hooks) {
    OwnedRegion region;
    const Request request(RequestHead{}, *region, no_thread);
    const auto cells = std::make_unique<base::SendBuffer>(base::no_record_room);
    Response response(*region, {}, no_thread);
    called.clear();
    for (const BeforeHook* hook : hooks.before) (*hook)(request, response);
    called += '|';
    for (const AfterHook* hook : hooks.after) (*hook)(request, response);
    return called;
  }

  std::string of(const Router& router, std::string_view path, std::string_view method = "GET") {
    OwnedRegion region;
    const Match match = match_of(router, method, path, *region);
    return match.route == nullptr ? "no route" : of(*match.route);
  }
};

}  // namespace

TEST_CASE("a hook is for the patterns under its prefix, by whole segments") {
  Letters letters;
  Router router = router_of({{verb::get, "/"},
                             {verb::get, "/api"},
                             {verb::get, "/api/"},
                             {verb::get, "/api/x/y"},
                             {verb::get, "/apix"},
                             {verb::get, "/v/api"}});
  REQUIRE(router.before("/api", letters.before('a')).ok());
  REQUIRE(router.before("/api/x", letters.before('x')).ok());
  REQUIRE(router.after("/api", letters.after('A')).ok());
  REQUIRE(router.after("/api/x/y", letters.after('Y')).ok());
  router.freeze();
  CHECK(letters.of(router, "/api") == "a|A");
  CHECK(letters.of(router, "/api", "HEAD") == "a|A");
  CHECK(letters.of(router, "/api/") == "a|A");
  CHECK(letters.of(router, "/api/x/y") == "ax|AY");
  for (const char* path : {"/", "/apix", "/v/api"}) CHECK(letters.of(router, path) == "|");
  CHECK(letters.of(router.everywhere()) == "|");
}

TEST_CASE("a parameter in a prefix stands for a parameter, whatever its name") {
  Letters letters;
  Router router = router_of({{verb::get, "/users"},
                             {verb::get, "/users/me"},
                             {verb::get, "/users/{who}"},
                             {verb::get, "/users/{who}/posts"},
                             {verb::post, "/users/{other}/posts"}});
  REQUIRE(router.before("/users/{id}", letters.before('u')).ok());
  REQUIRE(router.before("/users/me", letters.before('m')).ok());
  router.freeze();
  CHECK(letters.of(router, "/users") == "|");
  CHECK(letters.of(router, "/users/me") == "m|");
  CHECK(letters.of(router, "/users/1") == "u|");
  CHECK(letters.of(router, "/users/me/posts") == "u|");
  CHECK(letters.of(router, "/users/1/posts", "POST") == "u|");
}

TEST_CASE("no way of writing a path goes around a hook") {
  Letters letters;
  Router router = router_of({{verb::get, "/admin/{page}"}, {verb::get, "/{any}/x/{page}"}});
  REQUIRE(router.before("/admin", letters.before('a')).ok());
  router.freeze();
  for (const char* path : {"/admin/1", "/%61dmin/1", "/admi%6E/%31", "/admin/%2F", "/admin/a%2f..%2f.."}) {
    CAPTURE(std::string(path));
    CHECK(letters.of(router, path) == "a|");
  }
  for (const char* path : {"//admin/1", "/./admin/1", "/x/../admin/1", "/admin//1", "/Admin/1", "/admin/1/",
                           "/admin%2F1", "/%2e/admin/1", "/x/%2e%2e/admin/1"}) {
    CAPTURE(std::string(path));
    CHECK(letters.of(router, path) == "no route");
  }
}

TEST_CASE("hooks come in order of registration, and routes may be registered before or after them") {
  Letters letters;
  Router router;
  REQUIRE(router.before("/a/b", letters.before('1')).ok());
  REQUIRE(router.add(verb::get, "/a/b", nothing).ok());
  REQUIRE(router.before("/", letters.before('2')).ok());
  REQUIRE(router.after("", letters.after('3')).ok());
  REQUIRE(router.before("/a", letters.before('4')).ok());
  REQUIRE(router.add(verb::get, "/a/c", nothing).ok());
  REQUIRE(router.after("/a/b", letters.after('5')).ok());
  router.freeze();
  CHECK(letters.of(router, "/a/b") == "124|35");
  CHECK(letters.of(router, "/a/c") == "24|3");
  router.freeze();
  CHECK(letters.of(router, "/a/b") == "124|35");
}

TEST_CASE("the hooks of all routes are for requests without one, too") {
  Letters letters;
  Router router = router_of({{verb::get, "/a"}});
  REQUIRE(router.before("/", letters.before('b')).ok());
  REQUIRE(router.before("/a", letters.before('n')).ok());
  REQUIRE(router.after("", letters.after('c')).ok());
  router.otherwise(nothing);
  router.freeze();
  CHECK(letters.of(router.everywhere()) == "b|c");
  CHECK(letters.of(router, "/b") == "b|c");
  CHECK(letters.of(router, "/a") == "bn|c");
}

TEST_CASE("a router that was changed since it was frozen finds nothing") {
  Router router;
  REQUIRE(router.add(verb::get, "/a", nothing).ok());
  CHECK(found(router, "/a") == no(Kind::not_found));
  router.freeze();
  CHECK(found(router, "/a") == "/a");
  REQUIRE(router.before("/", [](const Request&, Response&) { return false; }).ok());
  CHECK(found(router, "/a") == no(Kind::not_found));
  router.freeze();
  REQUIRE(router.after("/", [](const Request&, Response&) {}).ok());
  CHECK(found(router, "/a") == no(Kind::not_found));
  router.freeze();
  REQUIRE(router.add(verb::get, "/b", nothing).ok());
  CHECK(found(router, "/a") == no(Kind::not_found));
  router.freeze();
  router.otherwise(nothing);
  CHECK(found(router, "/a") == no(Kind::not_found));
  CHECK(found(router, "/c") == no(Kind::not_found));
  router.freeze();
  CHECK(found(router, "/c") == "*");
}

TEST_CASE("routes and hooks stay where they are when the router is moved") {
  Letters letters;
  Router router = router_of({{verb::get, "/a"}});
  REQUIRE(router.before("/", letters.before('b')).ok());
  REQUIRE(router.after("/a", letters.after('c')).ok());
  router.otherwise(nothing);
  router.freeze();
  const Router moved = std::move(router);
  CHECK(letters.of(moved, "/a") == "b|c");
  CHECK(letters.of(moved, "/b") == "b|");
  CHECK(letters.of(moved.everywhere()) == "b|");
}

TEST_CASE("prefixes that cannot be are errors of the start") {
  Router router;
  const auto before = [&](std::string_view prefix) {
    const auto added = router.before(prefix, [](const Request&, Response&) { return true; });
    return added.ok() ? "" : added.error();
  };
  for (const char* prefix : {"", "/", "/a", "/a/{x}", "/{x}/{y}/a"}) CHECK(before(prefix).empty());
  CHECK(before("/a/") == "hook of /a/: a prefix does not end with '/'");
  CHECK(before("a") == "hook of a: a pattern begins with '/'");
  for (const char* prefix : {"//", "/{}", "/{x", "/a{x}", "/{x}/{x}", "/a?b", "/%41", "/../a"}) {
    CAPTURE(std::string(prefix));
    CHECK(!before(prefix).empty());
    CHECK(!router.after(prefix, [](const Request&, Response&) {}).ok());
  }
  CHECK(router.before("/a", BeforeHook()).error() == "hook of /a: no function");
  CHECK(!router.after("/a", AfterHook()).ok());
}

// Hooks around handlers, as the peer sees them.
#include <stdexcept>

#include "site.hpp"

using namespace signet::server;
using namespace signet::test;
namespace http = signet::http;
using http::status;

namespace {

struct Hooked : Site {
  std::string order;

  Hooked& before(std::string_view prefix, http::BeforeHook hook) {
    REQUIRE(router.before(prefix, std::move(hook)).ok());
    return *this;
  }
  Hooked& after(std::string_view prefix, http::AfterHook hook) {
    REQUIRE(router.after(prefix, std::move(hook)).ok());
    return *this;
  }
  http::BeforeHook note(char letter) {
    return [this, letter](const http::Request&, http::Response&) {
      order += letter;
      return true;
    };
  }
  http::AfterHook note_after(char letter) {
    return [this, letter](const http::Request&, http::Response&) { order += letter; };
  }
  /// Adds X-After with the answer's status to every answer.
  Hooked& mark() {
    return after("/", [](const http::Request& request, http::Response& response) {
      response.header("X-After", std::to_string(static_cast<unsigned>(response.status())));
      response.header("X-Path", request.path());
    });
  }
};

bool is_marked(std::string_view answer, std::string_view code, std::string_view path) {
  const std::string lines = "X-After: " + std::string(code) + "\r\nX-Path: " + std::string(path) + "\r\n";
  return answer.starts_with("HTTP/1.1 " + std::string(code) + " ") && count_of(answer, "X-After") == 1 &&
         answer.find(lines) < answer.find("\r\n\r\n");
}

}  // namespace

TEST_CASE("hooks run in order of registration around the handler, by prefix") {
  Hooked site;
  site.before("/", site.note('1')).before("/api", site.note('2')).before("/other", site.note('3'));
  site.after("/api", site.note_after('4')).after("/", site.note_after('5'));
  const auto handler = [&](const http::Request&, http::Response&) { site.order += 'h'; };
  site.get("/api/x", handler).get("/x", handler);
  Rig rig(site.settings());
  auto peer = rig.connect();
  const auto order_of = [&](std::string_view target) {
    site.order.clear();
    CHECK(rig.ask(*peer, get_request(target)).starts_with("HTTP/1.1 "));
    return site.order;
  };
  CHECK(order_of("/api/x") == "12h45");
  CHECK(order_of("/x") == "1h5");
  CHECK(order_of("/nowhere") == "15");
  CHECK(order_of("/api/nowhere") == "15");
}

TEST_CASE("a hook that answers ends it: no later hook, no handler, and the body is passed over") {
  Hooked site;
  site.before("/", [](const http::Request& request, http::Response& response) {
    if (request.has("X-Key")) return true;
    response.header("X-Why", "no key");
    response.text(status::unauthorized, "no key\n");
    return false;
  });
  site.before("/", site.note('2')).mark();
  site.add(http::verb::post, "/x", [&](const http::Request&, http::Response&) { site.order += 'h'; });
  Rig rig(site.settings());
  auto peer = rig.connect();
  const std::string lines = "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n";
  const std::string answer = rig.ask(*peer, lines + "\r\nbody");
  CHECK(is_marked(answer, "401", "/x"));
  CHECK(answer.find("X-Why: no key\r\n") != answer.npos);
  CHECK(answer.ends_with("\r\n\r\nno key\n"));
  CHECK(site.order.empty());
  CHECK(is_marked(rig.ask(*peer, lines + "X-Key: k\r\n\r\nbody"), "200", "/x"));
  CHECK(site.order == "2h");

  // A body that is not there yet is not read: the connection ends behind the answer.
  const std::string last = rig.ask(*peer, lines + "\r\nbo");
  CHECK(is_marked(last, "401", "/x"));
  CHECK(last.find("Connection: close\r\n") != last.npos);
  CHECK(peer->at_end());
}

TEST_CASE("a hook that throws has answered 500") {
  Hooked site;
  site.hello();
  site.before("/hello", [](const http::Request& request, http::Response& response) {
    response.header("X-Half", "done");
    response.text(status::ok, "half\n");
    if (request.has("X-Odd")) throw 7;
    throw std::runtime_error("in a hook");
    return true;
  });
  site.mark();
  Rig rig(site.settings());
  auto peer = rig.connect();
  for (const char* lines : {"", "X-Odd: 1\r\n"}) {
    const std::string answer = rig.ask(*peer, get_request("/hello", lines));
    CHECK(is_marked(answer, "500", "/hello"));
    CHECK(count_of(answer, "HTTP/1.1") == 1);
    CHECK(answer.find("alf") == answer.npos);
    CHECK(answer.find("in a hook") == answer.npos);
  }
  CHECK(site.errors ==
        std::vector<std::string>{"/hello: in a hook", "/hello: an exception that is no std::exception"});
}

TEST_CASE("a hook that throws after the handler makes it 500, of which nothing else is left") {
  Hooked site;
  site.hello();
  site.after("/hello", [](const http::Request&, http::Response&) { throw std::runtime_error("after"); });
  Rig rig(site.settings());
  auto peer = rig.connect();
  const std::string answers = rig.ask(*peer, get_request("/hello") + get_request("/hello"));
  CHECK(count_of(answers, "HTTP/1.1 500 ") == 2);
  CHECK(answers.find("hello") == answers.npos);
  CHECK(site.errors.size() == 2);
}

TEST_CASE("a body that a hook wrote before it let the request pass is not sent; its header fields are") {
  Hooked site;
  site.before("/", [](const http::Request&, http::Response& response) {
    response.header("X-Request-Id", "17");
    response.text(status::ok, "a hook's words\n");
    return true;
  });
  site.hello().get("/nothing", [](const http::Request&, http::Response&) {}).get("/later", site.later());
  Rig rig(site.settings());
  auto peer = rig.connect();
  const std::string pipelined = rig.ask(*peer, get_request("/hello") + get_request("/hello"));
  CHECK(count_of(pipelined, "\r\n\r\nhello\n") == 2);
  CHECK(count_of(pipelined, "X-Request-Id: 17\r\n") == 2);
  CHECK(pipelined.find("words") == pipelined.npos);
  const std::string nothing = rig.ask(*peer, get_request("/nothing"));
  CHECK(nothing.find("Content-Length: 0\r\n") != nothing.npos);
  CHECK(body_of(nothing).empty());
  CHECK(body_of(rig.ask(*peer, get_request("/nowhere"))) == "nothing is here\n");
  CHECK(rig.ask(*peer, get_request("/later")).empty());
  site.take().text(status::ok, "late\n");
  const std::string late = rig.listen(*peer);
  CHECK(body_of(late) == "late\n");
  CHECK(late.find("X-Request-Id") == late.npos);  // a late answer is another one: hooks after it mark it
}

TEST_CASE("hooks after the handler add header fields to every kind of answer") {
  static const std::string many(64 * 1024, 'm');
  Hooked site;
  site.mark().hello();
  site.get("/throws", [](const http::Request&, http::Response&) { throw std::runtime_error("no"); });
  site.get("/big", [](const http::Request&, http::Response& response) { response.repeat(many, 100'000); });
  site.get("/own", [](const http::Request&, http::Response& response) { response.own("own"); });
  site.get("/stream", [](const http::Request&, http::Response& response) {
    response.stream([](http::Stream& stream) {
      stream.write("stream");
      stream.end();
    });
  });
  site.get("/faulty", [](const http::Request&, http::Response& response) { response.header("X", "a\nb"); });
  site.get("/later/{x}", site.later());
  Rig rig(site.settings());
  auto peer = rig.connect();
  const auto ask = [&](std::string_view target) { return rig.ask(*peer, get_request(target)); };
  CHECK(is_marked(ask("/hello"), "200", "/hello"));
  CHECK(is_marked(ask("/nowhere"), "404", "/nowhere"));
  CHECK(is_marked(ask("/throws"), "500", "/throws"));
  CHECK(is_marked(ask("/big"), "200", "/big"));
  CHECK(is_marked(ask("/own"), "200", "/own"));
  CHECK(is_marked(ask("/stream"), "200", "/stream"));
  CHECK(is_marked(rig.ask(*peer, "HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n"), "200", "/hello"));
  CHECK(is_marked(rig.ask(*peer, "POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"), "405",
                  "/hello"));
  CHECK(is_marked(rig.ask(*peer, "OPTIONS /hello HTTP/1.1\r\nHost: x\r\n\r\n"), "204", "/hello"));
  CHECK(is_marked(rig.ask(*peer, "ODD /hello HTTP/1.1\r\nHost: x\r\n\r\n"), "501", "/hello"));
  CHECK(ask("/faulty").starts_with("HTTP/1.1 500 "));

  CHECK(ask("/later/sent").empty());
  site.take().text(status::created, "late\n");
  CHECK(is_marked(rig.listen(*peer), "201", "/later/sent"));
  CHECK(ask("/later/dropped").empty());
  site.waiting.clear();
  CHECK(is_marked(rig.listen(*peer), "500", "/later/dropped"));
}

TEST_CASE("a stream's function finds its response finished: nothing changes any more") {
  Site site;
  std::string said;
  site.get("/stream", [&](const http::Request&, http::Response& response) {
    response.stream([&](http::Stream& stream) {
      const bool any = response.status(status::created) || response.header("X-Late", "1") ||
                       response.text(status::ok, "other") || response.own("other") ||
                       response.view("other") || response.repeat("other", 10) || !response.body(5).empty() ||
                       response.stream([](http::Stream&) {});
      response.reset_to_error(status::internal_server_error, "other");
      said += any ? "changed" : "unchanged";
      stream.write("stream");
      stream.end();
    });
  });
  Rig rig(site.settings());
  auto peer = rig.connect();
  const std::string answer = rig.ask(*peer, get_request("/stream"));
  CHECK(answer.starts_with("HTTP/1.1 200 "));
  CHECK(body_of(answer) == "6\r\nstream\r\n0\r\n\r\n");
  CHECK(answer.find("ther") == answer.npos);
  CHECK(said == "unchanged");
}

TEST_CASE("a receiver's response is the same one in each call, and may be kept between them") {
  Site site;
  http::Response* kept = nullptr;
  REQUIRE(site.router
              .add_upload(http::verb::post, "/up",
                          [&](const http::Request&, http::Response& response) -> http::Receiver {
                            kept = &response;
                            return [&](http::Upload& piece, http::Response& same) {
                              CHECK(&same == kept);
                              if (piece.last()) same.text(status::ok, "all\n");
                            };
                          })
              .ok());
  Rig rig(site.settings());
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, "POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n1234").empty());
  CHECK(kept->header("X-Between", "calls"));
  const std::string answer = rig.ask(*peer, "5678");
  CHECK(answer.find("X-Between: calls\r\n") != answer.npos);
  CHECK(answer.ends_with("all\n"));
}

TEST_CASE("a handler that answers twice has answered as it did last; one that never did, 200 and nothing") {
  Site site;
  site.get("/twice", [](const http::Request&, http::Response& response) {
    response.header("X-Kept", "yes");
    response.text(status::created, "first, and longer\n");
    response.json(status::accepted, "{}");
  });
  site.get("/never", [](const http::Request&, http::Response&) {});
  Rig rig(site.settings());
  auto peer = rig.connect();
  const std::string twice = rig.ask(*peer, get_request("/twice"));
  CHECK(twice.starts_with("HTTP/1.1 202 "));
  CHECK(twice.find("X-Kept: yes\r\n") != twice.npos);
  CHECK(body_of(twice) == "{}");
  const std::string never = rig.ask(*peer, get_request("/never"));
  CHECK(never.starts_with("HTTP/1.1 200 "));
  CHECK(never.find("Content-Length: 0\r\n") != never.npos);
  CHECK(body_of(never).empty());
}

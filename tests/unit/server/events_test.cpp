// Server-sent events through a session.
#include "body_support.hpp"

#include <signet/http/events.hpp>

using namespace signet::server;
using namespace signet::test;
namespace http = signet::http;

namespace {

struct News {
  std::vector<std::string> queue;
  http::Waker waker;
  Hosted hosted;

  explicit News(bool tls) : hosted(routes(), tls) {}

  http::Router routes() {
    http::Router router;
    const auto events = [this](const http::Request&, http::Response& response) {
      http::stream_events(response, [this](http::EventStream& stream) {
        waker = stream.waker();
        for (const std::string& text : std::exchange(queue, {}))
          text == "end" ? stream.end() : (void)stream.event(text, "news", "7");
      });
    };
    REQUIRE(router.add(http::verb::get, "/events", events).ok());
    return router;
  }
};

}  // namespace

TEST_CASE("events reach the client as they are told, each in a chunk of its own") {
  for (const bool tls : {false, true}) {
    News t(tls);
    Wire wire(t.hosted);
    t.queue = {"first"};
    const std::string begin = wire.ask("GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(begin.starts_with("HTTP/1.1 200 OK\r\n"));
    CHECK(begin.find("\r\nContent-Type: text/event-stream\r\n") != begin.npos);
    CHECK(begin.find("\r\nCache-Control: no-cache\r\n") != begin.npos);
    CHECK(begin.ends_with("\r\n\r\n1f\r\nevent: news\nid: 7\ndata: first\n\n\r\n"));
    t.queue = {"two\nlines"};
    t.waker.wake();
    CHECK(wire.listen() == "29\r\nevent: news\nid: 7\ndata: two\ndata: lines\n\n\r\n");
    t.queue = {"end"};
    t.waker.wake();
    CHECK(wire.listen() == "0\r\n\r\n");
    t.waker = {};
    CHECK(t.hosted.clean());
  }
}

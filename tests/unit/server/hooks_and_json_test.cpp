// What handlers, hooks and the error callback may look at when the request's body is nowhere, or its octets
// are gone.
#include <stdexcept>

#include "support.hpp"

#include <signet/http/json.hpp>
#include <signet/http/stream.hpp>
#include <signet/http/upload.hpp>

using namespace signet;
using namespace signet::server;
using namespace signet::test;

namespace {

struct Told {
  std::string faults;
  http::Waker waker;
};
Told told;

void answer_json(const http::Request& request, http::Response& response) {
  http::Json json = request.json();
  std::uint64_t value = 0;
  if (const auto error = json.document()["a"].get(value)) return http::json_fault(response, json, error);
  response.text(http::status::ok, std::to_string(value), "\n");
}

/// Gives a piece, rests, and fails when it is woken.
void stream_that_fails(const http::Request&, http::Response& response) {
  response.stream([woken = false](http::Stream& stream) mutable {
    if (woken) throw std::runtime_error("the stream fails");
    woken = true;
    stream.write("a piece");
    told.waker = stream.waker();
  });
}

http::Router routes() {
  http::Router router;
  REQUIRE(router.add(http::verb::post, "/json", answer_json).ok());
  REQUIRE(router.add(http::verb::get, "/hooked", answer_json).ok());
  REQUIRE(router.add(http::verb::get, "/fails", stream_that_fails).ok());
  REQUIRE(router
              .add_upload(http::verb::post, "/upload",
                          [](const http::Request& request, http::Response& response) {
                            answer_json(request, response);
                            return http::Receiver();
                          })
              .ok());
  REQUIRE(router
              .before("/hooked",
                      [](const http::Request& request, http::Response& response) {
                        answer_json(request, response);
                        return false;
                      })
              .ok());
  REQUIRE(router
              .after("/json", [](const http::Request& request,
                                 http::Response&) { (void)request.json().document().error(); })
              .ok());
  return router;
}

class JsonRig {
 public:
  JsonRig() : dispatcher_(routes(), on_error, nullptr), rig(settings()) {}

 private:
  static void on_error(const http::Request& request, std::string_view what) {
    told.faults +=
        std::string(request.method_string()) + " " + std::string(request.path()) + ": " + std::string(what);
  }
  WorkerSettings settings() {
    http_.dispatcher = &dispatcher_;
    http_.checks_host = false;
    WorkerSettings settings = small_settings();
    settings.service = http_service(http_);
    return settings;
  }

  http::Dispatcher dispatcher_;
  HttpService http_;

 public:
  Rig rig;
};

}  // namespace

TEST_CASE("a body that is nowhere holds no JSON") {
  JsonRig t;
  auto peer = t.rig.connect();
  const auto ask = [&](std::string_view text) { return t.rig.ask(*peer, text); };
  CHECK(ask("POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            .find("JSON, octet 0") != std::string::npos);
  CHECK(ask("GET /hooked HTTP/1.1\r\nHost: a\r\n\r\n").find("JSON, octet 0") != std::string::npos);
  CHECK(ask("POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n{\"a\":1}").ends_with("\r\n\r\n1\n"));
  CHECK(ask("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n{\"a\":1}").find("JSON, octet 0") !=
        std::string::npos);
}

TEST_CASE("an after hook that reads JSON leaves the next request as it came") {
  JsonRig t;
  auto peer = t.rig.connect();
  const std::string_view post = "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n{\"a\":5}";
  const std::string answers = t.rig.ask(*peer, std::string(post) + std::string(post) + std::string(post));
  CHECK(count_of(answers, "HTTP/1.1 200") == 3);
  const std::string empty = "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
  const std::string after_empty = t.rig.ask(*peer, empty + std::string(post) + empty + std::string(post));
  CHECK(count_of(after_empty, "HTTP/1.1 200") == 2);
  CHECK(count_of(after_empty, "JSON, octet 0") == 2);
}

TEST_CASE("a stream that fails when its request's octets are gone is told with its target") {
  JsonRig t;
  told = {};
  auto peer = t.rig.connect(), other = t.rig.connect();
  CHECK(t.rig.ask(*peer, "GET /fails HTTP/1.1\r\nHost: a\r\n\r\n").find("a piece") != std::string::npos);
  CHECK(t.rig.worker.inputs().pool().used() == 0);
  (void)t.rig.ask(*other, "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n{\"a\":5}");
  told.waker.wake();
  t.rig.turns();
  CHECK(told.faults == "GET /fails: the stream fails");
  told = {};
}

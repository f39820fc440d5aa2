// Answers that come later, from other threads, as the worker and the peer see them.
#include <stdexcept>
#include <thread>

#include "site.hpp"

#include <signet/http/json.hpp>

using namespace signet::server;
using namespace signet::test;
namespace http = signet::http;
using http::status;

namespace {

/// GET /later/{name} waits for the test.
struct Later : Site {
  Later() { hello().get("/later/{name}", later()); }
};

/// Late answers that were delivered, and those that were not.
struct Counted {
  std::uint64_t delivered, no_ops;
  bool operator==(const Counted&) const = default;
};
Counted counted(Rig& rig) { return {rig.worker.counters().late_answers, rig.worker.counters().late_no_ops}; }

std::unique_ptr<Peer> ask_later(Rig& rig, std::string_view target = "/later/a") {
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, get_request(target)).empty());
  return peer;
}

}  // namespace

TEST_CASE("an answer from another thread, on a connection that goes on") {
  Later site;
  Rig rig(site.settings());
  auto peer = ask_later(rig);
  CHECK(rig.all_free());
  std::thread([&] { site.take().text(status::ok, "late\n"); }).join();
  const std::string answer = rig.listen(*peer);
  CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(answer.ends_with("\r\n\r\nlate\n"));
  CHECK(rig.ask(*peer, get_request("/hello")).ends_with("hello\n"));
  CHECK(counted(rig) == Counted{1, 0});
  CHECK(rig.all_free());
}

TEST_CASE("the copy of a request is whole when its buffer is used by others") {
  Later site;
  site.add(http::verb::post, "/copy/{first}/{second}", site.later(),
           {.max_body_bytes = {}, .trailers = true});
  site.add(http::verb::post, "/other", [](const http::Request&, http::Response&) {});
  Rig rig(site.settings());
  auto peer = rig.connect(), other = rig.connect();
  const std::string head = "POST /copy/a%2Fb/plain?q=%41 HTTP/1.1\r\nHost: copy.test\r\nX-Kept:  kept \r\n";
  const std::string json = "{\"number\": 17}";
  const std::string by_length = head + "Content-Length: 14\r\n\r\n" + json;
  const std::string in_chunks =
      head + "Transfer-Encoding: chunked\r\n\r\n4\r\n{\"nu\r\na\r\nmber\": 17}\r\n0\r\nX-Last: end\r\n\r\n";
  for (const std::string& sent : {by_length, in_chunks}) {
    CHECK(rig.ask(*peer, sent).empty());
    for (int i = 0; i < 3; i++)
      CHECK(rig.ask(*other, "POST /other HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n" +
                                std::string(9000, 'z'))
                .starts_with("HTTP/1.1 200 "));
    http::Responder responder = site.take();
    const http::Request& request = responder.request();
    CHECK(request.method() == http::verb::post);
    CHECK(request.method_string() == "POST");
    CHECK(request.target() == "/copy/a%2Fb/plain?q=%41");
    CHECK(request.path() == "/copy/a%2Fb/plain");
    CHECK(request.query() == "q=%41");
    CHECK(request.header(http::field::host) == "copy.test");
    CHECK(request.header("x-kept") == "kept");
    CHECK(request.headers().size() == 3);
    CHECK(request.param("first") == "a/b");
    CHECK(request.param("second") == "plain");
    CHECK(request.body() == json);
    std::int64_t number = 0;
    {
      auto document = request.json();
      CHECK_FALSE(document.document()["number"].get(number));
    }
    CHECK(number == 17);
    CHECK(request.trailers().size() == (sent == by_length ? 0U : 1U));
    for (const http::Header& trailer : request.trailers()) {
      CHECK(trailer.name == "X-Last");
      CHECK(trailer.value == "end");
    }
    responder.response().view(request.body());
    responder.send();
    CHECK(rig.listen(*peer).ends_with("\r\n\r\n" + json));
  }
  CHECK(rig.all_free());
}

TEST_CASE("pipelined requests wait behind one, in order; their buffer does not give way") {
  Later site;
  WorkerSettings settings = site.settings();
  settings.held = 1;
  Rig rig(settings);
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, get_request("/later/a") + get_request("/later/b") + get_request("/hello")).empty());
  CHECK(site.waiting.size() == 1);
  CHECK(rig.worker.inputs().held_count() == 1);
  CHECK(rig.worker.inputs().first_to_give_way() == nullptr);

  auto half = rig.connect(), second_half = rig.connect();
  CHECK(rig.ask(*half, "GET /hel").empty());
  CHECK(rig.ask(*second_half, "GET /hel").empty());
  CHECK(rig.ended(Cause::gave_way) == 1);
  CHECK(rig.worker.connections() == 2);

  site.take().text(status::ok, "late a\n");
  CHECK(rig.listen(*peer).ends_with("late a\n"));
  CHECK(site.waiting.size() == 1);
  site.take().text(status::ok, "late b\n");
  const std::string rest = rig.listen(*peer);
  CHECK(rest.find("late b\n") < rest.find("hello\n"));
  CHECK(count_of(rest, "HTTP/1.1 200 ") == 2);
  CHECK(counted(rig) == Counted{2, 0});
}

TEST_CASE("while one is out nothing is read, and nothing spins") {
  Later site;
  Rig rig(site.settings());
  auto peer = ask_later(rig);
  peer->send(get_request("/hello"));
  CHECK(turns_in_200ms(rig.worker) <= 12);
  CHECK(rig.worker.counters().requests == 1);
  CHECK(rig.all_free());
  site.take().text(status::ok, "late\n");
  const std::string answers = rig.listen(*peer);
  CHECK(answers.find("late\n") < answers.find("hello\n"));
  CHECK(answers.ends_with("hello\n"));
}

TEST_CASE("one that is dropped unsent answers 500") {
  Later site;
  Rig rig(site.settings());
  auto peer = ask_later(rig);
  site.take().response().text(status::ok, "made, and not sent\n");
  const std::string answer = rig.listen(*peer);
  CHECK(answer.starts_with("HTTP/1.1 500 "));
  CHECK(body_of(answer) == "the server did not answer\n");
  CHECK(rig.ask(*peer, get_request("/hello")).ends_with("hello\n"));
  CHECK(counted(rig) == Counted{1, 0});
}

TEST_CASE("one that is sent twice, moved, assigned or empty answers once") {
  Later site;
  Rig rig(site.settings());
  auto first = ask_later(rig, "/later/1"), second = ask_later(rig, "/later/2");
  http::Responder one = site.take();
  http::Responder moved(std::move(one));
  CHECK_FALSE(one);
  one.text(status::ok, "from nothing\n");
  one.send();
  CHECK(rig.listen(*first).empty());

  moved = site.take();  // the first one is dropped
  CHECK(rig.listen(*first).starts_with("HTTP/1.1 500 "));
  CHECK(moved.request().param("name") == "2");
  moved.json(status::ok, "{}");
  CHECK_FALSE(moved);
  moved.json(status::ok, "[]");
  moved.send();
  moved = http::Responder();
  CHECK(body_of(rig.listen(*second)) == "{}");
  CHECK(counted(rig) == Counted{2, 0});
}

TEST_CASE("of two for one request the first that is sent answers, whichever was made first") {
  Site site;
  site.get("/twice", [&](const http::Request& request, http::Response&) {
    site.waiting.push_back(request.later());
    site.waiting.push_back(request.later());
  });
  Rig rig(site.settings());
  for (const bool at_once : {true, false}) {
    auto peer = rig.connect();
    CHECK(rig.ask(*peer, get_request("/twice")).empty());
    http::Responder made_first = site.take(), made_second = site.take();
    made_second.text(status::ok, "second\n");
    std::string answer;
    if (!at_once) answer = rig.listen(*peer);
    made_first.text(status::ok, "first\n");
    answer += rig.listen(*peer);
    CHECK(body_of(answer) == "second\n");
    CHECK(count_of(answer, "HTTP/1.1") == 1);
  }
  CHECK(counted(rig) == Counted{2, 2});
  CHECK(rig.all_free());
}

TEST_CASE("of an answer that was written before later() was called nothing is sent") {
  Site site;
  site.hello().get("/both", [&](const http::Request& request, http::Response& response) {
    response.header("X-Early", "early");
    response.text(status::created, "early\n");
    site.waiting.push_back(request.later());
    response.text(status::accepted, "early as well\n");
  });
  Rig rig(site.settings());
  auto peer = rig.connect();
  const std::string before = rig.ask(*peer, get_request("/hello") + get_request("/both"));
  CHECK(before.ends_with("hello\n"));
  CHECK(count_of(before, "HTTP/1.1") == 1);
  site.take().text(status::ok, "late\n");
  const std::string answer = rig.listen(*peer);
  CHECK(answer.starts_with("HTTP/1.1 200 "));
  CHECK(answer.ends_with("late\n"));
  CHECK(answer.find("arly") == answer.npos);
}

TEST_CASE("a handler that throws after later() has answered 500; the late answer does nothing") {
  Site site;
  site.get("/throws", [&](const http::Request& request, http::Response&) {
    site.waiting.push_back(request.later());
    throw std::runtime_error("after later()");
  });
  site.get("/drops", [&](const http::Request& request, http::Response&) {
    const http::Responder dropped = request.later();
    throw std::runtime_error("with it");
  });
  Rig rig(site.settings());
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, get_request("/throws")).starts_with("HTTP/1.1 500 "));
  site.take().text(status::ok, "late\n");
  CHECK(rig.listen(*peer).empty());
  const std::string answer = rig.ask(*peer, get_request("/drops"));
  CHECK(answer.starts_with("HTTP/1.1 500 "));
  CHECK(count_of(answer, "HTTP/1.1") == 1);
  CHECK(counted(rig) == Counted{0, 2});
  CHECK(site.errors == std::vector<std::string>{"/throws: after later()", "/drops: with it"});
}

TEST_CASE("an answer within the handler's call is sent as any other") {
  Site site;
  site.get("/now",
           [](const http::Request& request, http::Response&) { request.later().text(status::ok, "now\n"); });
  Rig rig(site.settings());
  auto peer = rig.connect();
  const std::string answers = rig.ask(*peer, get_request("/now") + get_request("/now"));
  CHECK(count_of(answers, "\r\n\r\nnow\n") == 2);
  CHECK(counted(rig) == Counted{2, 0});
}

TEST_CASE("a peer that resets meanwhile is gone, and its answer is a counted no-op") {
  Later site;
  Rig rig(site.settings());
  auto peer = ask_later(rig);
  peer->reset();
  rig.turns();
  CHECK(rig.worker.connections() == 0);
  CHECK(rig.ended(Cause::peer_gone) == 1);
  site.take().text(status::ok, "late\n");
  rig.turns();
  CHECK(counted(rig) == Counted{0, 1});
  CHECK(rig.all_free());
}

TEST_CASE("a peer that closed its half, or all, is not noticed before its answer") {
  Later site;
  Rig rig(site.settings());
  auto half = ask_later(rig), all = ask_later(rig);
  half->finish();
  all->close();
  CHECK(turns_in_200ms(rig.worker) <= 12);
  CHECK(rig.worker.connections() == 2);
  site.take().text(status::ok, "late\n");
  site.take().text(status::ok, "to nobody\n");
  CHECK(rig.listen(*half).ends_with("late\n"));
  CHECK(half->at_end());
  CHECK(rig.worker.connections() == 0);
  CHECK(counted(rig) == Counted{2, 0});
  CHECK(rig.all_free());
}

TEST_CASE("an answer whose place was taken by another connection is for nobody") {
  Later site;
  Rig rig(site.settings());
  auto first = ask_later(rig, "/later/first");
  first->reset();
  rig.turns();
  auto second = ask_later(rig, "/later/second");
  site.take().text(status::ok, "for the first\n");
  CHECK(rig.listen(*second).empty());
  CHECK(counted(rig) == Counted{0, 1});
  site.take().text(status::ok, "for the second\n");
  CHECK(rig.listen(*second).ends_with("for the second\n"));
  CHECK(counted(rig) == Counted{1, 1});
}

TEST_CASE("an answer to a request that is over is not taken for the next one of its connection") {
  Site site;
  site.get("/twice", [&](const http::Request& request, http::Response&) {
    site.waiting.push_back(request.later());
    site.waiting.push_back(request.later());
  });
  Rig rig(site.settings());
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, get_request("/twice")).empty());
  site.take().text(status::ok, "one\n");
  CHECK(rig.listen(*peer).ends_with("one\n"));
  http::Responder left_over = site.take();
  CHECK(rig.ask(*peer, get_request("/twice")).empty());
  left_over.text(status::ok, "for the request before\n");
  CHECK(rig.listen(*peer).empty());
  site.take().text(status::ok, "two\n");
  CHECK(body_of(rig.listen(*peer)) == "two\n");
  site.waiting.clear();
  rig.turns();
  CHECK(counted(rig) == Counted{2, 2});
}

TEST_CASE("late answers are of every kind") {
  Later site;
  Rig rig(site.settings());
  static const std::string many(64 * 1024, 'm');
  auto peer = rig.connect();
  const auto answer_by = [&](const std::string& request, auto&& make) {
    if (peer->at_end()) peer = rig.connect();
    CHECK(rig.ask(*peer, request).empty());
    http::Responder responder = site.take();
    make(responder.response());
    responder.send();
    std::string answer;
    for (int i = 0; i < 20; i++) answer += rig.listen(*peer);
    return answer;
  };
  const auto text = [](http::Response& response) { response.text(status::ok, "late\n"); };
  const auto stream = [](http::Response& response) {
    response.stream([](http::Stream& out) {
      out.write("str");
      out.write("eam");
      out.end();
    });
  };
  const std::string get = get_request("/later/a");
  CHECK(body_of(answer_by(get, [](http::Response& r) { r.own(std::string(100'000, 'o')); })) ==
        std::string(100'000, 'o'));
  CHECK(body_of(answer_by(get, [](http::Response& r) { r.repeat(many, 300'000); })) ==
        std::string(300'000, 'm'));
  CHECK(body_of(answer_by(get, stream)) == "6\r\nstream\r\n0\r\n\r\n");
  const std::string head = answer_by("HEAD /later/a HTTP/1.1\r\nHost: x\r\n\r\n", text);
  CHECK(head.find("Content-Length: 5\r\n") != head.npos);
  CHECK(body_of(head).empty());
  CHECK_FALSE(peer->at_end());

  const std::string closed = answer_by(get_request("/later/a", "Connection: close\r\n"), text);
  CHECK(closed.find("Connection: close\r\n") != closed.npos);
  CHECK(closed.ends_with("late\n"));
  CHECK(peer->at_end());
  const std::string old = answer_by("GET /later/a HTTP/1.0\r\n\r\n", text);
  CHECK(old.find("Connection: close\r\n") != old.npos);
  CHECK(old.ends_with("late\n"));
  CHECK(peer->at_end());
  CHECK(body_of(answer_by("GET /later/a HTTP/1.0\r\n\r\n", stream)) == "stream");
  CHECK(peer->at_end());
  peer->close();
  rig.turns();
  CHECK(counted(rig) == Counted{7, 0});
  CHECK(rig.all_free());
}

TEST_CASE("a late stream that waits goes on when another thread wakes it, and ends with its peer") {
  Later site;
  Rig rig(site.settings());
  http::Waker waker;
  std::string next;
  http::Stream* kept = nullptr;
  const auto answer = [&] {
    http::Responder responder = site.take();
    responder.response().stream([&](http::Stream& stream) {
      kept = &stream;
      waker = stream.waker();
      if (!next.empty()) stream.write(next);
      next.clear();
    });
    responder.send();
  };
  auto peer = ask_later(rig);
  answer();
  CHECK(body_of(rig.listen(*peer)).empty());
  next = "woken";
  std::thread([&] { waker.wake(); }).join();
  CHECK(rig.listen(*peer) == "5\r\nwoken\r\n");
  CHECK_FALSE(kept->write("outside of its call"));
  waker.wake();
  waker.wake();
  CHECK(rig.listen(*peer).empty());
  peer->reset();
  rig.turns();
  waker.wake();
  rig.turns();
  CHECK(rig.worker.connections() == 0);
  CHECK(counted(rig) == Counted{1, 0});  // wakers are not answers
}

TEST_CASE("a stream that fails after its request was let go is reported with its head") {
  Site site;
  http::Waker waker;
  bool fails = false;
  site.hello().get("/stream/{name}", [&](const http::Request&, http::Response& response) {
    response.stream([&](http::Stream& stream) {
      waker = stream.waker();
      if (fails) throw std::runtime_error("in the middle");
    });
  });
  Rig rig(site.settings());
  auto peer = rig.connect(), other = rig.connect();
  CHECK(rig.ask(*peer, get_request("/stream/a")).starts_with("HTTP/1.1 200 "));
  CHECK(rig.ask(*other, get_request("/hello")).ends_with("hello\n"));
  fails = true;
  waker.wake();
  rig.turns();
  CHECK(site.errors == std::vector<std::string>{"/stream/a: in the middle"});
  CHECK(rig.ended(Cause::body_failed) == 1);
}

TEST_CASE("an upload answered later: with its last piece, or before, which ends the connection") {
  Site site;
  REQUIRE(site.router
              .add_upload(http::verb::post, "/early",
                          [&](const http::Request& request, http::Response&) -> http::Receiver {
                            site.waiting.push_back(request.later());
                            return [](http::Upload&, http::Response&) {};
                          })
              .ok());
  REQUIRE(site.router
              .add_upload(http::verb::post, "/last",
                          [&](const http::Request& request, http::Response&) -> http::Receiver {
                            return [&](http::Upload& piece, http::Response&) {
                              if (piece.last()) site.waiting.push_back(request.later());
                            };
                          })
              .ok());
  Rig rig(site.settings());
  auto peer = rig.connect();
  const std::string lines = " HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n";
  CHECK(rig.ask(*peer, "POST /last" + lines + "12345678").empty());
  site.take().text(status::ok, "last\n");
  CHECK(rig.listen(*peer).ends_with("last\n"));
  CHECK(rig.ask(*peer, "POST /early" + lines + "1234").empty());
  site.take().text(status::ok, "early\n");
  const std::string answer = rig.listen(*peer);
  CHECK(answer.find("Connection: close\r\n") != answer.npos);
  CHECK(answer.ends_with("early\n"));
  CHECK(peer->at_end());
  CHECK(counted(rig) == Counted{2, 0});
}

TEST_CASE("a drain waits for late answers; what is sent when the worker is over goes nowhere") {
  Later site;
  auto rig = std::make_unique<Rig>(site.settings());
  auto peer = ask_later(*rig), other = ask_later(*rig);
  REQUIRE(rig->worker.mailbox().send({.kind = Message::Kind::drain}));
  rig->turns();
  CHECK_FALSE(rig->worker.over());
  site.take().text(status::ok, "late\n");
  const std::string answer = rig->listen(*peer);
  CHECK(answer.find("Connection: close\r\n") != answer.npos);
  CHECK(answer.ends_with("late\n"));
  peer->close();
  rig->turns();
  REQUIRE(rig->worker.mailbox().send({.kind = Message::Kind::stop}));
  rig->worker.run();
  CHECK(rig->ended(Cause::stopped) == 1);
  http::Responder left = site.take();
  left.text(status::ok, "too late\n");
  CHECK(counted(*rig) == Counted{1, 0});
}

TEST_CASE("what waits in the box of a worker that ends is removed, and what comes when it is gone") {
  Later site;
  http::Responder after;
  {
    Rig rig(site.settings());
    auto first = ask_later(rig), second = ask_later(rig);
    site.take().text(status::ok, "posted, and never read\n");
    after = site.take();
  }
  CHECK(after.request().param("name") == "a");
  after.text(status::ok, "its worker is gone\n");
  CHECK_FALSE(after);
}

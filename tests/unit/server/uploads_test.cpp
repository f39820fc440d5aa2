// Bodies that a receiver takes piece by piece: as they come, with pauses that reach the client, and with
// every end.
#include <thread>

#include "body_support.hpp"

#include <signet/http/responder.hpp>

using namespace signet::server;
using namespace signet::test;
namespace base = signet::base;
namespace http = signet::http;
using http::Receiver;
using http::Request;
using http::Response;
using http::status;
using http::Upload;
using http::verb;

namespace {

constexpr std::uint64_t much =
    24 * 1024 * 1024;  // more than the kernel keeps for a reader that does not read

/// POST /up takes all; the others are named for what their receiver does.
struct Uploads {
  std::string body;
  int calls = 0, lasts = 0;
  std::shared_ptr<int> receivers = std::make_shared<int>();  // each receiver has one more use of it
  http::Waker waker;
  http::Responder responder;
  Hosted hosted;

  explicit Uploads(bool tls) : hosted(routes(), tls) {}

  [[nodiscard]] long alive() const { return receivers.use_count() - 1; }

  void take(Upload& piece) {
    calls++;
    lasts += piece.last();
    body += piece.data();
  }
  static void answer(Upload& piece, Response& response, const std::string& body) {
    if (piece.last()) response.text(status::ok, "got ", std::to_string(body.size()), "\n");
  }
  /// A route whose receiver is `receive`.
  void add(http::Router& router, std::string_view pattern, std::function<void(Upload&, Response&)> receive,
           http::RouteOptions options = {}) {
    const auto open = [this, receive](const Request&, Response&) -> Receiver {
      return [receive, alive = receivers](Upload& piece, Response& response) { receive(piece, response); };
    };
    REQUIRE(router.add_upload(verb::post, pattern, open, options).ok());
  }

  http::Router routes() {
    http::Router router;
    add(router, "/up", [this](Upload& piece, Response& response) {
      take(piece);
      answer(piece, response, body);
    });
    add_waiting(router);
    add_ends(router);
    add_late(router);
    REQUIRE(router
                .add(verb::get, "/next",
                     [](const Request&, Response& response) { response.text(status::ok, "next\n"); })
                .ok());
    return router;
  }
  void add_waiting(http::Router& router) {
    http::RouteOptions large;
    large.max_body_bytes = much;
    // Takes 10 octets of the first piece, waits, and then takes all.
    const auto wait_once = [this](Upload& piece, Response& response) {
      waker = piece.waker();
      if (calls++ == 0) {
        body += piece.data().substr(0, 10);
        return piece.wait_after(10);
      }
      lasts += piece.last();
      body += piece.data();
      answer(piece, response, body);
    };
    add(router, "/once", wait_once, large);
    // Takes an octet at a time.
    add(router, "/drop", [this](Upload& piece, Response& response) {
      waker = piece.waker();
      calls++;
      body += piece.data().substr(0, 1);
      if (piece.data().size() > 1) return piece.wait_after(1);
      lasts += piece.last();
      answer(piece, response, body);
    });
    // Is woken before it waits.
    add(router, "/early", [this](Upload& piece, Response& response) {
      if (++calls <= 3) {
        piece.waker().wake();
        return piece.wait_after(0);
      }
      body += piece.data();
      answer(piece, response, body);
    });
  }
  void add_ends(http::Router& router) {
    add(router, "/stop", [this](Upload& piece, Response& response) {
      take(piece);
      if (body.size() < 5) return;
      response.text(status::ok, "enough\n");
      piece.stop();
    });
    add(router, "/raise", [this](Upload& piece, Response&) {
      take(piece);
      if (body.size() >= 5) (void)std::string().at(1);
    });
    http::RouteOptions small;
    small.max_body_bytes = 100;
    add(
        router, "/small",
        [this](Upload& piece, Response& response) {
          take(piece);
          answer(piece, response, body);
        },
        small);
    const auto refuse = [](const Request&, Response& response) -> Receiver {
      response.text(status::forbidden, "not for you\n");
      return {};
    };
    const auto raise = [](const Request&, Response&) -> Receiver {
      return (void)std::string().at(1), nullptr;
    };
    REQUIRE(router.add_upload(verb::post, "/refuse", refuse).ok());
    REQUIRE(router.add_upload(verb::post, "/raise/open", raise).ok());
  }
  void add_late(http::Router& router) {
    const auto at_last = [this](const Request& request, Response&) -> Receiver {
      return [this, &request, alive = receivers](Upload& piece, Response&) {
        take(piece);
        if (piece.last()) responder = request.later();
      };
    };
    const auto at_once = [this](const Request& request, Response&) -> Receiver {
      responder = request.later();
      return [this, alive = receivers](Upload& piece, Response&) { take(piece); };
    };
    REQUIRE(router.add_upload(verb::post, "/late", at_last).ok());
    REQUIRE(router.add_upload(verb::post, "/late/open", at_once).ok());
  }

  void check_gone(Wire& wire) {
    check_leaves(hosted, wire);
    CHECK(alive() == 0);
    waker = {};
    CHECK(hosted.clean());
  }
};

}  // namespace

TEST_CASE(
    "uploads of every size, by length and in chunks, in pieces of every size: all of it, and one last piece") {
  for (const bool tls : {false, true}) {
    Uploads t(tls);
    Wire wire(t.hosted);
    for (const std::size_t size : {0u, 1u, 10u, 4000u, 102'400u}) {
      const std::string body = pattern(size);
      for (const std::string& message :
           {by_length("/up", body), in_chunks("/up", body, 700, ";a", "X: y\r\n")}) {
        for (const std::size_t piece : {0u, 1u, 3u, 7u, 1460u}) {
          if (size > 4000 && piece != 0 && piece < 1000) continue;
          CAPTURE(tls);
          CAPTURE(size);
          CAPTURE(piece);
          t.body.clear();
          t.lasts = 0;
          const std::string answers = wire.ask(message + std::string(next_request), piece);
          CHECK(count_of(answers, "HTTP/1.1 200 ") == 2);
          CHECK(answers.find("\r\n\r\ngot " + std::to_string(size) + "\n") != answers.npos);
          CHECK(answers.ends_with("next\n"));
          CHECK((t.body == body));
          CHECK(t.lasts == 1);
          CHECK(t.alive() == 0);
          CHECK(t.hosted.clean());
        }
      }
    }
  }
}

TEST_CASE("every cut of an upload gives the same") {
  for (const bool tls : {false, true}) {
    Uploads t(tls);
    Wire wire(t.hosted);
    for (const std::string& message :
         {by_length("/up", "0123456789"), in_chunks("/up", "0123456789", 4, ";a=b", "X: y\r\n")}) {
      const std::string all = message + std::string(next_request);
      for (std::size_t cut = 1; cut < all.size(); cut++) {
        CAPTURE(cut);
        t.body.clear();
        t.lasts = 0;
        wire.push(std::string_view(all).substr(0, cut));
        t.hosted.rig.turns(2);
        const std::string answers = wire.ask(std::string_view(all).substr(cut));
        CHECK(answers.find("\r\n\r\ngot 10\n") != answers.npos);
        CHECK(answers.ends_with("next\n"));
        CHECK(t.body == "0123456789");
        CHECK(t.lasts == 1);
      }
    }
    CHECK(t.hosted.clean());
  }
}

TEST_CASE("pieces come as they are sent, not when all is there") {
  for (const bool tls : {false, true}) {
    for (const std::string& message : {by_length("/up", "abcdef"), in_chunks("/up", "abcdef", 100)}) {
      Uploads t(tls);
      Wire wire(t.hosted);
      const std::size_t half = message.find("def");
      CHECK(wire.ask(std::string_view(message).substr(0, half)).empty());
      CHECK(t.body == "abc");
      CHECK(t.lasts == 0);
      CHECK(t.hosted.rig.all_free());
      CHECK(wire.ask(std::string_view(message).substr(half)).ends_with("got 6\n"));
      t.check_gone(wire);
    }
  }
}

TEST_CASE(
    "a receiver that waits makes the client wait, costs no turns, and goes on when another thread wakes it") {
  for (const bool tls : {false, true}) {
    Uploads t(tls);
    Wire wire(t.hosted);
    const std::string body = pattern(much);
    wire.push(head_of("/once", "Content-Length: " + std::to_string(much) + "\r\n"));
    std::string_view rest = body;
    rest.remove_prefix(wire.offer(rest));
    CHECK(rest.size() > much / 4);
    CHECK(t.calls == 1);
    CHECK(t.body == body.substr(0, 10));
    CHECK(turns_in_200ms(t.hosted.rig.worker) <= 8);
    t.hosted.rig.pass(600'000);  // it is not the client that is late
    CHECK(t.calls == 1);
    CHECK(t.hosted.rig.worker.connections() == 1);
    wake_from_elsewhere(t.waker);
    while (!rest.empty()) {
      const std::size_t n = wire.offer(rest);
      REQUIRE(n != 0);
      rest.remove_prefix(n);
    }
    std::string answer;
    for (int i = 0; i < 100 && answer.empty(); i++)
      answer = wire.listen();  // megabytes are still on their way
    CHECK(answer.ends_with("got " + std::to_string(much) + "\n"));
    CHECK((t.body == body));
    CHECK(t.lasts == 1);
    t.check_gone(wire);
  }
}

TEST_CASE("a receiver that takes an octet at a time is shown the others again, once for each wake") {
  for (const bool tls : {false, true}) {
    const std::string body = pattern(100);
    for (const std::string& message : {by_length("/drop", body), in_chunks("/drop", body, 30)}) {
      for (const std::size_t piece : {0u, 7u}) {
        Uploads t(tls);
        Wire wire(t.hosted);
        wire.push(message + std::string(next_request), piece);
        CHECK(wire.listen().empty());
        for (int i = 0; i < 200 && t.lasts == 0; i++) {
          const int calls = t.calls;
          t.hosted.rig.turns();
          CHECK(t.calls == calls);
          wake_from_elsewhere(t.waker);
          t.hosted.rig.turns();
          CHECK(t.calls > calls);
        }
        const std::string answers = wire.listen();
        CHECK(answers.find("got 100\n") != answers.npos);
        CHECK(answers.ends_with("next\n"));
        CHECK(t.body == body);
        t.check_gone(wire);
      }
    }
  }
}

TEST_CASE("a wake that comes before the wait is not lost") {
  for (const bool tls : {false, true}) {
    Uploads t(tls);
    Wire wire(t.hosted);
    CHECK(wire.ask(by_length("/early", "abc")).ends_with("got 3\n"));
    CHECK(t.calls == 4);
    CHECK(t.body == "abc");
    t.check_gone(wire);
  }
}

TEST_CASE("stop() answers in the middle and ends the connection; at the end it stays") {
  for (const bool tls : {false, true}) {
    for (const bool all : {false, true}) {
      Uploads t(tls);
      Wire wire(t.hosted);
      const std::string message = by_length("/stop", all ? "12345" : "1234567890");
      const std::string sent =
          all ? message + std::string(next_request) : message.substr(0, message.size() - 3);
      const std::string answers = wire.ask(sent);
      CHECK(answers.find("\r\n\r\nenough\n") != answers.npos);
      CHECK(wire.at_end() != all);
      CHECK(answers.ends_with("next\n") == all);
      CHECK((answers.find("\r\nConnection: close\r\n") == answers.npos) == all);
      t.check_gone(wire);
    }
  }
}

TEST_CASE("without a receiver the response is the answer, and a body that comes is not read") {
  for (const bool tls : {false, true}) {
    for (const bool empty : {false, true}) {
      Uploads t(tls);
      Wire wire(t.hosted);
      const std::string answers = wire.ask(empty ? by_length("/refuse", "") + std::string(next_request)
                                                 : by_length("/refuse", "abc"));
      CHECK(answers.starts_with("HTTP/1.1 403 "));
      CHECK(answers.find("not for you\n") != answers.npos);
      CHECK(answers.ends_with("next\n") == empty);
      CHECK(wire.at_end() != empty);
      CHECK_FALSE(wire.was_reset());
      t.check_gone(wire);
    }
  }
}

TEST_CASE("a receiver or upload handler that raises an exception answers 500, and the connection ends") {
  for (const bool tls : {false, true}) {
    for (const char* target : {"/raise", "/raise/open"}) {
      for (const std::size_t left_out : {0u, 3u}) {
        Uploads t(tls);
        Wire wire(t.hosted);
        const std::string message = by_length(target, "1234567890");
        CHECK(wire.ask(message.substr(0, message.size() - left_out)).starts_with("HTTP/1.1 500 "));
        CHECK(wire.at_end());
        CHECK_FALSE(wire.was_reset());
        CHECK(t.hosted.faults.size() == 1);
        t.check_gone(wire);
      }
    }
  }
}

TEST_CASE("a client that goes away in the middle: no last piece, and the receiver is gone") {
  for (const bool tls : {false, true}) {
    for (const std::string& message : {by_length("/up", "1234567890"), in_chunks("/up", "1234567890", 5)}) {
      for (const bool resets : {false, true}) {
        Uploads t(tls);
        Wire wire(t.hosted);
        wire.push(message.substr(0, message.size() - 3));
        t.hosted.rig.turns();
        CHECK(t.alive() == 1);
        if (resets) wire.reset();
        t.check_gone(wire);
        CHECK(t.lasts == 0);
      }
    }
  }
}

TEST_CASE("a client that is reset while a receiver waits for a wake") {
  for (const bool tls : {false, true}) {
    Uploads t(tls);
    Wire wire(t.hosted);
    wire.push(by_length("/drop", "1234567890"));
    t.hosted.rig.turns();
    CHECK(t.alive() == 1);
    wire.reset();
    CHECK(t.alive() == 0);
    CHECK(t.hosted.rig.worker.connections() == 0);
    wake_from_elsewhere(t.waker);  // nobody is there
    t.hosted.rig.turns();
    CHECK(t.calls == 1);
    t.check_gone(wire);
  }
}

TEST_CASE("413 and 408 for an upload: the receiver sees no last piece") {
  for (const bool tls : {false, true}) {
    Uploads declared(tls), chunks(tls), late(tls);
    Wire one(declared.hosted), two(chunks.hosted), three(late.hosted);
    CHECK(one.ask(by_length("/small", pattern(101))).starts_with("HTTP/1.1 413 "));
    CHECK(declared.calls == 0);
    CHECK(two.ask(in_chunks("/small", pattern(101), 50)).starts_with("HTTP/1.1 413 "));
    CHECK(chunks.body.size() == 100);
    const std::string message = by_length("/up", "1234567890");
    CHECK(three.ask(message.substr(0, message.size() - 3)).empty());
    late.hosted.rig.pass(30'001);
    CHECK(three.listen().starts_with("HTTP/1.1 408 "));
    for (Uploads* t : {&declared, &chunks, &late}) CHECK(t->lasts == 0);
    declared.check_gone(one);
    chunks.check_gone(two);
    late.check_gone(three);
  }
}

TEST_CASE("an upload that is answered later: behind the last piece, and the next request waits its turn") {
  for (const bool tls : {false, true}) {
    for (const std::string& message : {by_length("/late", "abc"), in_chunks("/late", "abc", 2)}) {
      Uploads t(tls);
      Wire wire(t.hosted);
      CHECK(wire.ask(message + std::string(next_request)).empty());
      CHECK(t.lasts == 1);
      REQUIRE(t.responder);
      std::thread([&] { t.responder.text(status::ok, "late ", t.responder.request().path(), "\n"); }).join();
      const std::string answers = wire.listen();
      CHECK(count_of(answers, "HTTP/1.1 200 ") == 2);
      CHECK(answers.find("late /late\n") < answers.find("next\n"));
      CHECK(t.hosted.rig.worker.counters().late_answers == 1);
      t.check_gone(wire);
    }
  }
}

TEST_CASE(
    "an upload that was to be answered later may be answered before its end; the connection ends then") {
  for (const bool tls : {false, true}) {
    Uploads t(tls);
    Wire wire(t.hosted);
    const std::string message = by_length("/late/open", "1234567890");
    CHECK(wire.ask(message.substr(0, message.size() - 3)).empty());
    CHECK(t.body == "1234567");
    std::thread([&] { t.responder.text(status::conflict, "no more\n"); }).join();
    const std::string answer = wire.listen();
    CHECK(answer.starts_with("HTTP/1.1 409 "));
    CHECK(answer.find("\r\nConnection: close\r\n") != answer.npos);
    CHECK(wire.at_end());
    CHECK(t.lasts == 0);
    t.check_gone(wire);
  }
}

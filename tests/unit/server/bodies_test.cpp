// Request bodies that a handler gets whole: where they lie, and that it makes no difference how they come.
#include "body_support.hpp"

#include <signet/base/recv_buffer.hpp>
#include <signet/http/json.hpp>
#include <signet/tls/record_layout.hpp>

using namespace signet::server;
using namespace signet::test;
namespace http = signet::http;
using http::status;
using http::verb;

namespace {

struct Taken {
  std::string body, trailers;
  std::size_t memory = 0;  // of the worker's bodies, while the handler ran
  bool operator==(const Taken&) const = default;
};

/// POST /body and /kept note what they get, /json reads a number; GET /next.
struct Bodies {
  std::vector<Taken> taken;
  Hosted hosted;

  explicit Bodies(bool tls, const Hosted::Tweak& tweak = {}) : hosted(routes(), tls, tweak) {}

  http::Router routes() {
    http::Router router;
    const auto note = [this](const http::Request& request, http::Response& response) {
      Taken got{std::string(request.body()), {}, hosted.rig.worker.body_memory().used()};
      for (const http::Header& trailer : request.trailers())
        got.trailers += std::string(trailer.name) + "=" + std::string(trailer.value) + ";";
      taken.push_back(std::move(got));
      response.text(status::ok, "took ", std::to_string(request.body().size()), "\n");
    };
    http::RouteOptions keeps;
    keeps.trailers = true;
    REQUIRE(router.add(verb::post, "/body", note).ok());
    REQUIRE(router.add(verb::post, "/kept", note, keeps).ok());
    REQUIRE(router.add(verb::post, "/json", read_number).ok());
    REQUIRE(
        router
            .add(verb::get, "/next",
                 [](const http::Request&, http::Response& response) { response.text(status::ok, "next\n"); })
            .ok());
    return router;
  }
  static void read_number(const http::Request& request, http::Response& response) {
    http::Json json = request.json();
    std::int64_t number = 0;
    if (const auto error = json.document().get_int64().get(number))
      return http::json_fault(response, json, error);
    response.text(status::ok, "number ", std::to_string(number), "\n");
  }

  /// What came last, when it is all that came.
  Taken one() {
    REQUIRE(taken.size() == 1);
    Taken got = std::move(taken.front());
    taken.clear();
    return got;
  }
};

bool both_answered(std::string_view answers, std::string_view first) {
  return count_of(answers, "HTTP/1.1 200 OK\r\n") == 2 && answers.find(first) != answers.npos &&
         answers.find(first) < answers.find("next\n") && answers.ends_with("\r\n\r\nnext\n");
}

void check_way(Bodies& t, Wire& wire, const std::string& message, const std::string& body,
               std::string_view trailers, std::size_t piece) {
  CAPTURE(t.hosted.tls);
  CAPTURE(body.size());
  CAPTURE(piece);
  const std::string answers = wire.ask(message + std::string(next_request), piece);
  CHECK(both_answered(answers, "took " + std::to_string(body.size()) + "\n"));
  const Taken got = t.one();
  CHECK((got.body == body));
  CHECK(got.trailers == trailers);
  CHECK(t.hosted.clean());
}

// What one octet at a time is not worth the time for.
constexpr std::size_t long_body = 40 * 1024;

}  // namespace

TEST_CASE("bodies by Content-Length of every size in pieces of every size, with a request behind them") {
  for (const bool tls : {false, true}) {
    Bodies t(tls);
    Wire wire(t.hosted);
    for (const std::size_t size : {0u, 1u, 2u, 1000u, 16'000u, 18'000u, 34'000u, 102'400u, 1'048'576u}) {
      const std::string body = pattern(size);
      for (const std::size_t piece : {0u, 1u, 3u, 7u, 1460u, 16'000u}) {
        if (size > long_body && piece != 0 && piece < 1000) continue;
        check_way(t, wire, by_length("/body", body), body, "", piece);
      }
    }
    wire.close();
    CHECK(t.hosted.rig.worker.connections() == 0);
  }
}

TEST_CASE("bodies in chunks: small ones and large ones, with extensions; trailers are dropped") {
  for (const bool tls : {false, true}) {
    Bodies t(tls);
    Wire wire(t.hosted);
    for (const std::size_t size : {0u, 1u, 300u, 20'000u, 102'400u, 1'048'576u}) {
      const std::string body = pattern(size);
      for (const std::size_t chunk : {1u, 7u, 4096u, 16'384u, 200'000u}) {
        if (size > long_body && chunk < 1000) continue;
        const std::string_view extension = size / chunk < 300 ? ";a=b;c=\"d e\"" : "";
        const std::string message = in_chunks("/body", body, chunk, extension, "X-Sum: 1\r\nX-More: 2\r\n");
        for (const std::size_t piece : {0u, 1u, 3u, 7u, 1460u}) {
          if ((size > 1000 && piece != 0 && piece < 1000) && !(chunk == 4096 && size <= long_body)) continue;
          check_way(t, wire, message, body, "", piece);
        }
      }
    }
  }
}

TEST_CASE("trailers are kept where the route asks for them, but for those that come too late") {
  for (const bool tls : {false, true}) {
    Bodies t(tls);
    Wire wire(t.hosted);
    const std::string body = pattern(500);
    const std::string message =
        in_chunks("/kept", body, 100, "", "X-Sum:  1 \r\nContent-Length: 7\r\nHost: y\r\nx-more:2\r\n");
    for (const std::size_t piece : {0u, 1u, 3u, 7u})
      check_way(t, wire, message, body, "X-Sum=1;x-more=2;", piece);
  }
}

TEST_CASE("every cut of a request with a body gives the same answers") {
  const std::string messages[] = {
      by_length("/body", "0123456789"),
      in_chunks("/body", "0123456789abcdef", 5, ";x=y", "A: b\r\n"),
      in_chunks("/kept", "0123456789abcdef", 16, "", "A: b\r\n"),
      in_chunks("/json", "12", 1),
  };
  for (const bool tls : {false, true}) {
    Bodies t(tls);
    Wire wire(t.hosted);
    for (const std::string& message : messages) {
      const std::string all = message + std::string(next_request);
      const std::string whole = without_dates(wire.ask(all));
      const std::vector<Taken> taken = std::exchange(t.taken, {});
      CHECK(count_of(whole, "HTTP/1.1 200 OK") == 2);
      for (std::size_t cut = 1; cut < all.size(); cut++) {
        CAPTURE(cut);
        wire.push(std::string_view(all).substr(0, cut));
        t.hosted.rig.turns(2);
        CHECK(without_dates(wire.ask(std::string_view(all).substr(cut))) == whole);
        for (Taken& one : t.taken) one.memory = taken.front().memory;
        CHECK(std::exchange(t.taken, {}) == taken);
        CHECK(t.hosted.clean());
      }
    }
  }
}

TEST_CASE("behind a split head the body stays in the receive buffer as long as it fits, and no longer") {
  for (const bool tls : {false, true}) {
    // Over TLS the first record's plaintext begins behind its header.
    const std::size_t begin = tls ? signet::tls::record_header_bytes : 0;
    const std::size_t head = head_of("/body", "Content-Length: 10000\r\n").size();
    const std::size_t most =
        signet::base::RecvBuffer::capacity - signet::tls::max_record_bytes - head - begin;
    for (const std::size_t more : {0u, 1u}) {
      for (const std::size_t piece : {0u, 1u, 3u, 7u}) {
        CAPTURE(tls);
        CAPTURE(more);
        CAPTURE(piece);
        Bodies t(tls);
        Wire wire(t.hosted);
        const std::string body = pattern(most + more);
        const std::string message = by_length("/body", body);
        REQUIRE(message.size() == head + body.size());
        wire.push(std::string_view(message).substr(0, head));  // the head and nothing of the body
        wire.push(std::string_view(message).substr(head), piece);
        CHECK(both_answered(wire.ask(next_request), "took "));
        const Taken got = t.one();
        CHECK((got.body == body));
        CHECK((got.memory != 0) == (more != 0));
        CHECK(t.hosted.clean());
      }
    }
  }
}

TEST_CASE("a JSON body of every kind is read without a look at the request behind it") {
  const std::string blanks(60'000, ' ');
  const std::string messages[] = {
      by_length("/json", "12"),           // in the receive buffer
      by_length("/json", blanks + "12"),  // in a body buffer
      in_chunks("/json", "12", 1),        // the like, in chunks
      in_chunks("/json", blanks + "12", 5000),
  };
  for (const bool tls : {false, true}) {
    Bodies t(tls);
    Wire wire(t.hosted);
    for (const std::string& message : messages) {
      CAPTURE(message.size());
      for (const std::size_t piece : {0u, 1000u, 1461u}) {
        CHECK(both_answered(wire.ask(message + std::string(next_request), piece), "number 12\n"));
        CHECK(t.hosted.clean());
      }
    }
  }
}

TEST_CASE("a JSON body without an octet is a fault of the client and of nobody else") {
  for (const bool tls : {false, true}) {
    Bodies t(tls);
    Wire wire(t.hosted);
    for (const std::string& message : {by_length("/json", ""), in_chunks("/json", "", 1)}) {
      for (const std::size_t piece : {0u, 1u}) {
        const std::string answers = wire.ask(message + std::string(next_request), piece);
        CHECK(answers.starts_with("HTTP/1.1 400 Bad Request\r\n"));
        CHECK(answers.find("\r\n\r\nJSON, octet 0: ") != answers.npos);
        CHECK(answers.ends_with("next\n"));
        CHECK(t.hosted.clean());
      }
    }
  }
}

TEST_CASE("a body that a client leaves unfinished is not served") {
  for (const bool tls : {false, true}) {
    for (const std::string& message : {by_length("/body", pattern(100)), by_length("/body", pattern(50'000)),
                                       in_chunks("/body", pattern(50'000), 1000)}) {
      for (const bool resets : {false, true}) {
        Bodies t(tls);
        Wire wire(t.hosted);
        wire.push(std::string_view(message).substr(0, message.size() - 5));
        CHECK(wire.listen().empty());
        resets ? wire.reset() : wire.close();
        t.hosted.rig.pass(3000);  // one that lingers
        CHECK(t.taken.empty());
        CHECK(t.hosted.rig.worker.connections() == 0);
        CHECK(t.hosted.clean());
      }
    }
  }
}

#include <optional>

#include "box_support.hpp"

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

namespace {

/// A request whose octets the test can spoil.
struct Asked : Reachable, ReadHead {
  Request request;

  Asked()
      : ReadHead("POST /a%20b?q HTTP/1.1\r\nHost: h\r\nX-One: 1\r\n\r\nthe body"),
        request(head, *region, exchange) {
    request.set_body(behind());
  }
};

Late& late_of(base::Posted* message) {
  REQUIRE(message != nullptr);
  return static_cast<Late&>(*message);
}

}  // namespace

TEST_CASE("a responder is addressed to its exchange, which gets a number then") {
  Asked asked;
  CHECK(asked.exchange.exchange() == 0);
  {
    Responder first = asked.request.later();
    CHECK(asked.request.is_late());
    CHECK(asked.exchange.exchange() == 1);
    Responder second = asked.request.later();
    CHECK(asked.exchange.exchange() == 1);  // one exchange, one number
    first.send();
    Late& late = late_of(asked.one());
    CHECK(late.answers);
    CHECK(late.session == 3);
    CHECK(late.exchange == 1);
    late.close();
  }
  late_of(asked.one()).close();
  Awaited other(asked.worker, 4);
  base::Posted message;
  other.address(message);
  CHECK(message.exchange == 2);
  CHECK(message.session == 4);
}

TEST_CASE("its copy of the request has octets of its own") {
  Asked asked;
  Responder responder = asked.request.later();
  asked.spoil();
  const Request& copy = responder.request();
  CHECK(copy.target() == "/a%20b?q");
  CHECK(copy.path() == "/a%20b");
  CHECK(copy.query() == "q");
  CHECK(copy.header(field::host) == "h");
  CHECK(copy.header("x-one") == "1");
  CHECK(copy.body() == "the body");
  for (std::size_t i = 0; i < PaddedBody::padding; i++) CHECK(copy.body().data()[8 + i] == '\0');
  responder.text(status::ok, "seen");
  late_of(asked.one()).close();
}

TEST_CASE("one that is dropped posts 500, one that was sent posts nothing more") {
  Asked asked;
  { const Responder dropped = asked.request.later(); }
  Late& late = late_of(asked.one());
  CHECK(late.response().status() == status::internal_server_error);
  late.close();
  {
    Responder sent = asked.request.later();
    sent.text(status::created, "made");
    CHECK_FALSE(sent);
    sent.text(status::ok, "again");
    sent.json(status::ok, "again");
    sent.send();
  }
  Late& made = late_of(asked.one());
  CHECK(made.response().status() == status::created);
  made.close();
}

TEST_CASE("assignment drops what was there, but not when it is its own") {
  Asked asked;
  Responder first = asked.request.later(), second = asked.request.later();
  Responder& same = first;
  first = std::move(same);
  CHECK(first);
  CHECK(asked.one() == nullptr);
  first = std::move(second);
  CHECK(first);
  CHECK_FALSE(second);
  Late& dropped = late_of(asked.one());
  CHECK(dropped.response().status() == status::internal_server_error);
  dropped.close();
  first = Responder();
  CHECK_FALSE(first);
  late_of(asked.one()).close();
}

TEST_CASE("without a box, or with one that is shut, it goes nowhere and nothing leaks") {
  Asked asked;
  Responder early = asked.request.later();
  asked.worker.box->shut();
  early.text(status::ok, "for nobody");
  { const Responder dropped = asked.request.later(); }
  CHECK(asked.one() == nullptr);
  const Request nowhere(asked.request.head(), *asked.region, no_thread);
  Responder alone = nowhere.later();
  CHECK(alone.request().path() == "/a%20b");
  alone.text(status::ok, "for nobody");
}

TEST_CASE("a message that cannot be delivered is dropped with its region") {
  Asked asked;
  Responder responder = asked.request.later();
  responder.response().own(std::string(100'000, 'x'));
  responder.send();
  base::Posted* message = asked.one();
  REQUIRE(message != nullptr);
  message->drop(*message);
}

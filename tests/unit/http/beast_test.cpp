#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/beast.hpp>

using namespace signet::http;
using namespace signet::http::test;
using signet::BeastRequest;
using signet::BeastResponse;
namespace base = signet::base;

namespace {

/// What `use(request)` sees of a request with this body.
template <class Use>
void with_request(std::string_view head, std::string_view body, Use&& use) {
  ReadHead read(std::string(head) + std::string(body));
  Request request(read.head, *read.region, no_thread);
  request.set_body(read.behind());
  use(request);
}

struct Answered {
  bool taken = false;
  bool keep_alive = false;
  std::string octets;
  std::string fault;
};

Answered answered(BeastResponse message, const ResponseFacts& facts = {}) {
  OwnedRegion region;
  const auto cells = std::make_unique<base::SendBuffer>(base::no_record_room);
  Response response(*region, facts, no_thread);
  response.attach(*cells, {"(date)", "Keep-Alive: timeout=75\r\n"});
  Answered answered;
  answered.taken = signet::answer(response, std::move(message));
  response.finish();
  answered.keep_alive = response.keep_alive();
  answered.octets = base::as_text(cells->cell());
  answered.fault = response.fault();
  return answered;
}

}  // namespace

TEST_CASE("a request as Beast's message: fields copied, the body where it is") {
  with_request(
      "POST /a?b=c HTTP/1.1\r\nhost: a\r\nX-One: 1\r\nx-one: 2\r\nContent-Length: 5\r\nAccept: */*\r\n\r\n",
      "12345", [](const Request& request) {
        const BeastRequest message = signet::to_beast(request);
        CHECK(message.method() == verb::post);
        CHECK(std::string_view(message.target()) == "/a?b=c");
        CHECK(message.version() == 11);
        CHECK(message.body().data() == request.body().data());
        CHECK(message.body().size() == 5);
        CHECK(std::string_view(message[field::accept]) == "*/*");
        CHECK(std::string_view(message["X-ONE"]) == "1");
        CHECK(message.count("x-one") == 2);
        std::string all;
        for (const auto& line : message)
          all += std::string(line.name_string()) + "=" + std::string(line.value()) + "|";
        CHECK(all == "host=a|X-One=1|x-one=2|Content-Length=5|Accept=*/*|");
        CHECK(message.keep_alive());
      });
}

TEST_CASE("a method that Beast does not list, HTTP/1.0, and no body") {
  with_request("QUERY /q HTTP/1.0\r\nConnection: close\r\n\r\n", "", [](const Request& request) {
    const BeastRequest message = signet::to_beast(request);
    CHECK(message.method() == verb::unknown);
    CHECK(std::string_view(message.method_string()) == "QUERY");
    CHECK(message.version() == 10);
    CHECK(message.body().empty());
    CHECK(!message.keep_alive());
  });
}

TEST_CASE("an answer by Beast's message: framing fields are the server's, all others are copied") {
  BeastResponse message(status::created, 11);
  message.set(field::content_type, "text/x-test");
  message.set("x-other", "1");
  message.insert(field::set_cookie, "a=1");
  message.insert(field::set_cookie, "b=2");
  message.set(field::date, "then");
  message.set(field::keep_alive, "timeout=1");
  message.keep_alive(true);
  message.set(field::connection, "keep-alive");
  message.chunked(true);
  message.body() = "body\n";
  const Answered got = answered(std::move(message));
  CHECK(got.taken);
  CHECK(got.fault.empty());
  CHECK(got.keep_alive);
  CHECK(
      got.octets ==
      "HTTP/1.1 201 Created\r\nDate: (date)\r\nContent-Type: text/x-test\r\nx-other: 1\r\nSet-Cookie: a=1\r\n"
      "Set-Cookie: b=2\r\nContent-Length: 5\r\nKeep-Alive: timeout=75\r\n\r\nbody\n");
}

TEST_CASE("prepare_payload's length is not said twice, and HEAD keeps it") {
  BeastResponse message;
  message.body() = "body";
  message.prepare_payload();
  const std::string get = answered(message).octets;
  CHECK(get.ends_with("Content-Length: 4\r\nKeep-Alive: timeout=75\r\n\r\nbody"));
  CHECK(get.find("Content-Length") == get.rfind("Content-Length"));
  CHECK(answered(std::move(message), {.head_only = true}).octets == get.substr(0, get.size() - 4));
}

TEST_CASE("the body is moved: its octets are sent from where they were") {
  BeastResponse message;
  message.body() = std::string(100'000, 'b');
  const char* place = message.body().data();
  OwnedRegion region;
  const auto cells = std::make_unique<base::SendBuffer>(base::no_record_room);
  Response response(*region, {}, no_thread);
  response.attach(*cells, {});
  CHECK(signet::answer(response, std::move(message)));
  response.finish();
  CHECK(reinterpret_cast<const char*>(response.next(10).data()) == place);
  CHECK(response.remaining() == 100'000);
}

TEST_CASE("Connection: close closes") {
  BeastResponse message;
  message.keep_alive(false);
  const Answered got = answered(std::move(message));
  CHECK(!got.keep_alive);
  CHECK(got.octets.ends_with("Connection: close\r\n\r\n"));
}

TEST_CASE("what a response refuses makes the answer 500, whatever stands in the message") {
  BeastResponse status_of_100(status::continue_, 11);
  CHECK(!answered(std::move(status_of_100)).taken);
  BeastResponse upgrade;
  upgrade.set(field::upgrade, "websocket");
  const Answered got = answered(std::move(upgrade));
  CHECK(!got.taken);
  CHECK(got.octets.starts_with("HTTP/1.1 500 "));
  CHECK(got.fault == "a header field that the server writes itself");
  BeastResponse line_end;
  line_end.set("X-Test", "a\r\nSet-Cookie: b");
  CHECK(answered(std::move(line_end)).fault == "a control character in a header field");
}

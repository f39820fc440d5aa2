#include "allocation_counter.hpp"
#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/dispatch.hpp>
#include <signet/http/json.hpp>

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

namespace {

/// A receive buffer as a session has it, with these octets, and the first request in it.
struct Received {
  std::unique_ptr<base::RecvBuffer> buffer = std::make_unique<base::RecvBuffer>();
  OwnedRegion region;
  Parser parser;
  RequestHead head;
  std::optional<Request> request;

  explicit Received(std::string_view octets) {
    std::memcpy(buffer->room(octets.size()).data(), octets.data(), octets.size());
    buffer->received(octets.size());
    buffer->accept_plain();
    REQUIRE(parser.parse(buffer->plaintext(), Limits{}, *region, head) == Parser::State::complete);
    request.emplace(head, *region, no_thread);
    request->set_body(body());
  }
  [[nodiscard]] base::MutBytes body() const {
    return buffer->plaintext().subspan(parser.head_bytes(), head.content_length);
  }
  [[nodiscard]] std::string_view behind_body() const {
    return base::as_text(buffer->plaintext().subspan(parser.head_bytes() + head.content_length));
  }
};

std::string post(std::string_view body) {
  return "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

void greet(const Request& request, Response& response) {
  Json json = request.json();
  std::string_view name;
  if (const auto error = json.document()["name"].get_string().get(name))
    return json_fault(response, json, error);
  response.json(status::ok, "{\"hello\":\"", name, "\"}");
}

Dispatcher dispatcher() {
  Router router;
  REQUIRE(router.add(verb::post, "/json", greet).ok());
  REQUIRE(router
              .add(verb::get, "/hello/{name}",
                   [](const Request& request, Response& response) {
                     response.text(status::ok, "hello ", request.param("name"), "\n");
                   })
              .ok());
  REQUIRE(router
              .add(verb::post, "/throw",
                   [](const Request& request, Response&) {
                     [[maybe_unused]] const Json json = request.json();
                     throw std::runtime_error("with blanks behind the body");
                   })
              .ok());
  return {std::move(router), nullptr, nullptr};
}

std::string answer(std::string_view body, std::string_view behind = "") {
  Received received(post(body) + std::string(behind));
  const auto cells = std::make_unique<base::SendBuffer>(base::no_record_room);
  Response response(*received.region, {}, no_thread);
  serve(dispatcher(), *received.request, received.body(), response, *cells);
  CHECK(received.behind_body() == behind);
  const std::string sent(base::as_text(cells->cell()));
  return sent.substr(9, 3) + " " + sent.substr(sent.find("\r\n\r\n") + 4);
}

}  // namespace

TEST_CASE("JSON is read where the body was received") {
  Received received(post(R"({"list":123})"));
  const std::string_view octets = received.request->body();
  CHECK(reinterpret_cast<const std::uint8_t*>(octets.data()) ==
        received.buffer->plaintext().data() + received.parser.head_bytes());
  Json json = received.request->json();
  std::string_view raw;
  REQUIRE(json.document()["list"].raw_json_token().get(raw) == simdjson::SUCCESS);
  CHECK(raw == "123");
  CHECK(raw.data() == octets.data() + 8);
}

TEST_CASE("a handler's answer from JSON") {
  CHECK(answer(R"({"other":{"name":"no"},"name":"bob"})") == "200 {\"hello\":\"bob\"}");
}

TEST_CASE("a following request is neither seen nor changed") {
  const std::string next =
      "\"name\":\"smuggled\"}GET /hello/x HTTP/1.1\r\nHost: a\r\n\r\n" + std::string(80, '}');
  CHECK(answer(R"({"name":"bob"})", next) == "200 {\"hello\":\"bob\"}");
  CHECK(answer(R"({"x":1,)", next).starts_with("400 JSON, octet 7: "));
  CHECK(answer("12", "34").starts_with("400 JSON, octet 0: "));
  Received number(post("12") + "34");
  Json json = number.request->json();
  std::int64_t value = 0;
  CHECK(json.document().get_int64().get(value) == simdjson::SUCCESS);
  CHECK(value == 12);
  CHECK(number.behind_body() == "  ");
  number.request->unpad();
  CHECK(number.behind_body() == "34");
}

TEST_CASE("the octets come back when the handler throws, and when the request dies") {
  const std::string next = "GET / HTTP/1.1\r\n\r\n";
  std::string octets = post("{}") + next;
  octets.replace(6, 4, "thro").insert(10, "w");
  Received received(octets);
  const auto cells = std::make_unique<base::SendBuffer>(base::no_record_room);
  Response response(*received.region, {}, no_thread);
  serve(dispatcher(), *received.request, received.body(), response, *cells);
  CHECK(base::as_text(cells->cell()).starts_with("HTTP/1.1 500 "));
  CHECK(received.behind_body() == next);
  received.request->pad();
  CHECK(received.behind_body() != next);
  received.request.reset();
  CHECK(received.behind_body() == next);
}

TEST_CASE("a body at the very end of the buffer has its padding in the buffer's own") {
  const std::size_t head_bytes =
      post(std::string(10000, 'x')).size() - 10000;  // with a length of five digits
  std::string body = R"({"name":"bob","x":")";
  body.append(base::RecvBuffer::capacity - head_bytes - body.size() - 2, 'x');
  body += "\"}";
  REQUIRE(post(body).size() == base::RecvBuffer::capacity);
  CHECK(answer(body) == "200 {\"hello\":\"bob\"}");
}

TEST_CASE("a fault is told with its place in the body") {
  CHECK(answer(R"({"name" "bob"})").starts_with("400 JSON, octet 8: "));
  CHECK(answer(R"({"name": 12})").starts_with("400 JSON, octet 9: "));
  CHECK(answer(R"({"name": "b\x"})").starts_with("400 JSON, octet "));
  CHECK(answer("{\"name\": \"b\xff\"}").starts_with("400 JSON, octet 11: "));
  CHECK(answer("{\"a\": \"\xe2\x82\xac\", \"name\": \"b\x01\"}").starts_with("400 JSON, octet 23: "));
  CHECK(answer(R"({"a":"\"\\", "name": "bob)").starts_with("400 JSON, octet 21: "));
  CHECK(answer(R"({"name")").starts_with("400 JSON, octet 7: "));
  CHECK(answer(R"({"name":"bob"} trailing)").starts_with("400 JSON, octet 23: "));
  CHECK(answer("").starts_with("400 JSON, octet 0: "));
  CHECK(answer("  ").starts_with("400 JSON, octet 2: "));
}

TEST_CASE("where UTF-8 ends") {
  const auto place = [](std::string_view text) { return json_fault_place(text); };
  for (const char* good : {"a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    CHECK(place(good) == std::string_view(good).size());
  }
  for (const char* bad :
       {"a\x80", "a\xc0\x80", "a\xc1\xbf", "a\xe0\x9f\xbf", "a\xed\xa0\x80", "a\xf0\x8f\xbf\xbf",
        "a\xf4\x90\x80\x80", "a\xf5\x80\x80\x80", "a\xc2", "a\xe2\x82", "a\xc2\xc2"}) {
    CHECK(place(bad) == 1);
  }
}

TEST_CASE("serving allocates nothing once the thread has served") {
  const Dispatcher json = dispatcher();
  const std::string long_body = R"({"name":"bob","x":")" + std::string(32000, 'x') + "\"}";
  const std::string requests[] = {
      "GET /hello/a%20b HTTP/1.1\r\nHost: a\r\nUser-Agent: x\r\nAccept: */*\r\nX-Unknown: 1\r\n\r\n",
      post(R"({"name":"bob"})"), post("{"), post(long_body), "GET /none HTTP/1.1\r\nHost: a\r\n\r\n"};
  const auto buffer = std::make_unique<base::RecvBuffer>();
  const auto cells = std::make_unique<base::SendBuffer>(base::no_record_room);
  std::uint64_t answered = 0;
  const auto round = [&] {
    for (const std::string& octets : requests) {
      base::Region* region = base::Region::open();
      std::memcpy(buffer->room(octets.size()).data(), octets.data(), octets.size());
      buffer->received(octets.size());
      buffer->accept_plain();
      {
        Parser parser;
        RequestHead head;
        if (parser.parse(buffer->plaintext(), Limits{}, *region, head) != Parser::State::complete) return;
        Request request(head, *region, no_thread);
        Response response(*region, {}, no_thread);
        serve(json, request, buffer->plaintext().subspan(parser.head_bytes(), head.content_length), response,
              *cells);
        answered += response.head_written();
      }
      buffer->consume(octets.size());
      cells->unwrite(cells->cell().size());
      region->close();
    }
  };
  round();
  const std::uint64_t before = allocations();
  for (int i = 0; i < 100; ++i) round();
  CHECK(allocations() == before);
  CHECK(answered == 505);
}

TEST_CASE("a request whose body is nowhere holds no document") {
  Received received(post(""));
  received.request->set_body({});
  Json json = received.request->json();
  CHECK(json.document().error() == simdjson::EMPTY);
  CHECK(json.place() == 0);
}

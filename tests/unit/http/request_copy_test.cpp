// A request that outlives the octets it was read from.
#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/request.hpp>

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

namespace {

/// A request that keeps what it keeps in a region of its own.
struct Original : ReadHead {
  OwnedRegion kept;
  std::unique_ptr<Request> request;

  explicit Original(std::string_view text) : ReadHead(text) {
    request = std::make_unique<Request>(head, *kept, no_thread);
    request->set_body(behind());
  }
};

std::string all_of(const Request& request) {
  std::string text = std::string(request.method_string()) + "|" + std::string(request.target()) + "|" +
                     std::string(request.path()) + "|" + std::string(request.query()) + "|" +
                     std::string(request.head().host) + "|" + std::string(request.head().octets) + "|" +
                     std::string(request.body()) + "|";
  for (const Header& header : request.headers())
    text += std::string(header.name) + "=" + std::string(header.value) + ";";
  for (const Parameter& parameter : request.parameters())
    text += std::string(parameter.name) + "->" + std::string(parameter.value) + ";";
  for (const Header& trailer : request.trailers())
    text += std::string(trailer.name) + "~" + std::string(trailer.value) + ";";
  return text;
}

constexpr std::string_view heads[] = {
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /x/y?z=1&w HTTP/1.1\r\nHost: a:80\r\nX-Empty:\r\nContent-Length: 4\r\n\r\nbody",
    "GET http://other:1/p?q HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET http://other HTTP/1.1\r\nHost: a\r\nX:  v \r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /old HTTP/1.0\r\n\r\n",
};

}  // namespace

TEST_CASE("a kept head says the same when its octets are gone") {
  for (const std::string_view text : heads) {
    CAPTURE(text);
    Original original(text);
    original.request->set_body({});
    const std::string before = all_of(*original.request);
    REQUIRE(original.request->keep_head());
    original.spoil();
    CHECK(all_of(*original.request) == before);
  }
}

TEST_CASE("a whole copy has the body, the parameters and the trailers as well") {
  for (const std::string_view text : heads) {
    CAPTURE(text);
    Original original(text);
    std::string value = "decoded", name = "X-Sum", sum = "1";
    const Parameter parameters[] = {{"id", value}, {"empty", ""}};
    const Header trailers[] = {{field::unknown, name, sum}};
    original.request->set_parameters(parameters);
    original.request->set_trailers(trailers);
    OwnedRegion region;
    Request copy(*original.request, *region, no_thread);
    const std::string before = all_of(copy);
    REQUIRE(copy.keep_all());
    original.spoil();
    value = name = sum = "#######";
    CHECK(all_of(copy) == before);
    CHECK(copy.param("id") == "decoded");
    CHECK(copy.method() == original.request->method());
    CHECK(copy.version() == original.request->version());
    CHECK(copy.keep_alive() == original.request->keep_alive());
  }
}

TEST_CASE("a copy's views lie in the copy, and its body has room for a parser's padding behind it") {
  Original original(heads[1]);
  OwnedRegion region;
  Request copy(*original.request, *region, no_thread);
  REQUIRE(copy.keep_all());
  const std::string_view octets = copy.head().octets;
  const auto within = [&](std::string_view view) {
    return view.data() >= octets.data() && view.data() + view.size() <= octets.data() + octets.size();
  };
  CHECK(within(copy.target()));
  CHECK(within(copy.path()));
  CHECK(within(copy.query()));
  for (const Header& header : copy.headers()) CHECK((within(header.name) && within(header.value)));
  CHECK(copy.body() == "body");
  copy.pad();
  for (std::size_t i = 0; i < PaddedBody::padding; i++) CHECK(copy.body().data()[4 + i] == ' ');
  copy.unpad();
  CHECK(copy.body().data()[4] == '\0');
}

TEST_CASE(
    "padding hides what lies behind a body and puts it back; a request without a body has nothing to hide") {
  Original original(heads[0]);
  std::string octets = "body" + std::string(PaddedBody::padding, 'n');
  original.request->set_body({reinterpret_cast<std::uint8_t*>(octets.data()), 4});
  original.request->pad();
  CHECK(octets == "body" + std::string(PaddedBody::padding, ' '));
  original.request->unpad();
  CHECK(octets == "body" + std::string(PaddedBody::padding, 'n'));
  original.request->set_body({});
  original.request->pad();
  original.request->unpad();
  CHECK(original.request->body().empty());
}

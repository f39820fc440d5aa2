#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/dispatch.hpp>

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

TEST_CASE("after hooks see the answer that is sent, and add to it") {
  Router router;
  REQUIRE(router.add(verb::get, "/", [](const Request&, Response& response) { response.header("X", "a\nb"); })
              .ok());
  unsigned seen = 0;
  REQUIRE(router
              .after("/",
                     [&](const Request&, Response& response) {
                       seen = static_cast<unsigned>(response.status());
                       response.header("X-After", "yes");
                     })
              .ok());
  std::string fault;
  const Dispatcher dispatcher(
      std::move(router), [&](const Request&, std::string_view what) { fault = what; }, nullptr);
  const std::string sent = answer_of(dispatcher, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(seen == 500);
  CHECK(fault == "a control character in a header field");
  CHECK(sent.starts_with("HTTP/1.1 500 "));
  CHECK(sent.find("\r\nX-After: yes\r\n") != std::string::npos);
}

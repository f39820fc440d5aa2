#include <set>
#include <stdexcept>

#include "allocation_counter.hpp"
#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/request_id.hpp>

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

namespace {

constexpr std::uint64_t process = 0x0123456789abcdef;
constexpr std::string_view fresh = "0123456789abcdeffffffffffffffffe";

/// What App::request_ids() registers, before these routes.
Dispatcher dispatcher(RequestIds& ids) {
  Router router;
  REQUIRE(router
              .before("/",
                      [&ids](const Request& request, Response&) {
                        ids.name(request);
                        return true;
                      })
              .ok());
  REQUIRE(
      router
          .after("/", [&ids](const Request& request, Response& response) { ids.announce(request, response); })
          .ok());
  const auto add = [&](std::string_view pattern, Handler handler) {
    REQUIRE(router.add(verb::get, pattern, std::move(handler)).ok());
  };
  add("/", [](const Request& request, Response& response) { response.text(status::ok, request.id(), "\n"); });
  add("/throw", [](const Request&, Response&) { throw std::runtime_error("odd"); });
  add("/fail", [](const Request&, Response& response) { response.header("X", "a\nb"); });
  return {std::move(router), nullptr, nullptr};
}

std::string answer(std::string_view target, std::string_view line = {}) {
  RequestIds ids(process, 0xfffffffffffffffe);
  return answer_of(dispatcher(ids),
                   "GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n" + std::string(line) + "\r\n");
}

/// The one X-Request-Id of an answer.
std::string announced(const std::string& sent) {
  constexpr std::string_view name = "\r\nX-Request-Id: ";
  const std::size_t at = sent.find(name);
  if (at == std::string::npos) return "(none)";
  if (sent.find(name, at + 1) != std::string::npos) return "(two)";
  const std::size_t begin = at + name.size();
  return sent.substr(begin, sent.find("\r\n", begin) - begin);
}

std::string announced_for(const std::string& theirs) {
  return announced(answer("/", "X-Request-Id: " + theirs + "\r\n"));
}

}  // namespace

TEST_CASE("a client's own id is answered, and the handler has it") {
  const std::string sent = answer("/", "x-request-id: Trace_1.2-z\r\n");
  CHECK(announced(sent) == "Trace_1.2-z");
  CHECK(sent.ends_with("\r\n\r\nTrace_1.2-z\n"));
  CHECK(announced_for("a") == "a");
  CHECK(announced_for(std::string(64, 'a')) == std::string(64, 'a'));
}

TEST_CASE("an id that would need an escape somewhere, or is too long, is not taken") {
  CHECK(announced(answer("/")) == fresh);
  CHECK(announced_for("") == fresh);
  CHECK(announced_for(std::string(65, 'a')) == fresh);
  for (const char* theirs : {"a b", "a\"", "a,b", "a/b", "{a}", "a:b", "\xc3\xa4", "a\\"}) {
    CAPTURE(theirs);
    CHECK(announced_for(theirs) == fresh);
  }
}

TEST_CASE("every answer says the id: none to find, a handler that threw, a response that failed") {
  for (const char* target : {"/nothing", "/throw", "/fail"}) {
    CAPTURE(target);
    CHECK(announced(answer(target)) == fresh);
  }
  CHECK(answer("/throw").starts_with("HTTP/1.1 500 "));
  CHECK(answer("/fail").starts_with("HTTP/1.1 500 "));
}

TEST_CASE("ids differ, and naming a request asks no allocator") {
  const ReadHead read("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  RequestIds ids(process, 7);
  RequestIds other_run(process + 1, 7);
  const Request first(read.head, *read.region, no_thread), second(read.head, *read.region, no_thread),
      third(read.head, *read.region, no_thread);
  const std::uint64_t before = allocations();
  ids.name(first);
  ids.name(second);
  other_run.name(third);
  CHECK(allocations() == before);
  CHECK(std::set{first.id(), second.id(), third.id()}.size() == 3);
  const std::string_view kept = first.id();
  ids.name(first);
  CHECK(first.id().data() == kept.data());
}

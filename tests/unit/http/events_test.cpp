// The format of server-sent events (WHATWG HTML section 9.2.5 and 9.2.6).
#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/events.hpp>

using namespace signet::http;
using namespace signet::http::test;
using namespace std::string_view_literals;

namespace {

/// What `write` writes, and whether the stream ended.
struct Written {
  std::string text;
  bool ended = false;
};

Written written(const std::function<void(EventStream&)>& write) {
  bool called = false;
  Stream stream(
      [&](Stream& out) {
        EventStream events(out);
        if (!std::exchange(called, true)) write(events);
      },
      Stream::Framing::plain, UINT64_MAX, no_thread);
  Written result;
  for (std::string_view piece = stream.next(64 * 1024); !piece.empty(); piece = stream.next(64 * 1024))
    result.text += piece;
  result.ended = stream.pause() == Body::Pause::ended;
  return result;
}

std::string event(std::string_view data, std::string_view type = {}, std::string_view id = {}) {
  return written([&](EventStream& events) { CHECK(events.event(data, type, id)); }).text;
}

}  // namespace

TEST_CASE("an event: its type, its id, its data, and an empty line") {
  CHECK(event("hello") == "data: hello\n\n");
  CHECK(event("hello", "greeting") == "event: greeting\ndata: hello\n\n");
  CHECK(event("hello", "greeting", "42") == "event: greeting\nid: 42\ndata: hello\n\n");
  CHECK(event("hello", "", "42") == "id: 42\ndata: hello\n\n");
  CHECK(event("") == "data: \n\n");
  CHECK(event(" a: b ") == "data:  a: b \n\n");
}

TEST_CASE("CR, LF and CRLF each end a line of the data; none of them begins another field") {
  CHECK(event("a\nb") == "data: a\ndata: b\n\n");
  CHECK(event("a\rb") == "data: a\ndata: b\n\n");
  CHECK(event("a\r\nb") == "data: a\ndata: b\n\n");
  CHECK(event("a\n\rb") == "data: a\ndata: \ndata: b\n\n");
  CHECK(event("a\r\rb\n\nc") == "data: a\ndata: \ndata: b\ndata: \ndata: c\n\n");
  CHECK(event("\n") == "data: \ndata: \n\n");
  CHECK(event("a\r\n") == "data: a\ndata: \n\n");
  CHECK(event("a\r") == "data: a\ndata: \n\n");
  CHECK(event("x\nevent: forged\n\ndata: y") == "data: x\ndata: event: forged\ndata: \ndata: data: y\n\n");
}

TEST_CASE("a line end or NUL in a type, an id or a comment: nothing is written, and the stream ends") {
  for (const std::string_view bad : {"a\nb"sv, "a\rb"sv, "a\r\nb"sv, "a\0b"sv, "\n"sv}) {
    for (int where = 0; where < 3; where++) {
      const Written result = written([&](EventStream& events) {
        if (where == 0) CHECK_FALSE(events.event("data", bad));
        if (where == 1) CHECK_FALSE(events.event("data", "type", bad));
        if (where == 2) CHECK_FALSE(events.comment(bad));
        CHECK_FALSE(events.event("more"));
      });
      CHECK(result.text.empty());
      CHECK(result.ended);
    }
  }
}

TEST_CASE("comments and the time to wait before the next connection") {
  const Written result = written([](EventStream& events) {
    CHECK(events.comment(""));
    CHECK(events.comment("alive"));
    CHECK(events.retry(0));
    CHECK(events.retry(4'294'967'295));
    CHECK(events.event("x"));
  });
  CHECK(result.text == ": \n: alive\nretry: 0\nretry: 4294967295\ndata: x\n\n");
  CHECK_FALSE(result.ended);
}

TEST_CASE("an event larger than the buffer is whole, and the caller is told to wait") {
  std::string data;
  for (int i = 0; i < 10'000; i++) data += std::to_string(i) + "\n";
  std::string wanted;
  for (int i = 0; i < 10'000; i++) wanted += "data: " + std::to_string(i) + "\n";
  const Written result = written([&](EventStream& events) { CHECK_FALSE(events.event(data)); });
  CHECK((result.text == wanted + "data: \n\n"));
}

TEST_CASE("a response of events has its type and is not cached; without a function it is a fault") {
  OwnedRegion region;
  Response response(*region, {11, false, true}, no_thread);
  CHECK_FALSE(stream_events(response, nullptr));
  response.finish();
  CHECK(response.fault() == "a stream without a function");
}

// A stream by itself: what its function may do, and what comes out.
#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/base/chunk_cache.hpp>
#include <signet/http/stream.hpp>

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

namespace {

constexpr std::size_t asked = 64 * 1024;
constexpr std::uint64_t unknown = UINT64_MAX;

/// All that it gives until it pauses.
std::string drain(Stream& stream) {
  std::string octets;
  for (;;) {
    const std::string_view piece = stream.next(asked);
    if (piece.empty()) return octets;
    octets += piece;
  }
}

std::string big(std::size_t bytes) {
  std::string octets(bytes, ' ');
  for (std::size_t i = 0; i < bytes; i++) octets[i] = static_cast<char>('a' + (i * 7 + i / 100) % 26);
  return octets;
}

/// The data of chunks that are whole.
std::string unchunk(std::string_view octets) {
  std::string body;
  while (!octets.empty()) {
    const std::size_t line = octets.find("\r\n");
    const std::size_t size = std::stoul(std::string(octets.substr(0, line)), nullptr, 16);
    CHECK(octets.substr(line + 2 + size, 2) == "\r\n");
    body += octets.substr(line + 2, size);
    octets.remove_prefix(line + 2 + size + 2);
  }
  return body;
}

}  // namespace

TEST_CASE("what one call writes is one chunk; the last one comes with the end") {
  int calls = 0;
  Stream stream(
      [&](Stream& out) {
        if (++calls == 1) {
          CHECK(out.write("one "));
          CHECK(out.write(""));
          CHECK(out.write("two"));
        }
        if (calls == 2) out.write("three"), out.end();
      },
      Stream::Framing::chunked, unknown, no_thread);
  CHECK(stream.next(asked) == "7\r\none two\r\n");
  CHECK(stream.next(asked) == "5\r\nthree\r\n0\r\n\r\n");
  CHECK(stream.next(asked).empty());
  CHECK(stream.pause() == Body::Pause::ended);
  CHECK(stream.next(asked).empty());
  CHECK(calls == 2);
}

TEST_CASE("an end without octets is the last chunk alone; nothing at all is a wait, and keeps no memory") {
  const std::size_t out_before = base::chunk_cache().out();
  bool over = false;
  Stream stream([&](Stream& out) { over ? out.end() : void(); }, Stream::Framing::chunked, unknown,
                no_thread);
  CHECK(stream.next(asked).empty());
  CHECK(stream.pause() == Body::Pause::waits);
  CHECK(base::chunk_cache().out() == out_before);
  over = true;
  CHECK(stream.next(asked) == "0\r\n\r\n");
  CHECK(stream.next(asked).empty());
  CHECK(stream.pause() == Body::Pause::ended);
  CHECK(base::chunk_cache().out() == out_before);
}

TEST_CASE("without chunks the octets come as they were written") {
  bool told = false;
  Stream stream(
      [&](Stream& out) {
        if (std::exchange(told, true)) return out.end();
        out.write("abc");
      },
      Stream::Framing::plain, unknown, no_thread);
  CHECK(drain(stream) == "abc");
  CHECK(stream.pause() == Body::Pause::ended);
}

TEST_CASE("write() answers whether there is room for more, and takes all in any case") {
  for (const std::size_t size : {1u, 16'000u, 16'367u, 16'368u, 16'369u, 100'000u}) {
    const std::string octets = big(size);
    bool room = false, told = false;
    Stream stream(
        [&](Stream& out) {
          if (std::exchange(told, true)) return out.end();
          room = out.write(octets);
        },
        Stream::Framing::chunked, unknown, no_thread);
    CAPTURE(size);
    const std::string framed = drain(stream);
    CHECK(framed.ends_with("0\r\n\r\n"));
    CHECK((unchunk(framed) == octets));
    CHECK(room == (size < base::chunk_bytes - 16));
  }
}

TEST_CASE("the end within a backlog: the last chunk comes behind all of it") {
  const std::string octets = big(Stream::most_backlog);
  bool late = true;
  Stream stream([&](Stream& out) { out.write(octets), out.end(), late = out.write("late"); },
                Stream::Framing::chunked, unknown, no_thread);
  const std::string framed = drain(stream);
  CHECK_FALSE(late);
  CHECK(std::count(framed.begin(), framed.end(), '\n') > 100);
  CHECK((unchunk(framed) == octets));
}

TEST_CASE("a backlog has a bound, from which on the stream has failed") {
  const std::size_t room = base::chunk_bytes - 16;
  for (const std::size_t more : {0u, 1u}) {
    const std::string octets = big(room + Stream::most_backlog);
    Stream stream(
        [&](Stream& out) {
          out.write(octets);
          out.write(std::string_view("x").substr(0, more));
          out.end();
        },
        Stream::Framing::plain, unknown, no_thread);
    const std::string out = drain(stream);
    CHECK((stream.pause() == Body::Pause::failed) == (more != 0));
    CHECK(stream.fault() == (more != 0 ? "the stream did not wait for room" : ""));
    if (more == 0) CHECK((out == octets));
  }
}

TEST_CASE("an announced length is held to") {
  const auto run = [](std::uint64_t length, std::size_t first, std::size_t second, std::string& fault) {
    int calls = 0;
    Stream stream(
        [&](Stream& out) {
          calls++;
          out.write(big(calls == 1 ? first : second));
          if (calls == 2) out.end();
        },
        Stream::Framing::plain, length, no_thread);
    const std::string octets = drain(stream);
    fault = stream.fault();
    return octets.size();
  };
  std::string fault;
  CHECK(run(10, 6, 4, fault) == 10);
  CHECK(fault.empty());
  CHECK(run(10, 10, 0, fault) == 10);
  CHECK(fault.empty());
  CHECK(run(40'000, 39'999, 1, fault) == 40'000);
  CHECK(fault.empty());
  CHECK(run(10, 6, 3, fault) == 9);
  CHECK(fault == "fewer octets were written than the stream announced");
  CHECK(run(10, 6, 5, fault) == 6);
  CHECK(fault == "more octets were written than the stream announced");
}

TEST_CASE("outside the function's call nothing is written") {
  Stream* kept = nullptr;
  Stream stream([&](Stream& out) { kept = &out; }, Stream::Framing::plain, unknown, no_thread);
  CHECK_FALSE(stream.write("before"));
  CHECK(stream.next(asked).empty());
  REQUIRE(kept == &stream);
  CHECK_FALSE(kept->write("after"));
  CHECK(stream.next(asked).empty());
  CHECK(stream.pause() == Body::Pause::waits);
}

TEST_CASE("an exception of the function is the stream's fault, by its text") {
  Stream known([](Stream& out) { out.write("abc"), throw std::runtime_error("no disk"); },
               Stream::Framing::chunked, unknown, no_thread);
  CHECK(known.next(asked).empty());
  CHECK(known.pause() == Body::Pause::failed);
  CHECK(known.fault() == "no disk");
  CHECK(known.next(asked).empty());
  Stream other([](Stream&) { throw 1; }, Stream::Framing::chunked, unknown, no_thread);
  CHECK(other.next(asked).empty());
  CHECK(other.fault() == "an exception that is no std::exception");
}

TEST_CASE("a stream that goes away in the middle gives its memory back, and its function goes with it") {
  const std::size_t out_before = base::chunk_cache().out();
  const auto alive = std::make_shared<int>();
  {
    Stream stream([alive](Stream& out) { out.write(big(50'000)); }, Stream::Framing::chunked, unknown,
                  no_thread);
    CHECK(stream.next(asked).size() > 10'000);
    CHECK(base::chunk_cache().out() == out_before + 1);
    CHECK(alive.use_count() == 2);
  }
  CHECK(base::chunk_cache().out() == out_before);
  CHECK(alive.use_count() == 1);
}

TEST_CASE("a waker of an exchange that no worker has does nothing") {
  Stream stream([](Stream& out) { out.waker().wake(); }, Stream::Framing::plain, unknown, no_thread);
  CHECK(stream.next(asked).empty());
  CHECK(stream.pause() == Body::Pause::waits);
  Waker().wake();
}

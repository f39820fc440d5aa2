#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/head_scan.hpp>

using namespace signet::http;
using namespace signet::http::test;
using State = HeadScan::State;
using namespace std::string_view_literals;

namespace {

signet::base::MutBytes bytes(std::string& text) {
  return {reinterpret_cast<std::uint8_t*>(text.data()), text.size()};
}

struct Scanned {
  State state;
  std::size_t head_bytes, start, count;
  bool operator==(const Scanned&) const = default;
};

Scanned scan(std::string text, std::size_t piece, std::string* after = nullptr) {
  HeadScan scan;
  State state = State::more;
  for (std::size_t end = piece; state == State::more; end += piece) {
    const std::size_t shown = std::min(end, text.size());
    state = scan.scan(bytes(text).first(shown), Limits{});
    if (shown == text.size()) break;
  }
  if (after != nullptr) *after = text;
  return {state, scan.head_bytes(), scan.start(), scan.header_count()};
}

std::string longest_head(std::size_t bytes_wanted) {
  std::string head = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  head.append(bytes_wanted - head.size() - 4, 'x');
  return head + "\r\n\r\n";
}

}  // namespace

TEST_CASE("the end of a head is found wherever the pieces are cut") {
  const std::string head = "\r\nGET /a HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n";
  for (std::size_t piece = 1; piece <= head.size() + 4; ++piece) {
    CAPTURE(piece);
    CHECK(scan(head + "rest\n", piece) == Scanned{State::complete, head.size(), 2, 2});
  }
  for (std::size_t cut = 1; cut < head.size(); ++cut) {
    CAPTURE(cut);
    CHECK(scan(head.substr(0, cut), cut).state == State::more);
  }
}

TEST_CASE("each control character is refused at each place of a head, HTAB apart") {
  const std::string head = "GET /abcdefgh HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (unsigned c = 0; c < 256; ++c) {
    const bool control = (c < 0x20 && c != '\t') || c == 0x7f;
    if (!control) continue;
    for (std::size_t at = 0; at < head.size(); ++at) {
      if (head[at] == '\r' || head[at] == '\n') continue;
      std::string altered = head;
      altered[at] = static_cast<char>(c);
      // A CR before the CR of a line's end is bare as well; an LF behind nothing is bare.
      CAPTURE(c);
      CAPTURE(at);
      CHECK(scan(altered, altered.size()).state == State::refused);
      CHECK(scan(altered, 1).state == State::refused);
    }
  }
  std::string high = head;
  high[30] = static_cast<char>(0x80);
  high[31] = static_cast<char>(0xff);
  CHECK(scan(high, 1).state == State::complete);
}

TEST_CASE("a control character is refused before its line is whole") {
  for (const std::string_view text : {"GET / HTTP/1.1\n"sv, "GET / HTTP/1.1\rX"sv, "GE\0"sv}) {
    CHECK(scan(std::string(text), text.size()).state == State::refused);
  }
  CHECK(scan("GET / HTTP/1.1\r", 15).state == State::more);
}

TEST_CASE("lines that begin with a blank or a colon are refused") {
  CHECK(refused("GET / HTTP/1.1\r\nHost: x\r\n Content-Length: 33\r\n\r\n") == 400);
  CHECK(refused("GET / HTTP/1.1\r\nHost: x\r\n\tContent-Length: 33\r\n\r\n") == 400);
  CHECK(refused("GET / HTTP/1.1\r\n Host: x\r\n\r\n") == 400);
  CHECK(refused("GET / HTTP/1.1\r\n\tHost: x\r\n\r\n") == 400);
  CHECK(refused(" GET / HTTP/1.1\r\nHost: x\r\n\r\n") == 400);
  CHECK(refused("\r\n\tGET / HTTP/1.1\r\nHost: x\r\n\r\n") == 400);
  CHECK(refused(with(": 3\r\n")) == 400);
  CHECK(refused("GET / HTTP/1.1\r\nHost: x\r\n ") == 400);
}

TEST_CASE("empty lines before a request line are tolerated, up to a bound") {
  std::string head = with("");
  for (unsigned i = 1; i <= HeadScan::most_empty_lines; ++i) {
    head = "\r\n" + head;
    CHECK(refused(head) == 0);
    CHECK(parse(head).head_bytes == head.size());
  }
  CHECK(refused("\r\n" + head) == 400);
}

TEST_CASE("an HTAB that ends a value becomes SP in place, and nothing else changes") {
  std::string after;
  const std::string head = "GET / HTTP/1.1\r\nA: b\tc\t \t\r\nB:\t\r\n\r\nbody\t\r\n";
  CHECK(scan(head, head.size(), &after).state == State::complete);
  CHECK(after == "GET / HTTP/1.1\r\nA: b\tc   \r\nB: \r\n\r\nbody\t\r\n");
}

TEST_CASE("limits hold to the octet, and are met before the head is whole") {
  Limits limits;
  limits.request_line_bytes = 20;
  CHECK(refused("GET /123456 HTTP/1.1\r\nHost: a\r\n\r\n", limits) == 0);
  CHECK(refused("GET /1234567 HTTP/1.1\r\nHost: a\r\n\r\n", limits) == 414);
  CHECK(refused("GET /12345678901234567890", limits) == 414);

  CHECK(refused(longest_head(16384)) == 0);
  CHECK(refused(longest_head(16385)) == 431);
  CHECK(refused(longest_head(16400).substr(0, 16385)) == 431);
  CHECK(refused(longest_head(16400).substr(0, 16384)) == 1);

  std::string fields;
  for (int i = 0; i < 99; ++i) fields += "X: y\r\n";
  CHECK(refused(with(fields)) == 0);
  CHECK(refused(with(fields + "X: y\r\n")) == 431);
}

TEST_CASE("of several faults the first is answered, however the head arrives") {
  Limits limits;
  limits.request_line_bytes = 20;
  limits.head_bytes = 60;
  limits.header_count = 2;
  const std::string line(30, 'x');
  CHECK(refused("GET /" + line + "\n", limits) == 414);
  CHECK(refused("GET /" + line + "\r\r", limits) == 414);
  CHECK(refused("GET /" + line + "\x01", limits) == 414);
  CHECK(refused(" GET /" + line + "\r\n", limits) == 400);
  CHECK(refused(with(line + line + "\x01"), limits) == 431);
  CHECK(refused(with(line + line + "\r\r"), limits) == 431);
  CHECK(refused(with("a:\r\nb:" + line + line + "\r\n"), limits) == 431);
  CHECK(refused(with(" " + line + line + "\x01"), limits) == 400);
  CHECK(parse(with(" x\x01")).text == "a folded header field");
  for (const std::size_t end : {59u, 60u, 61u, 62u}) {
    const std::string head = with("a:" + line + line).substr(0, end);
    CHECK(refused(head + "\r\r", limits) == (end < 60 ? 400 : 431));
    CHECK(refused(head + "\n", limits) == (end < 61 ? 400 : 431));
  }
}

TEST_CASE("idle is a scan that saw nothing but empty lines") {
  HeadScan scan;
  std::string text = "\r\nG";
  CHECK(scan.idle());
  CHECK(scan.scan(bytes(text).first(2), Limits{}) == State::more);
  CHECK(scan.idle());
  CHECK(scan.scan(bytes(text), Limits{}) == State::more);
  CHECK(!scan.idle());
}

// What we answer where llhttp, in one version or another, takes what it should not or refuses what is valid:
// one case a row of the table that was made of its fixes and open issues. The parser and the decoder of
// chunks are the real ones, so that the answers hold whichever llhttp is below.
#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/chunked.hpp>
#include <signet/http/trailers.hpp>

using namespace signet::http;
using namespace signet::http::test;

namespace {

std::string chunked(std::string_view body) {
  return "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(body);
}

std::string post(std::string_view lines) {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + std::string(lines) + "\r\n";
}

/// What a connection's octets are to us: "200 BODY" for each request that is served, then the status of a
/// refusal, "more", or "close" behind a last request.
class Connection {
 public:
  explicit Connection(std::string octets) : octets_(std::move(octets)) {}

  std::string answers(std::size_t piece) {
    for (std::size_t end = 0; end < octets_.size() && !over_;) {
      end = std::min(end + piece, octets_.size());
      end_ = end;
      while (!over_ && step()) {
      }
    }
    if (!over_ && (begin_ < end_ || in_body_)) text_ += "more";
    return text_;
  }

 private:
  signet::base::MutBytes input() {
    return {reinterpret_cast<std::uint8_t*>(octets_.data()) + begin_, end_ - begin_};
  }

  /// Whether there may be more to do with what came.
  bool step() {
    if (in_body_) return head_.chunked ? read_chunks() : read_counted();
    if (begin_ == end_) return false;
    const auto state = parser_.parse(input(), Limits{}, *region_, head_);
    if (state == Parser::State::refused) refuse(parser_.refusal());
    if (state != Parser::State::complete) return false;
    begin_ += parser_.head_bytes();
    in_body_ = true;
    return true;
  }

  bool read_counted() {
    if (end_ - begin_ < head_.content_length) return false;
    body_ = octets_.substr(begin_, head_.content_length);
    begin_ += head_.content_length;
    return serve();
  }

  bool read_chunks() {
    const auto got = decoder_.next(input(), Limits{});
    begin_ += got.consumed;
    if (got.state == ChunkedDecoder::State::refused) refuse(decoder_.refusal());
    if (got.state == ChunkedDecoder::State::data) body_ += signet::base::as_text(got.data);
    if (got.state != ChunkedDecoder::State::end) return got.state == ChunkedDecoder::State::data;
    const auto trailers = read_trailers(signet::base::as_text(got.data), *region_);
    REQUIRE(trailers.has_value());
    for (const Header& header : *trailers) {
      body_ += "[" + std::string(header.name) + "=" + std::string(header.value) + "]";
    }
    return serve();
  }

  bool serve() {
    text_ += "200 " + body_ + "; ";
    over_ = !head_.keep_alive;
    if (over_) text_ += "close";
    parser_ = Parser();
    decoder_ = ChunkedDecoder();
    head_ = RequestHead();
    body_.clear();
    in_body_ = false;
    return true;
  }

  void refuse(const Refusal& refusal) {
    over_ = true;
    text_ += std::to_string(static_cast<unsigned>(refusal.status));
  }

  std::string octets_;
  std::size_t begin_ = 0, end_ = 0;
  OwnedRegion region_;
  Parser parser_;
  ChunkedDecoder decoder_;
  RequestHead head_;
  bool in_body_ = false, over_ = false;
  std::string body_, text_;
};

/// What we answer, whole and in pieces alike.
std::string answer(const std::string& octets) {
  const std::string whole = Connection(octets).answers(octets.size());
  for (const std::size_t piece : {1u, 2u, 3u, 7u}) {
    if (Connection(octets).answers(piece) != whole) return "differs in pieces of " + std::to_string(piece);
  }
  return whole;
}

}  // namespace

TEST_CASE("row 1, CVE-2023-30589: an empty header ended by a bare CR: 400") {
  CHECK(answer(post("X-Abc: \rxTransfer-Encoding: chunked\r\n")) == "400");
}

TEST_CASE("row 2, CVE-2024-27982: a folded field: 400") {
  CHECK(answer("GET / HTTP/1.1\r\nHost: x\r\n Content-Length: 33\r\n\r\n") == "400");
  CHECK(answer("GET / HTTP/1.1\r\nHost: x\r\n\tContent-Length: 33\r\n\r\n") == "400");
}

TEST_CASE("row 3, CVE-2025-23167: CR LF CR X ends no head: 400") {
  CHECK(answer("GET / HTTP/1.1\r\nHost: x\r\n\rX") == "400");
}

TEST_CASE("row 4: a head or a trailer section ended by a bare LF: 400") {
  CHECK(answer("GET / HTTP/1.1\r\nHost: x\r\n\n") == "400");
  CHECK(answer(chunked("0\r\n\n")) == "400");
  CHECK(answer(chunked("0\r\nX: y\r\n\n")) == "400");
}

TEST_CASE("row 5: Content-Length or Transfer-Encoding on a folded line: 400") {
  CHECK(answer(post("Content-Length:\r\n 3\r\n") + "abc") == "400");
  CHECK(answer(post("Transfer-Encoding:\r\n chunked\r\n") + "0\r\n\r\n") == "400");
}

TEST_CASE("row 6: chunk data ended by CR and another octet: 400") {
  CHECK(answer(chunked("3\r\nabc\rX0\r\n\r\n")) == "400");
}

TEST_CASE("row 7: a bare CR in a chunk extension: 400") {
  CHECK(answer(chunked("3;a\rb\r\nabc\r\n0\r\n\r\n")) == "400");
}

TEST_CASE("row 8: data behind a request with Connection: close is not read") {
  CHECK(answer(with("Connection: close\r\n") + with("")) == "200 ; close");
}

TEST_CASE("row 9: an empty header name: 400") { CHECK(answer(with(": 3\r\n")) == "400"); }

TEST_CASE("row 10: a blank inside a header name: 400") { CHECK(answer(with("X Y: 3\r\n")) == "400"); }

TEST_CASE("row 11: Connection: close with an HTAB behind it closes") {
  CHECK(answer(with("Connection: close\t\r\n") + with("")) == "200 ; close");
}

TEST_CASE("row 12: a bare LF behind the version: 400") {
  CHECK(answer("GET / HTTP/1.1\nHost: a\r\n\r\n") == "400");
}

TEST_CASE("row 13: a bare LF, or HTTP/0.9 with fields and a body: refused") {
  CHECK(answer("GET / HTTP/1.1\r\nHost: a\n\r\n") == "400");
  CHECK(answer("POST /\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc") == "400");
  CHECK(answer("POST / HTTP/0.9\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc") == "505");
  CHECK(answer("GET /\r\n\r\n") == "400");
}

TEST_CASE("row 14: Transfer-Encoding with an HTAB behind it is served") {
  CHECK(answer(post("Transfer-Encoding: chunked\t\r\n") + "3\r\nabc\r\n0\r\n\r\n") == "200 abc; ");
}

TEST_CASE("row 15: chunk extensions with parameters and quoted pairs are served") {
  CHECK(answer(chunked("3;a=b;c=d\r\nabc\r\n0\r\n\r\n")) == "200 abc; ");
  CHECK(answer(chunked("3;a=\"b\\\"c\"\r\nabc\r\n0\r\n\r\n")) == "200 abc; ");
}

TEST_CASE("row 16, CVE-2024-22019: the octets of chunk extensions are bounded: 413") {
  CHECK(answer(chunked("3;" + std::string(4096, 'a') + "\r\nabc\r\n0\r\n\r\n")) == "413");
  std::string chunks;
  for (int i = 0; i < 5; ++i) chunks += "1;" + std::string(4000, 'a') + "\r\nx\r\n";
  CHECK(answer(chunked(chunks)) == "413");
}

TEST_CASE("row 17: an HTAB behind a field value is served") {
  CHECK(answer(post("Content-Length: 3\t\r\n") + "abc") == "200 abc; ");
  CHECK(answer(post("Transfer-Encoding: chunked \t\r\n") + "0\r\n\r\n") == "200 ; ");
}

TEST_CASE("row 18: versions and protocols that are not ours: 505, or 400 where the name is another") {
  CHECK(answer("GET / HTTP/2.0\r\nHost: a\r\n\r\n") == "505");
  CHECK(answer("GET / HTTP/0.9\r\nHost: a\r\n\r\n") == "505");
  CHECK(answer("GET / RTSP/1.0\r\nHost: a\r\n\r\n") == "400");
  CHECK(answer("SOURCE / ICE/1.0\r\nHost: a\r\n\r\n") == "400");
}

TEST_CASE("row 19: Transfer-Encoding in HTTP/1.0: 400; another coding than a single chunked: 501") {
  CHECK(answer("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == "400");
  for (const char* value : {"identity, chunked", "gzip, chunked", ",chunked"}) {
    CAPTURE(std::string(value));
    CHECK(answer(post("Transfer-Encoding: " + std::string(value) + "\r\n") + "0\r\n\r\n") == "501");
  }
}

TEST_CASE("row 20: any Transfer-Encoding beside Content-Length, an empty one too: 400") {
  CHECK(answer(post("Transfer-Encoding:\r\nContent-Length: 3\r\n") + "abc") == "400");
  CHECK(answer(post("Content-Length: 3\r\nTransfer-Encoding:\r\n") + "abc") == "400");
}

TEST_CASE("row 21: a Content-Length of 2^63 and more: 413") {
  CHECK(answer(post("Content-Length: 9223372036854775807\r\n")) == "more");
  CHECK(answer(post("Content-Length: 9223372036854775808\r\n")) == "413");
  CHECK(answer(post("Content-Length: 18446744073709551616\r\n")) == "413");
}

TEST_CASE("row 22: no Host, or two: 400; an absolute-form target's own host counts") {
  CHECK(answer("GET / HTTP/1.1\r\n\r\n") == "400");
  CHECK(answer("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n") == "400");
  CHECK(answer("GET http://b/ HTTP/1.1\r\n\r\n") == "400");
  CHECK(parse("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n").host == "b");
}

TEST_CASE("row 23: trailers that say what a head says are left out") {
  CHECK(answer(chunked(
            "3\r\nabc\r\n0\r\nHost: b\r\nContent-Length: 9\r\nTransfer-Encoding: gzip\r\nX: y\r\n\r\n")) ==
        "200 abc[X=y]; ");
}

TEST_CASE("row 24: Upgrade changes nothing") {
  CHECK(answer(post("Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 3\r\n") + "abc" + with("")) ==
        "200 abc; 200 ; ");
  CHECK(answer("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n" + with("")) == "200 ; 200 ; ");
}

TEST_CASE("row 25: a method that is merely unknown is no malformed request") {
  for (const char* method : {"QUERY", "FOO", "get", "M-SEARCH"}) {
    const std::string head = std::string(method) + " / HTTP/1.1\r\nHost: a\r\n\r\n";
    CHECK(answer(head) == "200 ; ");
    CHECK(parse(head).method == method);
  }
}

TEST_CASE("row 26: a target with an octet above 127, a tab or a form feed: 400") {
  CHECK(answer("GET /\xe9 HTTP/1.1\r\nHost: a\r\n\r\n") == "400");
  CHECK(answer("GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n") == "400");
  CHECK(answer("GET /a\fb HTTP/1.1\r\nHost: a\r\n\r\n") == "400");
}

TEST_CASE(
    "row 27: a target with a backslash or angle brackets is a path as any other, one without a host is not") {
  CHECK(parse("GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n").path == "/a\\b");
  CHECK(parse("GET /<a> HTTP/1.1\r\nHost: a\r\n\r\n").path == "/<a>");
  CHECK(parse("GET //e HTTP/1.1\r\nHost: a\r\n\r\n").path == "//e");
  CHECK(answer("GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n") == "400");
}

TEST_CASE("below the table: what llhttp always refused is refused") {
  for (const char* lines :
       {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "Content-Length: 3\r\nContent-Length: 3\r\n",
        "Content-Length: 3, 3\r\n", "Content-Length: +3\r\n", "Content-Length: 0x3\r\n", "X: a\x01\r\n",
        "X: a\x7f\r\n", "Content-Length : 3\r\n", "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: chunked, chunked\r\n"}) {
    CAPTURE(std::string(lines));
    CHECK(answer(post(lines) + "abc") == "400");
  }
  CHECK(answer(post("Transfer-Encoding: xchunked\r\n") + "abc") == "501");
  for (const char* size : {"0x3", "+3", " 3", "3 "})
    CHECK(answer(chunked(std::string(size) + "\r\nabc\r\n")) == "400");
  CHECK(answer(chunked("3\nabc\r\n0\r\n\r\n")) == "400");
  CHECK(answer(chunked("fffffffffffffffff\r\nabc")) == "413");
}

#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/chunked.hpp>
#include <signet/http/trailers.hpp>

using namespace signet::http;
using namespace signet::http::test;

namespace {

struct Read {
  unsigned status = 1;  // 0 when read, 1 when more is wanted
  std::string section;
};

Read read_section(std::string octets, std::size_t piece, const Limits& limits) {
  octets.insert(0, "0\r\n");
  ChunkedDecoder decoder;
  std::size_t begin = 0;
  const std::size_t step = piece == 0 ? octets.size() : piece;
  for (std::size_t end = std::min(step, octets.size());; end = std::min(end + step, octets.size())) {
    const auto got =
        decoder.next({reinterpret_cast<std::uint8_t*>(octets.data()) + begin, end - begin}, limits);
    begin += got.consumed;
    if (got.state == ChunkedDecoder::State::refused)
      return {static_cast<unsigned>(decoder.refusal().status), {}};
    if (got.state == ChunkedDecoder::State::end) return {0, std::string(signet::base::as_text(got.data))};
    if (end == octets.size()) return {};
  }
}

/// The status that a trailer section is refused with, whole and in pieces; as test::refused() otherwise.
unsigned refused_section(const std::string& octets, const Limits& limits = {}) {
  const Read whole = read_section(octets, 0, limits);
  for (const std::size_t piece : {1u, 2u, 3u, 7u}) {
    const Read pieces = read_section(octets, piece, limits);
    if (pieces.status != whole.status || pieces.section != whole.section) return 2;
  }
  return whole.status;
}

std::string fields_of(const std::string& octets) {
  const Read read = read_section(octets, 0, {});
  REQUIRE(read.status == 0);
  OwnedRegion region;
  const auto fields = read_trailers(read.section, *region);
  REQUIRE(fields.has_value());
  std::string text;
  for (const Header& header : *fields) {
    CHECK(header.id == boost::beast::http::string_to_field(header.name));
    CHECK(header.name.data() >= read.section.data());
    CHECK(header.value.data() + header.value.size() <= read.section.data() + read.section.size());
    text += std::string(header.name) + "=" + std::string(header.value) + "|";
  }
  return text;
}

}  // namespace

TEST_CASE("trailer fields are read as header fields are") {
  CHECK(fields_of("\r\n") == "");
  CHECK(fields_of("X: y\r\n\r\n") == "X=y|");
  CHECK(fields_of("X:\r\nDigest: \t a:b c\t \r\nx: \xe9\r\n\r\n") == "X=|Digest=a:b c|x=\xe9|");
}

TEST_CASE("fields that come too late are left out, whatever they say") {
  for (const char* line :
       {"Host: b", "Content-Length: 3", "Content-Length: x", "Transfer-Encoding: gzip",
        "transfer-encoding: chunked", "Connection: close", "Trailer: X", "TE: trailers",
        "Expect: 100-continue", "Authorization: x", "Cookie: a=b", "Content-Type: a/b",
        "Content-Encoding: gzip", "Range: bytes=0-", "Upgrade: h2c", "Keep-Alive: 1", "If-Match: x"}) {
    CAPTURE(std::string(line));
    CHECK(fields_of("A: 1\r\n" + std::string(line) + "\r\nB: 2\r\n\r\n") == "A=1|B=2|");
  }
}

TEST_CASE("a malformed trailer section is refused") {
  for (const char* section : {"X: y\r\n z\r\n\r\n",
                              " X: y\r\n\r\n",
                              "\tX: y\r\n\r\n",
                              "X: y\n\r\n",
                              "\n",
                              "X: y\r\n\n",
                              "X: y\r\r\n\r\n",
                              "X\r: y\r\n\r\n",
                              "\rX",
                              ": y\r\n\r\n",
                              "X y\r\n\r\n",
                              "X : y\r\n\r\n",
                              "X Y: z\r\n\r\n",
                              "X\t: y\r\n\r\n",
                              "(: y\r\n\r\n",
                              "\xe9: y\r\n\r\n",
                              "X: \x01\r\n\r\n",
                              "X: \x7f\r\n\r\n",
                              "A: b\r\nnocolon\r\n\r\n",
                              "X: y\r\n\r\t"}) {
    CAPTURE(std::string(section));
    CHECK(refused_section(section) == 400);
  }
  CHECK(refused_section("X: y\r\n") == 1);
  CHECK(refused_section("X: y\r\n\r") == 1);
}

TEST_CASE("trailer sections are bounded as heads are") {
  Limits limits;
  limits.head_bytes = 20;
  limits.header_count = 2;
  CHECK(refused_section("X: 3456789012345\r\n\r\n", limits) == 0);
  CHECK(refused_section("X: 34567890123456\r\n\r\n", limits) == 431);
  CHECK(refused_section("X: 3456789012345678901", limits) == 431);
  CHECK(refused_section("a:b\r\nc:d\r\n\r\n", limits) == 0);
  CHECK(refused_section("a:b\r\nc:d\r\ne:f\r\n\r\n", limits) == 431);
  std::string fields;
  for (int i = 0; i < 100; ++i) fields += "X: y\r\n";
  CHECK(refused_section(fields + "\r\n") == 0);
  CHECK(refused_section(fields + "X: y\r\n\r\n") == 431);
  CHECK(refused_section("X:" + std::string(16 * 1024 - 6, 'y') + "\r\n\r\n") == 0);
  CHECK(refused_section("X:" + std::string(16 * 1024 - 5, 'y') + "\r\n\r\n") == 431);
}

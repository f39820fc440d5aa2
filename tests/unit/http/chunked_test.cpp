#include <random>

#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/chunked.hpp>

using namespace signet::http;
using namespace signet::http::test;
using State = ChunkedDecoder::State;

namespace {

/// What became of a body in chunks, as values.
struct Decoded {
  State state = State::more;
  std::string body;
  std::string trailers;
  std::size_t consumed = 0;
  unsigned status = 0;
  std::string text;
  bool operator==(const Decoded&) const = default;
};

/// A connection's received octets in front of a decoder; what comes is kept in an allocation of its exact
/// size.
class Reader {
 public:
  explicit Reader(const Limits& limits) : limits_(limits) {}

  void receive(std::string_view octets) {
    std::vector<std::uint8_t> longer(waiting_.begin(), waiting_.end());
    longer.insert(longer.end(), octets.begin(), octets.end());
    longer.shrink_to_fit();
    waiting_.swap(longer);
    while (step()) {
    }
  }

  Decoded decoded;
  [[nodiscard]] std::string waiting() const { return {waiting_.begin(), waiting_.end()}; }

 private:
  bool step() {
    const auto step = decoder_.next(waiting_, limits_);
    REQUIRE(step.consumed <= waiting_.size());
    if (!step.data.empty()) {
      REQUIRE(step.data.data() >= waiting_.data());
      REQUIRE(step.data.data() + step.data.size() <= waiting_.data() + step.consumed);
    }
    const bool over = decoded.state == State::end || decoded.state == State::refused;
    if (over) {
      REQUIRE(step.state == decoded.state);
      if (step.state == State::refused) REQUIRE(decoder_.refusal().text == decoded.text);
      REQUIRE(step.consumed == 0);
      REQUIRE(step.data.empty());
      return false;
    }
    decoded.state = step.state;
    decoded.consumed += step.consumed;
    if (step.state == State::data) {
      REQUIRE(!step.data.empty());
      decoded.body.append(step.data.begin(), step.data.end());
    }
    if (step.state == State::end) decoded.trailers.assign(step.data.begin(), step.data.end());
    if (step.state == State::more || step.state == State::refused) REQUIRE(step.data.empty());
    if (step.state == State::refused) {
      decoded.status = static_cast<unsigned>(decoder_.refusal().status);
      decoded.text = decoder_.refusal().text;
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(step.consumed));
    return step.state == State::data;
  }

  Limits limits_;
  ChunkedDecoder decoder_;
  std::vector<std::uint8_t> waiting_;
};

Decoded decode(std::string_view octets, std::size_t piece = 0, const Limits& limits = {}) {
  Reader reader(limits);
  const std::size_t step = piece == 0 ? std::max<std::size_t>(octets.size(), 1) : piece;
  for (std::size_t at = 0; at < octets.size(); at += step) reader.receive(octets.substr(at, step));
  return reader.decoded;
}

/// Whole, in pieces and cut once at every octet: all alike.
Decoded decode_each_way(std::string_view octets, const Limits& limits = {}) {
  const Decoded whole = decode(octets, 0, limits);
  for (const std::size_t piece : {1u, 2u, 3u, 7u}) {
    CAPTURE(piece);
    CHECK(decode(octets, piece, limits) == whole);
  }
  for (std::size_t cut = 1; cut < octets.size() && octets.size() < 2000; ++cut) {
    CAPTURE(cut);
    Reader reader(limits);
    reader.receive(octets.substr(0, cut));
    reader.receive(octets.substr(cut));
    CHECK(reader.decoded == whole);
  }
  return whole;
}

/// The status that a body is refused with; 0 when it is read to its end, 1 when more is wanted.
unsigned refused_body(std::string_view octets, const Limits& limits = {}) {
  const Decoded decoded = decode_each_way(octets, limits);
  if (decoded.state == State::refused) CHECK(!decoded.text.empty());
  if (decoded.state == State::end) return 0;
  return decoded.state == State::refused ? decoded.status : 1;
}

}  // namespace

TEST_CASE("a body in chunks, with extensions and trailers, whole and in pieces") {
  const Decoded decoded = decode_each_way(
      "5\r\nhello\r\n1;a\r\n,\r\n00A ; b = \"c;\\\"\\\\d\" ;e=f\r\n chunk\r\nme"
      "\r\n0;last\r\nX: y\r\nZ:\r\n\r\n");
  CHECK(decoded.state == State::end);
  CHECK(decoded.body == "hello, chunk\r\nme");
  CHECK(decoded.trailers == "X: y\r\nZ:\r\n\r\n");
}

TEST_CASE("an empty body") {
  for (const std::string_view octets :
       {"0\r\n\r\n", "0000\r\n\r\n", "0000000000000000\r\n\r\n", "0;a\r\n\r\n"}) {
    const Decoded decoded = decode_each_way(octets);
    CHECK(decoded.state == State::end);
    CHECK(decoded.body.empty());
    CHECK(decoded.trailers == "\r\n");
    CHECK(decoded.consumed == octets.size());
  }
}

TEST_CASE("each beginning of a body wants more, and hands out what came") {
  const std::string_view octets = "3;a=\"b\"\r\nabc\r\n0\r\nX: y\r\n\r\n";
  for (std::size_t n = 0; n < octets.size(); ++n) {
    CAPTURE(n);
    const Decoded decoded = decode(octets.substr(0, n));
    CHECK(decoded.state == State::more);
    CHECK(decoded.body == std::string_view("abc").substr(0, n < 9 ? 0 : n - 9));
  }
}

TEST_CASE("what follows the end is neither looked at nor changed") {
  const std::string_view body = "3\r\nabc\r\n0\r\nX: y\t\r\n\r\n";
  const std::string_view next = "GET / HTTP/1.1\nbare\r \t\r\n";
  for (const std::size_t piece : {0u, 1u, 5u}) {
    Reader reader(Limits{});
    const std::string octets = std::string(body) + std::string(next);
    const std::size_t step = piece == 0 ? octets.size() : piece;
    for (std::size_t at = 0; at < octets.size(); at += step)
      reader.receive(std::string_view(octets).substr(at, step));
    CHECK(reader.decoded.state == State::end);
    CHECK(reader.decoded.consumed == body.size());
    CHECK(reader.decoded.trailers == "X: y \r\n\r\n");
    CHECK(reader.waiting() == next);
  }
}

TEST_CASE("a chunk size is hexadecimal digits and nothing else") {
  CHECK(refused_body("a\r\n0123456789\r\n0\r\n\r\n") == 0);
  CHECK(refused_body("A\r\n0123456789\r\n0\r\n\r\n") == 0);
  CHECK(refused_body("0000000000000003\r\nabc\r\n0\r\n\r\n") == 0);
  for (const char* line : {"", " 3", "\t3", "3 ", "3\t", "+3", "-3", "0x3", "x", "3g", "3.", "3,", "3_0", "g",
                           "\"3\"", "3\v", "3\x80"}) {
    CAPTURE(std::string(line));
    CHECK(refused_body(std::string(line) + "\r\nabc\r\n0\r\n\r\n") == 400);
    CHECK(refused_body("1\r\nx\r\n" + std::string(line) + "\r\nabc\r\n0\r\n\r\n") == 400);
  }
  CHECK(refused_body(std::string("3\0\r\nabc\r\n0\r\n\r\n", 14)) == 400);
}

TEST_CASE("a chunk size that no length can be is too large") {
  CHECK(refused_body("7fffffffffffffff\r\nabc") == 1);
  CHECK(refused_body("8000000000000000\r\nabc") == 413);
  CHECK(refused_body("ffffffffffffffff\r\nabc") == 413);
  CHECK(refused_body("10000000000000003\r\nabc") == 413);
  CHECK(refused_body("00000000000000003\r\nabc") == 413);
  Limits limits;
  limits.chunk_size_digits = 2;
  CHECK(refused_body("03\r\nabc\r\n0\r\n\r\n", limits) == 0);
  CHECK(refused_body("003\r\nabc\r\n0\r\n\r\n", limits) == 413);
}

TEST_CASE("every line ends in CRLF, and so does data") {
  for (const std::string_view octets :
       {"3\nabc\r\n0\r\n\r\n", "3\r\rabc\r\n0\r\n\r\n", "3\rabc\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n",
        "3\r\nabc0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc\rX0\r\n\r\n", "3\r\nab\r\n0\r\n\r\n",
        "3\r\nabc\r\n\r\n0\r\n\r\n", "\r\n3\r\nabc\r\n", "3;a\nabc\r\n0\r\n\r\n",
        "3;a\rb\r\nabc\r\n0\r\n\r\n", "3;a=\"b\nc\"\r\nabc\r\n", "3;a=\"b\rc\"\r\nabc\r\n", "3;a=\"b\r\n",
        "3\r\nabc\r\n0\n\r\n", "3\r\nabc\r\n0\r\r\n", "3\r\nabc\r\n0\rX"}) {
    CAPTURE(std::string(octets));
    CHECK(refused_body(octets) == 400);
  }
}

TEST_CASE("chunk extensions: the legal ones are ignored, the others refused") {
  for (const char* extension :
       {";a", ";a;b", ";a=b", ";a=b;c=d", " ;a", "\t; a", ";a =b", ";a= b", ";a\t=\tb", ";a=\"\"",
        ";a=\"b c\"", ";a=\"b\\\"c\"", ";a=\"b\\\\\"", ";a=\"b;c=d\"", ";a=\"b\" ;c", ";a=\"\t\xe9\"",
        ";a=b ;c", ";a ;b", "; a = \"b\" ; c"}) {
    CAPTURE(std::string(extension));
    CHECK(refused_body("3" + std::string(extension) + "\r\nabc\r\n0" + extension + "\r\n\r\n") == 0);
  }
  for (const char* extension :
       {";",         "; ",  ";;a",   ";a;",       ";a=",         ";=b",           ";a=b=c",     ";a b",
        ";a=b c",    ";a ", ";a=b ", ";a=\"b\"c", ";a=\"b\" ",   ";a=\"b",        ";a=\"b\\\"", ";a\"b\"",
        ";a=b\"c\"", ";a@", ";a=@",  ";\xe9",     ";a=\"\x01\"", ";a=\"\\\x7f\"", " a",         ";a\x01"}) {
    CAPTURE(std::string(extension));
    CHECK(refused_body("3" + std::string(extension) + "\r\nabc\r\n0\r\n\r\n") == 400);
    CHECK(refused_body("3\r\nabc\r\n0" + std::string(extension) + "\r\n\r\n") == 400);
  }
}

TEST_CASE("the octets of extensions are bounded by chunk and by message") {
  Limits limits;
  limits.chunk_extension_bytes = 8;
  limits.all_chunk_extension_bytes = 20;
  const std::string chunk = "1;a=\"bcd\"\r\nx\r\n";  // eight octets of extension
  CHECK(refused_body(chunk + "0\r\n\r\n", limits) == 0);
  CHECK(refused_body("1;a=\"bcde\"\r\nx\r\n0\r\n\r\n", limits) == 413);
  CHECK(refused_body("1        ;a", limits) == 413);
  CHECK(refused_body(chunk + chunk + "0;abc\r\n\r\n", limits) == 0);
  CHECK(refused_body(chunk + chunk + "0;abcd\r\n\r\n", limits) == 413);
  CHECK(refused_body("1;" + std::string(4095, 'a') + "\r\nx\r\n0\r\n\r\n") == 0);
  CHECK(refused_body("1;" + std::string(4096, 'a') + "\r\nx\r\n0\r\n\r\n") == 413);
  std::string many;
  for (int i = 0; i < 4; ++i) many += "1;" + std::string(4095, 'a') + "\r\nx\r\n";
  CHECK(refused_body(many + "0\r\n\r\n") == 0);
  CHECK(refused_body(many + "0;a\r\n\r\n") == 413);
}

TEST_CASE("random bodies in random pieces are what they were made of") {
  std::mt19937 random(20240721);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int run = 0; run < 300; ++run) {
    std::string body, octets;
    for (std::size_t chunks = below(6); chunks > 0; --chunks) {
      std::string data(1 + below(300), '\0');
      for (char& c : data) c = "\r\n0;ab"[below(6)];
      char size[20];
      std::snprintf(size, sizeof size, below(2) == 0 ? "%zx" : "%05zX", data.size());
      octets += size + std::string(below(2) == 0 ? "" : ";n=\"v\\\"\"") + "\r\n" + data + "\r\n";
      body += data;
    }
    const std::string trailers = below(2) == 0 ? "\r\n" : "A: b\r\nC:d\r\n\r\n";
    octets += "0\r\n" + trailers;
    Reader reader(Limits{});
    const std::string all = octets + "next";
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t piece = 1 + below(40);
      reader.receive(std::string_view(all).substr(at, piece));
      at += piece;
    }
    CHECK(reader.decoded.state == State::end);
    CHECK(reader.decoded.body == body);
    CHECK(reader.decoded.trailers == trailers);
    CHECK(reader.decoded.consumed == octets.size());
    CHECK(reader.waiting() == "next");
  }
}

TEST_CASE("damaged bodies are answered alike in random pieces") {
  std::mt19937 random(4711);
  const std::string_view good = "5\r\nhello\r\n3 ; a=\"b\"\r\nabc\r\n0\r\nX: y\r\n\r\n";
  for (int run = 0; run < 3000; ++run) {
    std::string octets(good);
    for (unsigned faults = 1 + random() % 2; faults > 0; --faults) {
      octets[random() % octets.size()] = "\r\n\t 0;=:\"\\a\x7f"[random() % 12];
    }
    const Decoded whole = decode(octets);
    Reader reader(Limits{});
    for (std::size_t at = 0; at < octets.size();) {
      const std::size_t piece = 1 + random() % 5;
      reader.receive(std::string_view(octets).substr(at, piece));
      at += piece;
    }
    CAPTURE(octets);
    CHECK(reader.decoded == whole);
  }
}

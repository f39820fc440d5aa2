#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/response.hpp>

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;
using namespace std::string_view_literals;

namespace {

constexpr base::RecordRoom tls13{5, 17, 16384};
constexpr std::string_view date = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr ResponseFacts get{11, false, true};
constexpr ResponseFacts head{11, true, true};

struct Exchange {
  std::unique_ptr<base::SendBuffer> cells = std::make_unique<base::SendBuffer>(tls13);
  OwnedRegion region;
  Response response;

  explicit Exchange(const ResponseFacts& facts = get) : response(*region, facts, no_thread) {
    response.attach(*cells, {date, {}});
  }

  [[nodiscard]] std::string_view cell() const { return base::as_text(cells->cell()); }
  [[nodiscard]] const char* cell_end() const { return reinterpret_cast<const char*>(cells->window().data()); }

  /// What a session does without records, so that tests can read the answer: the cell is moved to `out` when
  /// full.
  [[nodiscard]] std::string send(std::size_t most = 16384) {
    std::string out;
    const auto flush = [&] {
      out += cell();
      cells->unwrite(cells->cell().size());
    };
    response.finish();
    while (!response.head_written()) {
      const std::size_t n = response.write_head(*cells).value();
      if (n == 0) flush();
    }
    flush();
    while (response.remaining() != 0) {
      const base::Bytes octets = response.next(most);
      REQUIRE(!octets.empty());
      REQUIRE(octets.size() <= most);
      out += base::as_text(octets);
      response.took(octets.size());
    }
    return out;
  }
};

std::string expected(std::string_view status_line, std::string_view lines, std::string_view body) {
  return "HTTP/1.1 " + std::string(status_line) + "\r\nDate: " + std::string(date) + "\r\n" +
         std::string(lines) + "\r\n" + std::string(body);
}

/// A body that counts its deaths and gives pieces of its own size.
class Counted final : public Body {
 public:
  Counted(int& deaths, std::size_t piece, std::size_t until)
      : deaths_(&deaths), piece_(piece), left_(until) {}
  ~Counted() override { ++*deaths_; }
  std::string_view next(std::size_t most) noexcept override {
    const std::size_t n = std::min({most, piece_, left_});
    left_ -= n;
    return std::string_view("yyyyyyyyyyyyyyyy").substr(0, n);
  }

 private:
  int* deaths_;
  std::size_t piece_;
  std::size_t left_;
};

}  // namespace

TEST_CASE("a handler that sets nothing answers 200 with an empty body") {
  Exchange exchange;
  CHECK(exchange.send() == expected("200 OK", "Content-Length: 0\r\n", ""));
  CHECK(exchange.response.keep_alive());
}

TEST_CASE("text: a whole answer, in the cell") {
  Exchange exchange;
  CHECK(exchange.response.text(status::ok, "hello ", std::string("you"), "\n"));
  exchange.response.finish();
  CHECK(exchange.response.head_written());
  CHECK(exchange.response.remaining() == 0);
  CHECK(exchange.response.octets_in_cell() == exchange.cell().size());
  CHECK(exchange.response.body_bytes() == 10);
  CHECK(exchange.cell() == expected("200 OK",
                                    "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 10\r\n",
                                    "hello you\n"));
}

TEST_CASE("body(n) that fits lies in the cell, behind its head") {
  Exchange exchange;
  CHECK(exchange.response.header(field::content_type, "image/png"));
  const std::span<char> body = exchange.response.body(4);
  REQUIRE(body.size() == 4);
  CHECK(body.data() + 4 == exchange.cell_end());
  CHECK(body.data() > exchange.cell().data());
  CHECK(std::string_view(body.data(), 4) == "\0\0\0\0"sv);
  std::memcpy(body.data(), "abcd", 4);
  CHECK(!exchange.response.header("X", "late"));
  CHECK(!exchange.response.status(status::accepted));
  exchange.response.finish();
  CHECK(exchange.cell() == expected("200 OK", "Content-Type: image/png\r\nContent-Length: 4\r\n", "abcd"));
}

TEST_CASE("body(n) fits to the octet, and one more goes to the region") {
  Exchange probe;
  REQUIRE(probe.response.body(10000).size() == 10000);
  const std::size_t head_bytes = probe.cell().size() - 10000;  // 5 digits of length, as below
  const std::size_t room = tls13.max_plaintext - head_bytes;

  Exchange fits;
  const std::span<char> inside = fits.response.body(room);
  CHECK(inside.data() + room == fits.cell_end());
  CHECK(fits.cell().size() == tls13.max_plaintext);
  CHECK(fits.cells->window().empty());

  Exchange over;
  const std::span<char> outside = over.response.body(room + 1);
  REQUIRE(outside.size() == room + 1);
  CHECK(over.cell().empty());
  CHECK(over.response.header("X", "in time"));
  over.response.finish();
  CHECK(over.response.head_written());
  CHECK(over.response.remaining() == room + 1);
  CHECK(over.response.next(100).data() == reinterpret_cast<const std::uint8_t*>(outside.data()));
  CHECK(over.cell().find("X: in time\r\n") != std::string_view::npos);
}

TEST_CASE("answers share a cell while they fit; the next one waits for a fresh cell") {
  Exchange exchange;
  exchange.cells->wrote(16384 - 20);
  CHECK(exchange.response.text(status::ok, "hello"));
  exchange.response.finish();
  CHECK(!exchange.response.head_written());
  CHECK(exchange.response.octets_in_cell() == 0);
  CHECK(exchange.cell().size() == 16384 - 20);
  CHECK(exchange.response.write_head(*exchange.cells) == 0);
  exchange.cells->sealed(16384 - 20 + 22);
  const std::size_t n = exchange.response.write_head(*exchange.cells).value();
  CHECK(n > 100);
  CHECK(exchange.response.head_written());
  CHECK(exchange.response.remaining() == 5);
  CHECK(base::as_text(exchange.response.next(16384)) == "hello");
}

TEST_CASE("small foreign bodies are copied behind the head, long ones stay in their place") {
  static const std::string page(5000, 'p');
  const std::string_view small = std::string_view(page).substr(0, 4096);
  Exchange copied;
  CHECK(copied.response.view(small));
  copied.response.finish();
  CHECK(copied.response.remaining() == 0);
  CHECK(copied.cell().ends_with(small));

  Exchange stays;
  CHECK(stays.response.view(page));
  stays.response.finish();
  CHECK(stays.response.head_written());
  CHECK(stays.response.remaining() == 5000);
  CHECK(base::as_text(stays.response.next(3000)).data() == page.data());
  CHECK(stays.response.next(3000).size() == 3000);
  stays.response.took(2999);
  CHECK(base::as_text(stays.response.next(3000)).data() == page.data() + 2999);
  CHECK(stays.response.next(3000).size() == 2001);
  stays.response.took(2001);
  CHECK(stays.response.remaining() == 0);
  CHECK(stays.response.next(3000).empty());
}

TEST_CASE("a string that was taken over is sent from its place") {
  std::string long_text(100000, 's');
  const char* place = long_text.data();
  Exchange exchange;
  CHECK(exchange.response.own(std::move(long_text)));
  exchange.response.finish();
  CHECK(base::as_text(exchange.response.next(10)).data() == place);
  CHECK(exchange.send().ends_with(std::string(100, 's')));
}

TEST_CASE("repeat yields the one buffer again and again, to the octet") {
  static const std::string x(65536, 'x');
  Exchange exchange;
  CHECK(exchange.response.repeat(x, 3 * 65536 + 5));
  exchange.response.finish();
  CHECK(exchange.cell().ends_with("Content-Length: 196613\r\n\r\n"));
  std::uint64_t total = 0;
  while (exchange.response.remaining() != 0) {
    const base::Bytes octets = exchange.response.next(16384);
    REQUIRE(!octets.empty());
    CHECK(reinterpret_cast<const char*>(octets.data()) == x.data() + total % 65536);
    total += octets.size();
    exchange.response.took(octets.size());
  }
  CHECK(total == 3 * 65536 + 5);
  Exchange gigabyte;
  CHECK(gigabyte.response.repeat(x, 1u << 30));
  gigabyte.response.finish();
  CHECK(gigabyte.response.remaining() == 1u << 30);
}

TEST_CASE("a Body is destroyed with its response, or with its replacement") {
  int deaths = 0;
  {
    Exchange exchange;
    auto* body = (*exchange.region).make<Counted>(deaths, std::size_t{3}, std::size_t{10});
    CHECK(exchange.response.body_from(*body, 10));
    CHECK(exchange.send().ends_with("\r\n\r\nyyyyyyyyyy"));
    CHECK(deaths == 0);
  }
  CHECK(deaths == 1);
  Exchange exchange;
  auto* body = (*exchange.region).make<Counted>(deaths, std::size_t{3}, std::size_t{10});
  CHECK(exchange.response.body_from(*body, 10));
  CHECK(exchange.response.text(status::ok, "instead"));
  CHECK(deaths == 2);
  CHECK(exchange.send().ends_with("\r\n\r\ninstead"));
}

TEST_CASE("a Body that ends early says so") {
  int deaths = 0;
  Exchange exchange;
  auto* body = (*exchange.region).make<Counted>(deaths, std::size_t{8}, std::size_t{8});
  CHECK(exchange.response.body_from(*body, 5000));
  exchange.response.finish();
  CHECK(exchange.response.next(16).size() == 8);
  exchange.response.took(8);
  CHECK(exchange.response.next(16).empty());
  CHECK(exchange.response.remaining() == 4992);
}

TEST_CASE("HEAD keeps Content-Length and sends no body") {
  static const std::string page(5000, 'p');
  const std::string lines = "Content-Length: 5000\r\n";
  Exchange viewed(head);
  CHECK(viewed.response.view(page));
  CHECK(viewed.send() == expected("200 OK", lines, ""));
  Exchange copied(head);
  CHECK(copied.response.body(page));
  CHECK(copied.send() == expected("200 OK", lines, ""));
  Exchange filled(head);
  const std::span<char> body = filled.response.body(5000);
  CHECK(body.size() == 5000);
  std::memset(body.data(), 'p', 5000);
  CHECK(filled.send() == expected("200 OK", lines, ""));
  Exchange repeated(head);
  CHECK(repeated.response.repeat(page, 1u << 30));
  CHECK(repeated.send() == expected("200 OK", "Content-Length: 1073741824\r\n", ""));
}

TEST_CASE("204 and 304 have neither body nor length; 205 has the length 0") {
  for (const status code : {status::no_content, status::not_modified}) {
    Exchange exchange;
    CHECK(exchange.response.status(code));
    CHECK(exchange.response.body("none"));
    const std::string sent = exchange.send();
    CHECK(sent.ends_with("GMT\r\n\r\n"));
    CHECK(sent.find("Content-Length") == std::string::npos);
  }
  Exchange later;
  CHECK(later.response.view("none"));
  CHECK(later.response.status(status::no_content));
  CHECK(later.send() == expected("204 No Content", "", ""));
  Exchange reset;
  CHECK(reset.response.status(status::reset_content));
  CHECK(reset.response.body("none"));
  CHECK(reset.send() == expected("205 Reset Content", "Content-Length: 0\r\n", ""));
}

TEST_CASE("Connection is said where the version's default is not meant") {
  const auto connection = [](unsigned version, bool keep) {
    Exchange exchange({static_cast<std::uint8_t>(version), false, keep});
    const std::string sent = exchange.send();
    const std::size_t at = sent.find("Connection: ");
    return at == std::string::npos ? "" : sent.substr(at + 12, sent.find('\r', at) - at - 12);
  };
  CHECK(connection(11, true).empty());
  CHECK(connection(11, false) == "close");
  CHECK(connection(10, true) == "keep-alive");
  CHECK(connection(10, false) == "close");
  Exchange closing;
  closing.response.close();
  CHECK(closing.send().find("Connection: close\r\n") != std::string::npos);
  CHECK(!closing.response.keep_alive());
}

TEST_CASE("what would break out of a header field is refused, and the answer becomes 500") {
  const auto becomes_500 = [](auto&& set) {
    Exchange exchange;
    CHECK(!set(exchange.response));
    CHECK(exchange.response.text(status::ok, "unheard"));
    const std::string sent = exchange.send();
    CHECK(!exchange.response.fault().empty());
    return sent.starts_with("HTTP/1.1 500 Internal Server Error\r\n") &&
           sent.find("unheard") == std::string::npos && sent.find("evil") == std::string::npos;
  };
  for (const std::string_view value :
       {"a\r\nevil: 1"sv, "a\nevil: 1"sv, "a\revil: 1"sv, "a\0evil"sv, "evil\x01"sv, "evil\x7f"sv}) {
    CHECK(becomes_500([&](Response& response) { return response.header(field::location, value); }));
    CHECK(becomes_500([&](Response& response) { return response.header("X-Other", value); }));
  }
  for (const std::string_view name : {""sv, "X evil"sv, "evil:"sv, "evil\r\nX"sv, "evil\xe9"sv}) {
    CHECK(becomes_500([&](Response& response) { return response.header(name, "x"); }));
  }
  for (const std::string_view name : {"Content-Length"sv, "transfer-encoding"sv, "Connection"sv, "Date"sv}) {
    CHECK(becomes_500([&](Response& response) { return response.header(name, "evil"); }));
  }
  CHECK(becomes_500([](Response& response) { return response.status(status::continue_); }));
  CHECK(becomes_500([](Response& response) { return response.header("X", std::string(70000, 'v')); }));
}

TEST_CASE("header fields are copied as they are set") {
  Exchange exchange;
  {
    std::string name = "X-A", value = "one\ttwo\xe9";
    CHECK(exchange.response.header(name, value));
    CHECK(exchange.response.header(field::set_cookie, value));
    name = value = "zzzzzzzzzzz";
  }
  for (int i = 0; i < 50; ++i) CHECK(exchange.response.header("X-Many", "0123456789"));
  const std::string sent = exchange.send();
  CHECK(sent.find("X-A: one\ttwo\xe9\r\nSet-Cookie: one\ttwo\xe9\r\nX-Many: 0123456789\r\n") !=
        std::string::npos);
  CHECK(sent.ends_with("X-Many: 0123456789\r\nContent-Length: 0\r\n\r\n"));
}

TEST_CASE("an error takes back what was written to the cell, and leaves earlier answers alone") {
  Exchange exchange;
  std::memcpy(exchange.cells->window().data(), "earlier", 7);
  exchange.cells->wrote(7);
  CHECK(exchange.response.header("X-Secret", "1"));
  std::memcpy(exchange.response.body(6).data(), "secret", 6);
  exchange.response.reset_to_error(status::internal_server_error, "failed");
  exchange.response.finish();
  CHECK(exchange.cell() ==
        "earlier" + expected("500 Internal Server Error",
                             "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 7\r\n", "failed\n"));
  CHECK(exchange.response.octets_in_cell() == exchange.cell().size() - 7);
  exchange.response.reset_to_error(status::not_found, "too late");
  CHECK(exchange.cell().ends_with("failed\n"));
}

TEST_CASE("a body set again replaces the one before") {
  Exchange exchange;
  CHECK(exchange.response.body("first"));
  CHECK(exchange.response.body("the second"));
  CHECK(exchange.send() == expected("200 OK", "Content-Length: 10\r\n", "the second"));
}

TEST_CASE("a head longer than any cell is written in parts") {
  Exchange exchange;
  exchange.cells->set_record_room({5, 17, 64});
  CHECK(exchange.response.header("X-Long", std::string(300, 'v')));
  CHECK(exchange.response.body("body"));
  CHECK(exchange.send() ==
        expected("200 OK", "X-Long: " + std::string(300, 'v') + "\r\nContent-Length: 4\r\n", "body"));
}

TEST_CASE("a status that Beast does not know has an empty phrase") {
  Exchange exchange;
  CHECK(exchange.response.status(static_cast<status>(299)));
  CHECK(exchange.send().starts_with("HTTP/1.1 299 \r\n"));
}

TEST_CASE("a refusal needs neither request nor region") {
  std::string out(400, '#');
  const base::MutBytes room{reinterpret_cast<std::uint8_t*>(out.data()), out.size()};
  const std::size_t n = write_refusal(room, status::bad_request, "no Host field", date);
  CHECK(out.substr(0, n) ==
        expected("400 Bad Request",
                 "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 14\r\nConnection: close\r\n",
                 "no Host field\n"));
  CHECK(out[n] == '#');
  CHECK(write_refusal(room.first(n - 1), status::bad_request, "no Host field", date) == 0);
}

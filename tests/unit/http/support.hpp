// What the tests of http/ share: a region with an owner, and heads fed in pieces.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <signet/base/recv_buffer.hpp>
#include <signet/base/region.hpp>
#include <signet/base/send_buffer.hpp>
#include <signet/http/dispatch.hpp>
#include <signet/http/parser.hpp>

namespace signet::http::test {

struct OwnedRegion {
  base::Region* region = base::Region::open();
  OwnedRegion() = default;
  OwnedRegion(const OwnedRegion&) = delete;
  OwnedRegion& operator=(const OwnedRegion&) = delete;
  ~OwnedRegion() { region->close(); }
  base::Region& operator*() const { return *region; }
};

/// A head that was read from octets of its own.
struct ReadHead {
  std::string octets;  // and what a JSON parser may read behind them
  OwnedRegion region;
  Parser parser;
  RequestHead head;

  explicit ReadHead(std::string_view text)
      : octets(std::string(text) + std::string(PaddedBody::padding, '#')) {
    REQUIRE(parser.parse(all(), Limits{}, *region, head) == Parser::State::complete);
  }
  [[nodiscard]] base::MutBytes all() {
    return {reinterpret_cast<std::uint8_t*>(octets.data()), octets.size() - PaddedBody::padding};
  }
  /// What lies behind the head.
  [[nodiscard]] base::MutBytes behind() { return all().subspan(parser.head_bytes()); }
  /// What was received goes.
  void spoil() { std::fill(octets.begin(), octets.end(), '!'); }
};

/// An exchange that no other thread can reach.
inline Awaited no_thread;

/// What a session does with a request that is there as a whole, in its order.
inline void serve(const Dispatcher& dispatcher, Request& request, base::MutBytes body, Response& response,
                  base::SendBuffer& cells, std::string_view date = {}) {
  const auto begun = dispatcher.begin(request, response);
  response.attach(cells, {date, {}});
  if (begun.next == Dispatcher::Begun::Next::handler) {
    request.set_body(body);
    dispatcher.call(*begun.route, request, response);
  }
  dispatcher.finish(begun.route, request, response);
}

/// The whole answer to a request of these octets, whose body lies behind its head.
inline std::string answer_of(const Dispatcher& dispatcher, std::string_view octets) {
  ReadHead read(octets);
  Request request(read.head, *read.region, no_thread);
  const auto cells = std::make_unique<base::SendBuffer>(base::no_record_room);
  Response response(*read.region, ResponseFacts::of(read.head), no_thread);
  serve(dispatcher, request, read.behind(), response, *cells);
  CHECK(response.head_written());
  CHECK(response.remaining() == 0);
  return std::string(base::as_text(cells->cell()));
}

/// What became of some octets, as plain values that can be compared.
struct Outcome {
  Parser::State state = Parser::State::more;
  unsigned status = 0;
  std::string text;
  std::size_t head_bytes = 0;
  std::uint64_t content_length = 0;
  std::string method, target, path, query, host, headers;
  unsigned version = 0;
  bool keep_alive = false;
  bool expects_continue = false;
  bool chunked = false;
  bool operator==(const Outcome&) const = default;
};

/// Feeds `octets` in pieces of `piece` (0: whole) to a fresh parser, as a session does.
inline Outcome parse(std::string_view octets, std::size_t piece = 0, const Limits& limits = {}) {
  std::string received;
  received.reserve(octets.size());
  OwnedRegion region;
  Parser parser;
  RequestHead head;
  Outcome outcome;
  const std::size_t step = piece == 0 ? std::max<std::size_t>(octets.size(), 1) : piece;
  for (std::size_t at = 0; at < octets.size() && outcome.state == Parser::State::more; at += step) {
    received += octets.substr(at, step);
    outcome.state = parser.parse({reinterpret_cast<std::uint8_t*>(received.data()), received.size()}, limits,
                                 *region, head);
  }
  if (outcome.state == Parser::State::refused) {
    outcome.status = static_cast<unsigned>(parser.refusal().status);
    outcome.text = parser.refusal().text;
  }
  if (outcome.state != Parser::State::complete) return outcome;
  outcome.head_bytes = parser.head_bytes();
  outcome.content_length = head.content_length;
  outcome.method = head.method_string;
  outcome.target = head.target;
  outcome.path = head.path;
  outcome.query = head.query;
  outcome.host = head.host;
  outcome.version = head.version;
  outcome.keep_alive = head.keep_alive;
  outcome.expects_continue = head.expects_continue;
  outcome.chunked = head.chunked;
  for (const Header& header : head.headers) {
    outcome.headers += std::string(header.name) + "=" + std::string(header.value) + "|";
  }
  return outcome;
}

/// The status that a head is refused with; 0 when it is served, 1 when more is wanted. Whole and in pieces
/// alike.
inline unsigned refused(std::string_view octets, const Limits& limits = {}) {
  const Outcome whole = parse(octets, 0, limits);
  for (const std::size_t piece : {1u, 3u, 7u}) {
    if (parse(octets, piece, limits) != whole) return 2;
  }
  if (whole.state == Parser::State::complete) return 0;
  return whole.state == Parser::State::more ? 1 : whole.status;
}

/// A head of HTTP/1.1 with a Host field and these lines.
inline std::string with(std::string_view lines) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + std::string(lines) + "\r\n";
}

}  // namespace signet::http::test

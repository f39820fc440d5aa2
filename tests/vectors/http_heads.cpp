#include <algorithm>

#include <signet/tests/vectors/http_heads.hpp>

namespace signet::vectors {
namespace {

using Kind = HttpEvent::Kind;
using State = http::Parser::State;

struct Head {
  State state = State::more;
  http::Parser parser;
  HttpEvent event{Kind::request, {}, {}, {}, 0, 0, 0, {}};
  bool keep_alive = false;
};

void copy_head(HttpEvent& event, const http::RequestHead& head, std::size_t head_end) {
  event.method = head.method_string;
  event.target = head.target;
  event.version = head.version;
  event.content_length = head.content_length;
  event.head_end = head_end;
  for (const http::Header& header : head.headers) {
    event.fields.push_back({std::string(header.name), std::string(header.value)});
  }
}

/// Shows the parser ever more of the octets from `at` on, as they would arrive.
Head read_head(const Octets& octets, std::size_t at, std::size_t piece) {
  Head read;
  base::Region* region = base::Region::open();
  Octets received;
  const std::size_t all = octets.size() - at;
  for (std::size_t n = piece == 0 ? all : std::min(piece, all); read.state == State::more;
       n = std::min(n + piece, all)) {
    // Only what has come is there, in an allocation of exactly its size.
    received.insert(received.end(), octets.begin() + static_cast<std::ptrdiff_t>(at + received.size()),
                    octets.begin() + static_cast<std::ptrdiff_t>(at + n));
    received.shrink_to_fit();
    http::RequestHead head;
    read.state = read.parser.parse(received, http::Limits{}, *region, head);
    if (read.state == State::complete) copy_head(read.event, head, at + read.parser.head_bytes());
    read.keep_alive = head.keep_alive;
    if (n == all) break;
  }
  region->close();
  return read;
}

HttpEvent end_of(Kind kind) { return {kind, {}, {}, {}, 0, 0, 0, {}}; }

Kind refusal_kind(const http::Parser& parser) {
  return parser.refusal().status == http::status::not_implemented ? Kind::chunked : Kind::reject;
}

}  // namespace

std::vector<HttpEvent> read_connection(const Octets& octets, std::size_t piece) {
  std::vector<HttpEvent> events;
  const auto ended = [&](Kind kind) {
    events.push_back(end_of(kind));
    return events;
  };
  std::size_t at = 0;
  for (;;) {
    if (at == octets.size()) return ended(Kind::idle);
    Head read = read_head(octets, at, piece);
    if (read.state == State::refused) return ended(refusal_kind(read.parser));
    if (read.state == State::more) return ended(read.parser.idle() ? Kind::idle : Kind::wait);
    at = read.event.head_end;
    if (octets.size() - at < read.event.content_length) return ended(Kind::wait);
    const auto body = octets.begin() + static_cast<std::ptrdiff_t>(at);
    at += read.event.content_length;
    read.event.body.assign(body, octets.begin() + static_cast<std::ptrdiff_t>(at));
    events.push_back(std::move(read.event));
    if (!read.keep_alive) return ended(Kind::close);
  }
}

}  // namespace signet::vectors

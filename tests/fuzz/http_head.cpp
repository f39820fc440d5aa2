// Request heads, whole and in pieces: both are understood alike, and everything that was read lies in the
// head.
//
// Control: bits 0-2 size of the pieces, bit 3 limits that short inputs reach.
#include <signet/http/parser.hpp>
#include <signet/tests/fuzz/input.hpp>
#include <signet/tests/fuzz/require.hpp>

using namespace signet;
using namespace signet::fuzz;
using http::Parser;

namespace {

constexpr std::size_t most_pieces = 256;

http::Limits limits_of(const Input& input) {
  http::Limits limits;
  if (input.control(3, 1) == 0) return limits;
  limits.request_line_bytes = 40;
  limits.head_bytes = 200;
  limits.header_count = 4;
  return limits;
}

struct Region {
  base::Region* region = base::Region::open();
  Region() = default;
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() { region->close(); }
};

// What became of a head; the views point into `received`.
struct Outcome {
  Octets received;
  Region region;
  Parser parser;
  http::RequestHead head;
  Parser::State state = Parser::State::more;

  // Each piece moves everything to a place that ends with it.
  void receive(base::Bytes piece, const http::Limits& limits) {
    Octets longer;
    longer.reserve(received.size() + piece.size());
    longer.assign(received.begin(), received.end());
    longer.insert(longer.end(), piece.begin(), piece.end());
    received.swap(longer);
    state = parser.parse(received, limits, *region.region, head);
  }
};

void require_within(std::string_view part, const Outcome& outcome) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(part.data());
  if (part.empty()) return;
  require(begin >= outcome.received.data() &&
              begin + part.size() <= outcome.received.data() + outcome.parser.head_bytes(),
          "what was read lies in the head");
}

void check(const Outcome& outcome, const http::Limits& limits) {
  if (outcome.state == Parser::State::refused) {
    const http::Refusal refusal = outcome.parser.refusal();
    require(static_cast<unsigned>(refusal.status) >= 400 && !refusal.text.empty(), "a refusal says why");
  }
  if (outcome.state != Parser::State::complete) return;
  const http::RequestHead& head = outcome.head;
  require(outcome.parser.head_bytes() <= outcome.received.size(), "the head was received");
  // Empty lines before the head are not of it.
  require(outcome.parser.head_bytes() <= limits.head_bytes + 2 * http::HeadScan::most_empty_lines &&
              head.headers.size() <= limits.header_count,
          "the limits hold");
  require(head.content_length <= INT64_MAX && !(head.chunked && head.content_length != 0),
          "a body has one length");
  require(!head.target.empty() && (head.version == 10 || head.version == 11),
          "a head has a target and a version");
  for (const std::string_view part : {head.method_string, head.target, head.query, head.host, head.octets})
    require_within(part, outcome);
  if (head.path != "/")
    require_within(head.path, outcome);  // the path that an absolute-form target leaves out
  for (const http::Header& header : head.headers) {
    require(!header.name.empty(), "a header has a name");
    require_within(header.name, outcome);
    require_within(header.value, outcome);
  }
}

bool same_headers(const http::RequestHead& a, const http::RequestHead& b) {
  return std::equal(a.headers.begin(), a.headers.end(), b.headers.begin(), b.headers.end(),
                    [](const http::Header& x, const http::Header& y) {
                      return x.id == y.id && x.name == y.name && x.value == y.value;
                    });
}

void check_same(const Outcome& a, const Outcome& b) {
  require(a.state == b.state, "whole and in pieces end alike");
  if (a.state == Parser::State::refused) {
    require(a.parser.refusal().status == b.parser.refusal().status &&
                a.parser.refusal().text == b.parser.refusal().text,
            "whole and in pieces are refused alike");
  }
  if (a.state != Parser::State::complete) return;
  const http::RequestHead &x = a.head, &y = b.head;
  require(a.parser.head_bytes() == b.parser.head_bytes(), "whole and in pieces the head ends alike");
  require(x.method == y.method && x.method_string == y.method_string && x.target == y.target &&
              x.path == y.path && x.query == y.query && x.host == y.host && x.octets == y.octets &&
              x.content_length == y.content_length && x.chunked == y.chunked && x.version == y.version &&
              x.keep_alive == y.keep_alive && x.expects_continue == y.expects_continue && same_headers(x, y),
          "whole and in pieces are read alike");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input({data, size});
  const base::Bytes content = input.rest();
  if (content.empty()) return 0;
  const http::Limits limits = limits_of(input);
  Outcome whole;
  whole.receive(content, limits);
  check(whole, limits);

  const std::size_t piece = std::max(piece_bytes(input.control(0, 3)), content.size() / most_pieces + 1);
  Outcome pieces;
  for (std::size_t at = 0; at < content.size() && pieces.state == Parser::State::more; at += piece) {
    pieces.receive(content.subspan(at, std::min(piece, content.size() - at)), limits);
  }
  check(pieces, limits);
  check_same(whole, pieces);
  return 0;
}

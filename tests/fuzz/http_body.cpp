// Bodies in chunks, whole and cut anywhere: both are decoded alike, and as a slow decoder written from the
// grammar does.
//
// Control: bit 0 limits that short inputs reach. Then sizes of pieces, counted, taken in turn; the rest is
// the body.
#include <optional>
#include <string>

#include <signet/http/chunked.hpp>
#include <signet/http/trailers.hpp>
#include <signet/tests/fuzz/chunks_by_grammar.hpp>
#include <signet/tests/fuzz/input.hpp>
#include <signet/tests/fuzz/require.hpp>

using namespace signet;
using namespace signet::fuzz;
using http::ChunkedDecoder;
using State = ChunkedDecoder::State;

namespace {

constexpr std::size_t most_pieces = 256;

http::Limits limits_of(const Input& input) {
  http::Limits limits;
  if (input.control(0, 1) == 0) return limits;
  limits.head_bytes = 60;
  limits.header_count = 3;
  limits.chunk_size_digits = 5;
  limits.chunk_extension_bytes = 12;
  limits.all_chunk_extension_bytes = 20;
  return limits;
}

/// What became of a body, and what was not consumed of the octets that came.
struct Outcome {
  State state = State::more;
  std::string body;
  std::string trailers;
  std::size_t consumed = 0;
  http::Refusal refusal;
  Octets waiting;
  ChunkedDecoder decoder;

  /// Each piece moves what waits to a place that ends with it.
  void receive(base::Bytes piece, const http::Limits& limits) {
    Octets longer;
    longer.reserve(waiting.size() + piece.size());
    longer.assign(waiting.begin(), waiting.end());
    longer.insert(longer.end(), piece.begin(), piece.end());
    waiting.swap(longer);
    std::size_t at = 0;
    while (step(base::MutBytes(waiting).subspan(at), at, limits)) {
    }
    consumed += at;
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(at));
  }

 private:
  /// Takes a step and moves `at` on; false when there is nothing more to do with what came.
  bool step(base::MutBytes input, std::size_t& at, const http::Limits& limits) {
    const ChunkedDecoder::Step got = decoder.next(input, limits);
    if (state == State::end || state == State::refused) {
      require(got.state == state && got.consumed == 0 && got.data.empty(), "what is over stays so");
      require(state == State::end || decoder.refusal().text == refusal.text, "a refusal stays the same");
      return false;
    }
    require(got.consumed <= input.size(), "no more is consumed than came");
    if (!got.data.empty()) {
      require(
          got.data.data() >= input.data() && got.data.data() + got.data.size() == input.data() + got.consumed,
          "what is handed out ends what is consumed");
    }
    at += got.consumed;
    state = got.state;
    switch (got.state) {
      case State::data:
        require(!got.data.empty(), "a piece of the body is not empty");
        body.append(base::as_text(got.data));
        return true;
      case State::end:
        trailers = base::as_text(got.data);
        break;
      case State::refused:
        refusal = decoder.refusal();
        require(static_cast<unsigned>(refusal.status) >= 400 && !refusal.text.empty(), "a refusal says why");
        [[fallthrough]];
      case State::more:
        require(got.data.empty(), "only a body and its end hand something out");
    }
    const ChunkedDecoder::Step again = decoder.next(input.subspan(got.consumed), limits);
    require(again.state == state && again.consumed == 0 && again.data.empty(),
            "asking again changes nothing");
    return false;
  }
};

void check_same(const Outcome& a, const Outcome& b) {
  require(a.state == b.state && a.consumed == b.consumed, "whole and in pieces end alike");
  require(a.body == b.body && a.trailers == b.trailers, "whole and in pieces are decoded alike");
  require(a.refusal.status == b.refusal.status && a.refusal.text == b.refusal.text,
          "whole and in pieces are refused alike");
}

void check_trailers(const std::string& section, const std::vector<FieldByGrammar>& fields) {
  base::Region* region = base::Region::open();
  const auto read = http::read_trailers(section, *region);
  require(read.has_value(), "there is memory for trailer fields");
  auto at = read->begin();
  for (const FieldByGrammar& field : fields) {
    if (comes_too_late(field.name)) continue;
    require(at != read->end() && at->name == field.name && at->value == field.value,
            "trailer fields are read as the grammar says");
    ++at;
  }
  require(at == read->end(), "no trailer field comes from elsewhere");
  region->close();
}

void check_by_grammar(const Outcome& whole, base::Bytes content, const http::Limits& limits) {
  const auto expected = chunks_by_grammar(base::as_text(content), limits);
  require(expected.has_value() == (whole.state == State::end), "the grammar accepts the same bodies");
  if (!expected) return;
  require(expected->body == whole.body && expected->octets == whole.consumed,
          "the grammar reads the same body");
  check_trailers(whole.trailers, expected->trailers);
  const auto behind = content.subspan(whole.consumed);
  require(std::equal(whole.waiting.begin(), whole.waiting.end(), behind.begin(), behind.end()),
          "what lies behind a body stays as it is");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input({data, size});
  const http::Limits limits = limits_of(input);
  const base::Bytes cuts = input.counted();
  const base::Bytes content = input.rest();
  if (content.empty()) return 0;
  Outcome whole;
  whole.receive(content, limits);
  check_by_grammar(whole, content, limits);

  Outcome pieces;
  for (std::size_t at = 0, n = 0; at < content.size(); n++) {
    const std::size_t cut = cuts.empty() ? 1 : std::size_t{cuts[n % cuts.size()]} + 1;
    const std::size_t piece = std::min(std::max(cut, content.size() / most_pieces + 1), content.size() - at);
    pieces.receive(content.subspan(at, piece), limits);
    at += piece;
  }
  check_same(whole, pieces);
  return 0;
}

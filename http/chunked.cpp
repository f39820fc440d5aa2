#include <algorithm>

#include <signet/http/ascii.hpp>
#include <signet/http/chunked.hpp>
#include <signet/http/trailers.hpp>

namespace signet::http {
namespace {

constexpr std::uint64_t most_chunk_bytes = INT64_MAX;

/// qdtext and the octets that a backslash may stand before (RFC 9110 section 5.6.4): all but controls, and
/// HTAB.
constexpr bool is_text(char c) noexcept {
  const auto octet = static_cast<unsigned char>(c);
  return octet == '\t' || (octet >= 0x20 && octet != 0x7f);
}

constexpr bool is_token_octet(char c) noexcept { return token_octets[static_cast<unsigned char>(c)]; }

}  // namespace

ChunkedDecoder::Step ChunkedDecoder::next(base::MutBytes input, const Limits& limits) noexcept {
  if (phase_ == Phase::end) return {State::end, 0, {}};
  if (phase_ == Phase::refused) return {State::refused, 0, {}};
  const std::size_t at = read_size_line(input, limits);
  if (phase_ == Phase::data) return take_data(input, at);
  if (phase_ == Phase::trailers) return take_trailers(input, at, limits);
  return {phase_ == Phase::refused ? State::refused : State::more, at, {}};
}

/// Reads up to the next chunk's data or the trailer section, the line end of the last chunk included; answers
/// how far.
std::size_t ChunkedDecoder::read_size_line(base::Bytes input, const Limits& limits) noexcept {
  std::size_t at = 0;
  while (at < input.size() && phase_ != Phase::data && phase_ != Phase::trailers) {
    take(input[at], limits);
    if (phase_ == Phase::refused) break;
    ++at;
  }
  return at;
}

void ChunkedDecoder::take(std::uint8_t octet, const Limits& limits) noexcept {
  const auto c = static_cast<char>(octet);
  if (phase_ == Phase::data_cr) return expect(c, '\r', Phase::data_lf, Fault::data_end);
  if (phase_ == Phase::data_lf) return expect(c, '\n', Phase::first_digit, Fault::data_end);
  if (phase_ == Phase::size_lf) return end_size_line(c);
  const bool in_size = phase_ == Phase::first_digit || phase_ == Phase::size;
  if (in_size && hex_value(c) >= 0) return take_digit(c, limits);
  if (c == '\r' && may_end_line()) return expect(c, '\r', Phase::size_lf, Fault::line_end);
  if (c == '\r' || c == '\n') return refuse(phase_ == Phase::first_digit ? Fault::size : Fault::line_end);
  take_extension_octet(c);
  if (phase_ != Phase::refused) count_extension_octet(limits);
}

void ChunkedDecoder::expect(char c, char wanted, Phase then, Fault otherwise) noexcept {
  if (c != wanted) return refuse(otherwise);
  phase_ = then;
}

void ChunkedDecoder::end_size_line(char c) noexcept {
  expect(c, '\n', left_ == 0 ? Phase::trailers : Phase::data, Fault::line_end);
  digits_ = 0;
  chunk_extension_bytes_ = 0;
}

/// Whether what was read of a chunk's first line is whole.
bool ChunkedDecoder::may_end_line() const noexcept {
  return phase_ == Phase::size || phase_ == Phase::name || phase_ == Phase::value ||
         phase_ == Phase::after_quoted;
}

void ChunkedDecoder::take_digit(char c, const Limits& limits) noexcept {
  phase_ = Phase::size;
  if (digits_ == limits.chunk_size_digits || left_ > most_chunk_bytes >> 4) return refuse(Fault::large_size);
  ++digits_;
  left_ = (left_ << 4) | static_cast<std::uint64_t>(hex_value(c));
}

void ChunkedDecoder::count_extension_octet(const Limits& limits) noexcept {
  if (++chunk_extension_bytes_ > limits.chunk_extension_bytes ||
      ++message_extension_bytes_ > limits.all_chunk_extension_bytes) {
    refuse(Fault::long_extensions);
  }
}

/// chunk-ext = *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] ) of RFC 9112 section 7.1.1.
void ChunkedDecoder::take_extension_octet(char c) noexcept {
  const auto go = [&](bool allowed, Phase to) { allowed ? void(phase_ = to) : refuse(Fault::extension); };
  switch (phase_) {
    case Phase::size:
      if (!is_blank(c) && c != ';') return refuse(Fault::size);
      return go(true, c == ';' ? Phase::before_name : Phase::before_mark);
    case Phase::before_mark:
      if (is_blank(c)) return;
      return go(c == ';', Phase::before_name);
    case Phase::before_name:
      if (is_blank(c)) return;
      return go(is_token_octet(c), Phase::name);
    case Phase::name:
      if (is_token_octet(c)) return;
      if (is_blank(c)) return go(true, Phase::after_name);
      [[fallthrough]];
    case Phase::after_name:
      if (phase_ == Phase::after_name && is_blank(c)) return;
      if (c == '=') return go(true, Phase::before_value);
      return go(c == ';', Phase::before_name);
    case Phase::before_value:
      if (is_blank(c)) return;
      if (c == '"') return go(true, Phase::quoted);
      return go(is_token_octet(c), Phase::value);
    case Phase::value:
      if (is_token_octet(c)) return;
      [[fallthrough]];
    case Phase::after_quoted:
      if (is_blank(c)) return go(true, Phase::before_mark);
      return go(c == ';', Phase::before_name);
    case Phase::quoted:
      if (c == '\\') return go(true, Phase::quoted_pair);
      if (c == '"') return go(true, Phase::after_quoted);
      return go(is_text(c), Phase::quoted);
    case Phase::quoted_pair:
      return go(is_text(c), Phase::quoted);
    default:
      return refuse(Fault::size);
  }
}

ChunkedDecoder::Step ChunkedDecoder::take_data(base::MutBytes input, std::size_t at) noexcept {
  const std::size_t bytes = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size() - at));
  if (bytes == 0) return {State::more, at, {}};
  left_ -= bytes;
  if (left_ == 0) phase_ = Phase::data_cr;
  return {State::data, at + bytes, input.subspan(at, bytes)};
}

ChunkedDecoder::Step ChunkedDecoder::take_trailers(base::MutBytes input, std::size_t at,
                                                   const Limits& limits) noexcept {
  const base::MutBytes section = input.subspan(at);
  const HeadScan::State state = trailers_.scan(section, limits);
  if (state == HeadScan::State::more) return {State::more, at, {}};
  const bool whole = state == HeadScan::State::complete;
  const base::MutBytes fields = whole ? section.first(trailers_.head_bytes()) : base::MutBytes();
  if (!whole || !are_trailers(base::as_text(fields))) {
    const bool too_long = !whole && trailers_.refusal().status != status::bad_request;
    refuse(too_long ? Fault::long_trailers : Fault::trailer);
    return {State::refused, at, {}};
  }
  phase_ = Phase::end;
  return {State::end, at + fields.size(), fields};
}

void ChunkedDecoder::refuse(Fault fault) noexcept {
  phase_ = Phase::refused;
  fault_ = fault;
}

Refusal ChunkedDecoder::refusal() const noexcept {
  using http::status;
  switch (fault_) {
    case Fault::size:
      return {status::bad_request, "a malformed chunk size"};
    case Fault::large_size:
      return {status::payload_too_large, "a chunk size is too large"};
    case Fault::extension:
      return {status::bad_request, "a malformed chunk extension"};
    case Fault::long_extensions:
      return {status::payload_too_large, "the chunk extensions are too long"};
    case Fault::line_end:
      return {status::bad_request, "a line of a chunk does not end in CRLF"};
    case Fault::data_end:
      return {status::bad_request, "no CRLF behind the data of a chunk"};
    case Fault::trailer:
      return {status::bad_request, "a malformed trailer field"};
    case Fault::long_trailers:
      return {status::request_header_fields_too_large, "the trailer fields are too long or too many"};
    case Fault::none:
      break;
  }
  return {status::bad_request, "malformed chunked body"};
}

}  // namespace signet::http

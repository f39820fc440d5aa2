#include <bit>
#include <cstring>

#include <signet/http/head_scan.hpp>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <signet/http/ascii.hpp>

namespace signet::http {
namespace {

constexpr std::uint64_t each(std::uint8_t octet) noexcept { return 0x0101010101010101u * octet; }

/// The high bit of each octet of `word` that is a control character and no HTAB: what a head may hold in CRLF
/// alone.
constexpr std::uint64_t controls_of(std::uint64_t word) noexcept {
  const std::uint64_t low = word & each(0x7f);
  const std::uint64_t not_below_space = (low + each(0x60)) | word;
  const std::uint64_t not_tab = ((low ^ each('\t')) + each(0x7f)) | word;
  const std::uint64_t not_del = ((low ^ each(0x7f)) + each(0x7f)) | word;
  return ((~not_below_space & not_tab) | ~not_del) & each(0x80);
}

#if defined(__SSE2__)
/// As above for sixteen octets, a bit each.
std::uint32_t controls_of_16(const std::uint8_t* at) noexcept {
  const __m128i octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i below_space = _mm_cmpeq_epi8(_mm_min_epu8(octets, _mm_set1_epi8(0x1f)), octets);
  const __m128i tab = _mm_cmpeq_epi8(octets, _mm_set1_epi8('\t'));
  const __m128i del = _mm_cmpeq_epi8(octets, _mm_set1_epi8(0x7f));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_andnot_si128(tab, below_space), del)));
}
#endif

/// The first control character that is no HTAB in received[at..), or received.size().
std::size_t find_control(base::MutBytes received, std::size_t at) noexcept {
  static_assert(std::endian::native == std::endian::little);
#if defined(__SSE2__)
  for (; at + 16 <= received.size(); at += 16) {
    const std::uint32_t controls = controls_of_16(received.data() + at);
    if (controls != 0) return at + static_cast<std::size_t>(std::countr_zero(controls));
  }
#endif
  for (; at + 8 <= received.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, received.data() + at, 8);
    const std::uint64_t controls = controls_of(word);
    if (controls != 0) return at + static_cast<std::size_t>(std::countr_zero(controls)) / 8;
  }
  while (at < received.size() && controls_of(each(received[at])) == 0) ++at;
  return at;
}

}  // namespace

HeadScan::State HeadScan::scan(base::MutBytes received, const Limits& limits) noexcept {
  std::size_t at = scanned_;
  while (state_ == State::more) {
    at = find_control(received, at);
    scanned_ = static_cast<std::uint32_t>(at);
    if (at == received.size()) break;
    const std::size_t next = control(received, at, limits);
    if (next == at) break;
    at = next;
  }
  if (state_ == State::more) {
    check_line_begin(received);
    check_unfinished(received.size(), limits);
  }
  return state_;
}

/// Goes over the control character at `at`; answers `at` again when it cannot be judged yet, or is refused.
/// What comes before it is judged first, so that the answer is the same however the head arrives.
std::size_t HeadScan::control(base::MutBytes received, std::size_t at, const Limits& limits) noexcept {
  const bool is_cr = received[at] == '\r';
  if (is_cr && at + 1 == received.size()) return at;
  check_line_begin(received);
  check_unfinished(is_cr ? at + 1 : at, limits);
  if (!is_cr) refuse(received[at] == '\n' ? Fault::bare_lf : Fault::control);
  if (is_cr && received[at + 1] != '\n') refuse(Fault::bare_cr);
  if (state_ == State::refused) return at;
  end_line(received, at, limits);
  return at + 2;
}

void HeadScan::end_line(base::MutBytes received, std::size_t cr, const Limits& limits) noexcept {
  if (lines_ == 0) {
    end_request_line(cr);
  } else if (cr == line_begin_) {
    state_ = State::complete;
  } else {
    end_field_line(received, cr, limits);
  }
  line_begin_ = scanned_ = static_cast<std::uint32_t>(cr + 2);
  if (lines_ != 0 && scanned_ - start_ > limits.head_bytes) refuse(Fault::long_head);
}

void HeadScan::end_request_line(std::size_t cr) noexcept {
  if (cr != line_begin_) {
    lines_ = 1;
    return;
  }
  start_ += 2;
  if (start_ > 2U * most_empty_lines) refuse(Fault::empty_lines);
}

void HeadScan::end_field_line(base::MutBytes received, std::size_t cr, const Limits& limits) noexcept {
  if (++lines_ - 1U > limits.header_count) refuse(Fault::many_headers);
  // llhttp before 9.4 refuses an HTAB behind a Content-Length or Transfer-Encoding value, which RFC 9110
  // section 5.5 allows.
  for (std::size_t at = cr; at-- > line_begin_ && is_blank(static_cast<char>(received[at]));)
    received[at] = ' ';
}

/// No line of a head begins with a blank: it would be folded (RFC 9112 section 5.2), or hide a field
/// (section 2.2).
void HeadScan::check_line_begin(base::MutBytes received) noexcept {
  if (line_begin_ >= received.size()) return;
  const auto first = static_cast<char>(received[line_begin_]);
  if (is_blank(first)) refuse(lines_ > 1 ? Fault::folded : Fault::leading_space);
  if (first == ':' && lines_ > 0) refuse(Fault::no_name);
}

void HeadScan::check_unfinished(std::size_t received, const Limits& limits) noexcept {
  if (lines_ == 0) {
    if (scanned_ - line_begin_ > limits.request_line_bytes) refuse(Fault::long_line);
  } else if (received - start_ > limits.head_bytes) {
    refuse(Fault::long_head);
  }
}

void HeadScan::refuse(Fault fault) noexcept {
  if (state_ == State::refused) return;
  state_ = State::refused;
  fault_ = fault;
}

Refusal HeadScan::refusal() const noexcept {
  using http::status;
  switch (fault_) {
    case Fault::control:
      return {status::bad_request, "a control character in the request head"};
    case Fault::bare_cr:
      return {status::bad_request, "a CR without LF in the request head"};
    case Fault::bare_lf:
      return {status::bad_request, "an LF without CR in the request head"};
    case Fault::empty_lines:
      return {status::bad_request, "too many empty lines before the request line"};
    case Fault::leading_space:
      return {status::bad_request, "white space before the request line or the first header field"};
    case Fault::folded:
      return {status::bad_request, "a folded header field"};
    case Fault::no_name:
      return {status::bad_request, "a header field without a name"};
    case Fault::long_line:
      return {status::uri_too_long, "the request target is too long"};
    case Fault::long_head:
      return {status::request_header_fields_too_large, "the request head is too long"};
    case Fault::many_headers:
      return {status::request_header_fields_too_large, "too many header fields"};
    case Fault::none:
      break;
  }
  return {status::bad_request, "malformed request"};
}

}  // namespace signet::http

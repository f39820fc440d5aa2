#include <signet/http/ascii.hpp>
#include <signet/http/authority.hpp>
#include <signet/http/framing.hpp>

namespace signet::http {
namespace {

constexpr std::uint64_t most_content_length = INT64_MAX;

/// The fields that matter here, as far as the head has them.
struct Seen {
  unsigned hosts = 0;
  unsigned lengths = 0;
  unsigned encodings = 0;
  bool close = false;
  bool keep_alive = false;
  bool expects_other = false;
  std::string_view host;
  std::string_view length;
  std::string_view encoding;
};

/// HTTP/1.0 has no Expect: it is ignored there (RFC 9110 section 10.1.1).
void look_at_expect(std::string_view value, Seen& seen, RequestHead& head) noexcept {
  if (head.version == 10) return;
  const bool continues = equal_ignoring_case(value, "100-continue");
  head.expects_continue = head.expects_continue || continues;
  seen.expects_other = seen.expects_other || !continues;
}

Seen look_through(RequestHead& head) noexcept {
  Seen seen;
  for (const Header& header : head.headers) {
    switch (header.id) {
      case field::host:
        seen.hosts++;
        seen.host = header.value;
        break;
      case field::content_length:
        seen.lengths++;
        seen.length = header.value;
        break;
      case field::transfer_encoding:
        seen.encodings++;
        seen.encoding = header.value;
        break;
      case field::connection:
        seen.close = seen.close || list_has(header.value, "close");
        seen.keep_alive = seen.keep_alive || list_has(header.value, "keep-alive");
        break;
      case field::expect:
        look_at_expect(header.value, seen, head);
        break;
      default:
        break;
    }
  }
  return seen;
}

/// The field is checked even where an absolute-form target makes its value count for nothing (RFC 9112
/// section 3.2.2). An empty one is the field of a target without an authority.
Refusal check_host(const Seen& seen, RequestHead& head) noexcept {
  if (seen.hosts > 1) return {status::bad_request, "more than one Host field"};
  if (seen.hosts == 0 && head.version == 11) return {status::bad_request, "no Host field"};
  if (!seen.host.empty() && !is_authority(seen.host)) return {status::bad_request, "malformed Host field"};
  if (head.host.empty()) head.host = seen.host;
  return {};
}

/// What could be read in two ways is malformed; a coding that we do not undo is not served.
Refusal read_transfer_encoding(const Seen& seen, RequestHead& head) noexcept {
  if (seen.encodings == 0) return {};
  if (seen.lengths != 0) return {status::bad_request, "Content-Length beside Transfer-Encoding"};
  if (head.version == 10) return {status::bad_request, "Transfer-Encoding in HTTP/1.0"};
  head.chunked = seen.encodings == 1 && equal_ignoring_case(seen.encoding, "chunked");
  if (head.chunked) return {};
  return {status::not_implemented, "no Transfer-Encoding but a single chunked is supported"};
}

/// The body of an HTTP/1.0 request with one of these methods has no other end (RFC 1945 section 7.2.2).
bool needs_length(const RequestHead& head) noexcept {
  if (head.version != 10) return false;
  return head.method == verb::post || head.method == verb::put || head.method == verb::patch;
}

Refusal read_content_length(const Seen& seen, RequestHead& head) noexcept {
  if (seen.lengths == 0) {
    if (!needs_length(head)) return {};
    return {status::length_required, "a body in HTTP/1.0 needs a Content-Length"};
  }
  if (seen.lengths > 1) return {status::bad_request, "more than one Content-Length"};
  if (seen.length.empty() || !all_digits(seen.length)) {
    return {status::bad_request, "malformed Content-Length"};
  }
  std::uint64_t length = 0;
  for (const char digit : seen.length) {
    const auto value = static_cast<std::uint64_t>(digit - '0');
    if (length > (most_content_length - value) / 10) return too_large;
    length = length * 10 + value;
  }
  head.content_length = length;
  return {};
}

}  // namespace

Refusal check_fields(RequestHead& head) noexcept {
  const Seen seen = look_through(head);
  head.keep_alive = !seen.close && (head.version == 11 || seen.keep_alive);
  const Refusal host = check_host(seen, head);
  if (!host.text.empty()) return host;
  const Refusal encoding = read_transfer_encoding(seen, head);
  if (!encoding.text.empty()) return encoding;
  const Refusal length = read_content_length(seen, head);
  if (!length.text.empty()) return length;
  if (seen.expects_other) return {status::expectation_failed, "no Expect but 100-continue is supported"};
  return {};
}

}  // namespace signet::http

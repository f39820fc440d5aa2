#include <signet/http/ascii.hpp>
#include <signet/http/framing.hpp>

namespace signet::http {
namespace {

/// The fields that matter here, as far as the head has them.
struct Seen {
  unsigned hosts = 0;
  unsigned lengths = 0;
  unsigned encodings = 0;
  bool close = false;
  bool keep_alive = false;
  std::string_view host;
  std::string_view length;
};

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
        break;
      case field::connection:
        seen.close = seen.close || list_has(header.value, "close");
        seen.keep_alive = seen.keep_alive || list_has(header.value, "keep-alive");
        break;
      case field::expect:
        head.expects_continue = head.version == 11 && equal_ignoring_case(header.value, "100-continue");
        break;
      default:
        break;
    }
  }
  return seen;
}

Refusal check_host(const Seen& seen, const RequestHead& head) noexcept {
  if (seen.hosts > 1) return {status::bad_request, "more than one Host field"};
  if (seen.hosts == 0 && head.version == 11) return {status::bad_request, "no Host field"};
  if (!all_in(host_octets, seen.host)) return {status::bad_request, "malformed Host field"};
  return {};
}

/// Before bodies in chunks are served, any coding is refused; what could be read in two ways is refused for
/// good.
Refusal check_transfer_encoding(const Seen& seen, const RequestHead& head) noexcept {
  if (seen.encodings == 0) return {};
  if (seen.lengths != 0) return {status::bad_request, "Content-Length beside Transfer-Encoding"};
  if (head.version == 10) return {status::bad_request, "Transfer-Encoding in HTTP/1.0"};
  return {status::not_implemented, "no Transfer-Encoding is supported: send a Content-Length"};
}

Refusal read_content_length(const Seen& seen, const Limits& limits, RequestHead& head) noexcept {
  if (seen.lengths == 0) return {};
  if (seen.lengths > 1) return {status::bad_request, "more than one Content-Length"};
  if (seen.length.empty() || seen.length.find_first_not_of("0123456789") != std::string_view::npos) {
    return {status::bad_request, "malformed Content-Length"};
  }
  std::uint64_t length = 0;
  for (const char digit : seen.length) {
    const auto value = static_cast<std::uint64_t>(digit - '0');
    if (length > (UINT64_MAX - value) / 10) return too_large;
    length = length * 10 + value;
  }
  if (length > limits.body_bytes) return too_large;
  head.content_length = length;
  return {};
}

}  // namespace

Refusal check_fields(const Limits& limits, RequestHead& head) noexcept {
  const Seen seen = look_through(head);
  head.keep_alive = !seen.close && (head.version == 11 || seen.keep_alive);
  const Refusal host = check_host(seen, head);
  if (!host.text.empty()) return host;
  const Refusal encoding = check_transfer_encoding(seen, head);
  if (!encoding.text.empty()) return encoding;
  return read_content_length(seen, limits, head);
}

}  // namespace signet::http

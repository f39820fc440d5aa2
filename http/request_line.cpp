#include <algorithm>

#include <signet/http/ascii.hpp>
#include <signet/http/authority.hpp>
#include <signet/http/request_line.hpp>

namespace signet::http {
namespace {

constexpr Refusal served{};

/// HTTP-version of RFC 9112 section 2.3: case-sensitive, one digit each.
Refusal read_version(std::string_view text, RequestHead& head) noexcept {
  if (text == "HTTP/1.1") {
    head.version = 11;
    return served;
  }
  if (text == "HTTP/1.0") {
    head.version = 10;
    return served;
  }
  const bool formed = text.size() == 8 && text.starts_with("HTTP/") && is_digit(text[5]) && text[6] == '.' &&
                      is_digit(text[7]);
  if (formed) return {status::http_version_not_supported, "this server speaks HTTP/1.1 and HTTP/1.0"};
  return {status::bad_request, "malformed request line"};
}

void split_path(std::string_view text, RequestHead& head) noexcept {
  const std::size_t question = text.find('?');
  head.path = text.substr(0, question);
  head.query = question == std::string_view::npos ? std::string_view() : text.substr(question + 1);
}

/// scheme "://" authority path (RFC 9112 section 3.2.2), of the two schemes that we serve. User information
/// in it is refused (RFC 9110 section 4.2.4).
Refusal read_absolute_form(RequestHead& head) noexcept {
  const std::size_t mark = head.target.find("://");
  const std::string_view scheme = head.target.substr(0, mark);
  if (mark == std::string_view::npos ||
      (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https"))) {
    return {status::bad_request, "a request target in no known form"};
  }
  const std::string_view rest = head.target.substr(mark + 3);
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  head.host = rest.substr(0, end);
  if (!is_authority(head.host)) return {status::bad_request, "a request target with a malformed host"};
  split_path(rest.substr(end), head);
  if (head.path.empty()) head.path = "/";
  return served;
}

/// authority-form: host and port alone (RFC 9112 section 3.2.3, RFC 9110 section 9.3.6).
Refusal read_authority_form(RequestHead& head) noexcept {
  const bool has_port = is_digit(head.target.back()) && head.target.find(':') != std::string_view::npos;
  if (!has_port || !is_authority(head.target)) {
    return {status::bad_request, "CONNECT without a host and a port"};
  }
  head.path = head.target;
  return served;
}

}  // namespace

Refusal read_request_line(std::string_view line, RequestHead& head) noexcept {
  constexpr Refusal malformed{status::bad_request, "malformed request line"};
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return malformed;
  head.method_string = line.substr(0, first);
  head.target = line.substr(first + 1, last - first - 1);
  if (!is_token(head.method_string) || head.target.empty()) return malformed;
  if (head.target.find_first_of(" #") != std::string_view::npos)
    return malformed;  // no fragment is sent (RFC 9110 7.1)
  head.method = boost::beast::http::string_to_verb(head.method_string);
  return read_version(line.substr(last + 1), head);
}

Refusal read_target(RequestHead& head) noexcept {
  if (head.method == verb::connect) return read_authority_form(head);
  if (head.target.front() == '/') {
    split_path(head.target, head);
    return served;
  }
  if (head.target == "*") {
    if (head.method != verb::options) return {status::bad_request, "the target * is for OPTIONS alone"};
    head.path = head.target;
    return served;
  }
  return read_absolute_form(head);
}

}  // namespace signet::http

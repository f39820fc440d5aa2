#include <llhttp.h>

#include <signet/http/ascii.hpp>
#include <signet/http/framing.hpp>
#include <signet/http/parser.hpp>
#include <signet/http/request_line.hpp>

// The versions whose answers tests/unit/http knows row by row; a newer one is added here once the tests pass
// with it.
static_assert((LLHTTP_VERSION_MAJOR == 8 && LLHTTP_VERSION_MINOR == 1) || LLHTTP_VERSION_MAJOR == 9,
              "an llhttp that was never tested");

namespace signet::http {
namespace {

/// What llhttp's callbacks fill in; reached through llhttp_t::data.
struct Reader {
  Header* headers;
  std::size_t room;
  std::size_t count = 0;
};

Reader& reader_of(llhttp_t* llhttp) noexcept { return *static_cast<Reader*>(llhttp->data); }

int on_field(llhttp_t* llhttp, const char* at, std::size_t size) noexcept {
  Reader& reader = reader_of(llhttp);
  if (reader.count == reader.room) return HPE_USER;
  const std::string_view name(at, size);
  reader.headers[reader.count++] = {boost::beast::http::string_to_field(name), name, {}};
  return 0;
}

int on_value(llhttp_t* llhttp, const char* at, std::size_t size) noexcept {
  Reader& reader = reader_of(llhttp);
  if (reader.count == 0) return HPE_USER;
  reader.headers[reader.count - 1].value = trim({at, size});
  return 0;
}

/// The head is all that llhttp sees: what follows is framed by us.
int on_head_end(llhttp_t*) noexcept { return HPE_PAUSED; }

constexpr llhttp_settings_t settings = [] {
  llhttp_settings_t made{};
  made.on_header_field = on_field;
  made.on_header_value = on_value;
  made.on_headers_complete = on_head_end;
  return made;
}();

/// A method that llhttp does not know is no fault of the request's form: it sees POST in its place, and the
/// method is answered by whoever serves the request.
llhttp_errno_t run(llhttp_t& llhttp, std::string_view octets, const RequestHead& head) noexcept {
  if (head.method != verb::unknown) return llhttp_execute(&llhttp, octets.data(), octets.size());
  const llhttp_errno_t error = llhttp_execute(&llhttp, "POST", 4);
  if (error != HPE_OK) return error;
  octets.remove_prefix(head.method_string.size());
  return llhttp_execute(&llhttp, octets.data(), octets.size());
}

/// Whether the value of the field line that holds `at` is nothing but digits: then it was refused for its
/// size.
bool is_number_at(const char* at, std::string_view octets) noexcept {
  if (at < octets.data() || at >= octets.data() + octets.size()) return false;
  const std::size_t begin = octets.rfind('\n', static_cast<std::size_t>(at - octets.data())) + 1;
  const std::string_view line = octets.substr(begin, octets.find('\r', begin) - begin);
  const std::string_view value = trim(line.substr(line.find(':') + 1));
  return !value.empty() && all_digits(value);
}

Refusal refusal_of(llhttp_errno_t error, const char* at, std::string_view octets) noexcept {
  switch (error) {
    case HPE_INVALID_CONTENT_LENGTH:
      if (is_number_at(at, octets)) return too_large;
      return {status::bad_request, "malformed Content-Length"};
    case HPE_UNEXPECTED_CONTENT_LENGTH:
      return {status::bad_request, "more than one Content-Length, or one beside Transfer-Encoding"};
    case HPE_INVALID_TRANSFER_ENCODING:
      return {status::bad_request, "malformed Transfer-Encoding"};
    case HPE_INVALID_URL:
      return {status::bad_request, "malformed request target"};
    case HPE_INVALID_HEADER_TOKEN:
      return {status::bad_request, "malformed header field"};
    default:
      return {status::bad_request, "malformed request head"};
  }
}

Refusal read_fields(std::string_view octets, std::span<Header> room, RequestHead& head) noexcept {
  Reader reader{room.data(), room.size()};
  llhttp_t llhttp;
  llhttp_init(&llhttp, HTTP_REQUEST, &settings);
  llhttp.data = &reader;
  const llhttp_errno_t error = run(llhttp, octets, head);
  if (error != HPE_PAUSED) return refusal_of(error, llhttp_get_error_pos(&llhttp), octets);
  // Scan and llhttp must have seen the same lines.
  if (reader.count != room.size()) return {status::bad_request, "malformed request head"};
  head.headers = room;
  return {};
}

Refusal read_head(std::string_view octets, std::size_t header_count, base::Region& region,
                  RequestHead& head) noexcept {
  head.octets = octets;
  const Refusal line = read_request_line(octets.substr(0, octets.find('\r')), head);
  if (!line.text.empty()) return line;
  Header* headers = region.make_array<Header>(header_count);
  if (headers == nullptr) return {status::service_unavailable, "out of memory"};
  const Refusal fields = read_fields(octets, {headers, header_count}, head);
  if (!fields.text.empty()) return fields;
  const Refusal target = read_target(head);
  if (!target.text.empty()) return target;
  return check_fields(head);
}

}  // namespace

Parser::State Parser::parse(base::MutBytes plaintext, const Limits& limits, base::Region& region,
                            RequestHead& head) noexcept {
  if (!refusal_.text.empty()) return State::refused;
  const State state = scan(plaintext, limits);
  if (state != State::complete) return state;
  const auto octets = base::as_text(plaintext.subspan(scan_.start(), scan_.head_bytes() - scan_.start()));
  refusal_ = read_head(octets, scan_.header_count(), region, head);
  return refusal_.text.empty() ? State::complete : State::refused;
}

}  // namespace signet::http

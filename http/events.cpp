#include <charconv>
#include <utility>

#include <signet/http/events.hpp>

namespace signet::http {
namespace {

constexpr std::string_view line_ends("\r\n\0", 3);

bool is_one_line(std::string_view text) noexcept { return text.find_first_of(line_ends) == text.npos; }

}  // namespace

bool EventStream::field(std::string_view name, std::string_view value) {
  stream_->write(name);
  stream_->write(value);
  return stream_->write("\n");
}

bool EventStream::event(std::string_view data, std::string_view type, std::string_view id) {
  if (!is_one_line(type) || !is_one_line(id)) {
    end();
    return false;
  }
  if (!type.empty()) field("event: ", type);
  if (!id.empty()) field("id: ", id);
  // CR, LF and CRLF each end a line.
  for (bool more = true; more;) {
    const std::size_t end = data.find_first_of("\r\n");
    field("data: ", data.substr(0, end));
    more = end != data.npos;
    if (more) data.remove_prefix(end + (data.substr(end, 2) == "\r\n" ? 2 : 1));
  }
  return stream_->write("\n");
}

bool EventStream::comment(std::string_view text) {
  if (is_one_line(text)) return field(": ", text);
  end();
  return false;
}

bool EventStream::retry(unsigned milliseconds) {
  char digits[12];
  const char* end = std::to_chars(digits, digits + sizeof digits, milliseconds).ptr;
  return field("retry: ", {digits, static_cast<std::size_t>(end - digits)});
}

bool stream_events(Response& response, EventFunction function) {
  if (!function) return response.stream(nullptr);
  response.header(field::content_type, "text/event-stream");
  response.header(field::cache_control, "no-cache");
  return response.stream([function = std::move(function)](Stream& stream) {
    EventStream events(stream);
    function(events);
  });
}

}  // namespace signet::http

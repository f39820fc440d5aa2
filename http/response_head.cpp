#include <charconv>
#include <cstring>

#include <signet/http/response_head.hpp>

namespace signet::http {
namespace {

constexpr std::string_view text_type = "Content-Type: text/plain; charset=utf-8\r\n";

/// Counts what would be written.
struct Counter {
  std::size_t bytes = 0;
  void put(std::string_view piece) noexcept { bytes += piece.size(); }
};

struct Writer {
  char* at;
  void put(std::string_view piece) noexcept {
    if (!piece.empty()) std::memcpy(at, piece.data(), piece.size());
    at += piece.size();
  }
};

struct Decimal {
  char digits[20];
  std::size_t size;

  explicit Decimal(std::uint64_t value) noexcept {
    size = static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
  }
  [[nodiscard]] std::string_view text() const noexcept { return {digits, size}; }
};

/// Beast's phrase, or none for a number that it does not know: the phrase may be empty (RFC 9112 section 4).
std::string_view reason_of(http::status code) noexcept {
  const auto number = static_cast<unsigned>(code);
  if (boost::beast::http::int_to_status(number) == http::status::unknown) return {};
  return boost::beast::http::obsolete_reason(code);
}

template <class Sink>
void put_status_line(Sink& sink, http::status code) noexcept {
  if (code == http::status::ok) {
    sink.put("HTTP/1.1 200 OK\r\n");
    return;
  }
  sink.put("HTTP/1.1 ");
  sink.put(Decimal(static_cast<unsigned>(code)).text());
  sink.put(" ");
  sink.put(reason_of(code));
  sink.put("\r\n");
}

template <class Sink>
void put_framing(Sink& sink, const ResponseHead& head) noexcept {
  if (head.framing == Framing::length) {
    sink.put("Content-Length: ");
    sink.put(Decimal(head.length).text());
    sink.put("\r\n");
  } else if (head.framing == Framing::chunked) {
    sink.put("Transfer-Encoding: chunked\r\n");
  }
}

template <class Sink>
void put_head(Sink& sink, const ResponseHead& head) noexcept {
  put_status_line(sink, head.status);
  if (!head.date.empty()) {
    sink.put("Date: ");
    sink.put(head.date);
    sink.put("\r\n");
  }
  sink.put(head.fields);
  if (!bodiless(head.status)) put_framing(sink, head);
  sink.put(head.connection);
  sink.put("\r\n");
}

}  // namespace

std::size_t response_head_bytes(const ResponseHead& head) noexcept {
  Counter counter;
  put_head(counter, head);
  return counter.bytes;
}

char* write_response_head(char* out, const ResponseHead& head) noexcept {
  Writer writer{out};
  put_head(writer, head);
  return writer.at;
}

std::size_t write_refusal(base::MutBytes out, http::status code, std::string_view text,
                          std::string_view date) noexcept {
  const ResponseHead head{code, date, text_type, text.size() + 1, Framing::length, connection_close};
  const std::size_t bytes = response_head_bytes(head) + text.size() + 1;
  if (bytes > out.size()) return 0;
  Writer writer{write_response_head(reinterpret_cast<char*>(out.data()), head)};
  writer.put(text);
  writer.put("\n");
  return bytes;
}

}  // namespace signet::http

// A response's head as octets: prepared pieces, copied one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <signet/base/bytes.hpp>
#include <signet/http/types.hpp>

namespace signet::http {

/// How the end of a body is told (RFC 9112 section 6.3).
enum class Framing : std::uint8_t {
  length,   ///< Content-Length
  chunked,  ///< Transfer-Encoding: chunked
  close,    ///< the connection's end: HTTP/1.0 and a length that is not known
};

/// What a head says. Views must stay until it is written.
struct ResponseHead {
  http::status status = http::status::ok;
  std::string_view date;    ///< the Date field's value; none is written when empty
  std::string_view fields;  ///< whole lines, each with its CRLF
  std::uint64_t length = 0;
  Framing framing = Framing::length;
  std::string_view connection;  ///< the lines that say whether the connection stays; may be empty
};

constexpr std::string_view connection_close = "Connection: close\r\n";
/// What an HTTP/1.0 client must hear, since its connections end unless the server says otherwise.
constexpr std::string_view connection_stays = "Connection: keep-alive\r\n";

/// Whether answers of this status have neither body nor Content-Length (RFC 9110 section 6.4.1).
[[nodiscard]] constexpr bool bodiless(http::status code) noexcept {
  const auto number = static_cast<unsigned>(code);
  return number < 200 || code == http::status::no_content || code == http::status::not_modified;
}

/// Octets that write_response_head() will write.
[[nodiscard]] std::size_t response_head_bytes(const ResponseHead& head) noexcept;
/// Writes the head and its empty line to `out`, which has room for response_head_bytes(); answers where it
/// ends.
char* write_response_head(char* out, const ResponseHead& head) noexcept;

/// Writes a whole answer that ends the connection, for places without a request: `text` and a line end, as
/// text/plain. Answers its octets, 0 when `out` is too short.
[[nodiscard]] std::size_t write_refusal(base::MutBytes out, http::status code, std::string_view text,
                                        std::string_view date) noexcept;

}  // namespace signet::http

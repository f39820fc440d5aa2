// What a request may cost before it is refused, and how a refusal is said.
#pragma once

#include <cstdint>
#include <string_view>

#include <signet/http/types.hpp>

namespace signet::http {

/// Bounds on one request; each is the largest that is still accepted.
struct Limits {
  std::uint32_t request_line_bytes = 8 * 1024;  ///< without its CRLF; beyond it 414
  std::uint32_t head_bytes = 16 * 1024;         ///< request line, fields and the empty line; beyond it 431
  std::uint16_t header_count = 100;             ///< beyond it 431
  std::uint64_t body_bytes = 1024 * 1024;       ///< beyond it 413; checked by whoever knows the route
};

/// Why a request is not served: the status to answer and one line of text for the reader. The connection
/// ends.
struct Refusal {
  http::status status = http::status::bad_request;
  std::string_view text;  ///< static memory, without a line end
};

}  // namespace signet::http

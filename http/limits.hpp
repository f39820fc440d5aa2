// What a request may cost before it is refused, and how a refusal is said.
#pragma once

#include <cstdint>
#include <string_view>

#include <signet/http/types.hpp>

namespace signet::http {

/// Bounds on one request; each is the largest that is still accepted.
struct Limits {
  std::uint32_t request_line_bytes = 8 * 1024;  ///< without its CRLF; beyond it 414
  /// Request line, fields and the empty line; beyond it 431. A trailer section has as much for itself.
  std::uint32_t head_bytes = 16 * 1024;
  std::uint16_t header_count = 100;        ///< of a head, and of a trailer section; beyond it 431
  std::uint64_t body_bytes = 1024 * 1024;  ///< beyond it 413; checked by whoever knows the route
  /// Hexadecimal digits of a chunk's size, leading zeros included, as many as 64 bits have; beyond it 413, as
  /// beyond 2^63 - 1.
  std::uint8_t chunk_size_digits = 16;
  /// Between the size and the CRLF of one chunk; beyond it 413. Go's net/http has as much for the line.
  std::uint32_t chunk_extension_bytes = 4 * 1024;
  /// Of all chunks of a message; beyond it 413. Node has this bound and this status since CVE-2024-22019.
  std::uint32_t all_chunk_extension_bytes = 16 * 1024;
};

/// Why a request is not served: the status to answer and one line of text for the reader. The connection
/// ends.
struct Refusal {
  http::status status = http::status::bad_request;
  std::string_view text;  ///< static memory, without a line end
};

}  // namespace signet::http

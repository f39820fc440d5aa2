// What a server that reads requests by http::Parser and http::ChunkedDecoder makes of a connection's octets.
#pragma once

#include <signet/http/parser.hpp>
#include <signet/tests/vectors/json.hpp>

namespace signet::vectors {

struct HttpField {
  std::string name;
  std::string value;
  bool operator==(const HttpField&) const = default;
};

struct HttpEvent {
  enum class Kind : std::uint8_t {
    request,
    reject,
    wait,  ///< for the rest of a head or body
    idle,
    close,  ///< the connection ends behind the last response
  };
  Kind kind;
  // Of a request:
  std::string method;
  std::string target;
  Octets body;
  unsigned version = 0;
  std::uint64_t content_length = 0;
  std::size_t head_end = 0;  // offset of the first octet behind the head
  std::vector<HttpField> fields;
  std::vector<HttpField> trailers;  // those that are kept
  bool operator==(const HttpEvent&) const = default;
};

/// All events of one connection; `piece` octets come at a time (0: all at once).
[[nodiscard]] std::vector<HttpEvent> read_connection(const Octets& octets, std::size_t piece);
/// As read_connection(), in two parts of which the first has `cut` octets.
[[nodiscard]] std::vector<HttpEvent> read_cut_connection(const Octets& octets, std::size_t cut);

}  // namespace signet::vectors

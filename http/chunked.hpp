// A body in chunks (RFC 9112 section 7.1), undone where it lies as it comes.
//
//   chunk-size [; extensions] CRLF | data ... CRLF | ... | 0 CRLF | trailer fields ... CRLF
//                                    '-- handed out as it comes      '-- handed out once it is whole
//
// Not llhttp: its version 8.1 refuses legal extensions, lets a bare LF end the trailer section, and counts
// nothing.
#pragma once

#include <type_traits>

#include <signet/base/bytes.hpp>
#include <signet/http/head_scan.hpp>
#include <signet/http/limits.hpp>

namespace signet::http {

/// Reads one body; make a new one for each. What it answers does not depend on where the input is cut, but
/// for the places where data is.
class ChunkedDecoder {
 public:
  enum class State : std::uint8_t {
    more,     ///< nothing can be done before more input comes
    data,     ///< a piece of the body, never empty
    end,      ///< the message is over
    refused,  ///< refusal() says why; the connection ends
  };

  struct Step {
    State state = State::more;
    std::size_t consumed = 0;  ///< leading octets of the input that are done with, whatever the state
    base::MutBytes data;       ///< within these: a piece of the body; at the end the raw trailer section
  };

  /// One step on `input`, which is all that came and was not consumed yet, contiguous; its octets may move
  /// between calls. The trailer section, with the empty line that ends it, is consumed in one piece and is
  /// well-formed then; in it an HTAB that ends a value is turned into SP. Octets behind the end are neither
  /// looked at nor changed. Calls after `end` or `refused` answer the same and consume nothing. The length of
  /// the whole body is the caller's to bound.
  [[nodiscard]] Step next(base::MutBytes input, const Limits& limits) noexcept;

  /// Valid once refused.
  [[nodiscard]] Refusal refusal() const noexcept;

 private:
  /// What is read next; those up to size_lf are parts of a chunk's first line.
  enum class Phase : std::uint8_t {
    first_digit,
    size,         // more digits, or what ends them
    before_mark,  // blanks behind the size or a whole extension: a ';' must follow
    before_name,  // behind a ';'
    name,
    after_name,    // blanks: '=' or ';' must follow
    before_value,  // behind a '='
    value,
    quoted,
    quoted_pair,  // behind a backslash
    after_quoted,
    size_lf,
    data,
    data_cr,
    data_lf,
    trailers,
    end,
    refused,
  };
  /// One per text of refusal().
  enum class Fault : std::uint8_t {
    none,
    size,
    large_size,
    extension,
    long_extensions,
    line_end,
    data_end,
    trailer,
    long_trailers,
  };

  [[nodiscard]] std::size_t read_size_line(base::Bytes input, const Limits& limits) noexcept;
  void take(std::uint8_t octet, const Limits& limits) noexcept;
  void expect(char c, char wanted, Phase then, Fault otherwise) noexcept;
  void end_size_line(char c) noexcept;
  [[nodiscard]] bool may_end_line() const noexcept;
  void take_digit(char c, const Limits& limits) noexcept;
  void count_extension_octet(const Limits& limits) noexcept;
  void take_extension_octet(char c) noexcept;
  [[nodiscard]] Step take_data(base::MutBytes input, std::size_t at) noexcept;
  [[nodiscard]] Step take_trailers(base::MutBytes input, std::size_t at, const Limits& limits) noexcept;
  void refuse(Fault fault) noexcept;

  std::uint64_t left_ = 0;  // of the chunk's data; while its first line is read, its size so far
  std::uint32_t chunk_extension_bytes_ = 0;
  std::uint32_t message_extension_bytes_ = 0;
  HeadScan trailers_ = HeadScan::of_trailers();
  Phase phase_ = Phase::first_digit;
  Fault fault_ = Fault::none;
  std::uint8_t digits_ = 0;
};

static_assert(std::is_trivially_copyable_v<ChunkedDecoder> && sizeof(ChunkedDecoder) <= 40,
              "it lives in the session");

}  // namespace signet::http

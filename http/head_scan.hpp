// The one look at a raw request head before llhttp sees it: where it ends, how many fields it has, and the
// refusal of what parsers have been known to disagree on (RFC 9112 sections 2.2, 3 and 5).
//
//   start                                                                   head_bytes
//   CRLF* | GET /path HTTP/1.1 CRLF | Name: value CRLF | ... | Name: value CRLF | CRLF | body or what follows
//                                   '--------------- header_count -------------'
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/http/limits.hpp>

namespace signet::http {

/// Remembers how far it got, so that no octet is looked at twice however the head arrives. Offsets count from
/// the first octet it was shown; the octets may move between calls, but may not change.
class HeadScan {
 public:
  enum class State : std::uint8_t {
    more,      ///< the head is not whole yet
    complete,  ///< head_bytes(), start() and header_count() are valid
    refused,   ///< refusal() says why; nothing behind this can be read
  };

  /// Empty lines tolerated before a request line (RFC 9112 section 2.2).
  static constexpr std::uint8_t most_empty_lines = 4;

  /// For the fields behind a body in chunks: as a head whose request line has been seen. start() is 0, and
  /// both limits of fields hold.
  [[nodiscard]] static constexpr HeadScan of_trailers() noexcept {
    HeadScan scan;
    scan.lines_ = 1;
    return scan;
  }

  /// `received` is all that came since the head's first octet. Turns an HTAB that ends a field value into SP,
  /// in place. Calls after `complete` or `refused` answer the same and look at nothing.
  [[nodiscard]] State scan(base::MutBytes received, const Limits& limits) noexcept;

  /// No octet was seen of a request yet (empty lines are none).
  [[nodiscard]] bool idle() const noexcept {
    return state_ == State::more && line_begin_ == scanned_ && !lines_;
  }

  [[nodiscard]] State state() const noexcept { return state_; }
  /// Octets up to and with the empty line that ends the head, leading empty lines included.
  [[nodiscard]] std::size_t head_bytes() const noexcept { return scanned_; }
  /// Where the request line begins.
  [[nodiscard]] std::size_t start() const noexcept { return start_; }
  [[nodiscard]] std::size_t header_count() const noexcept { return lines_ - 1U; }
  [[nodiscard]] Refusal refusal() const noexcept;

 private:
  /// One per text of refusal().
  enum class Fault : std::uint8_t {
    none,
    control,
    bare_cr,
    bare_lf,
    empty_lines,
    leading_space,
    folded,
    no_name,
    long_line,
    long_head,
    many_headers,
  };

  [[nodiscard]] std::size_t control(base::MutBytes received, std::size_t at, const Limits& limits) noexcept;
  void end_line(base::MutBytes received, std::size_t cr, const Limits& limits) noexcept;
  void end_request_line(std::size_t cr) noexcept;
  void end_field_line(base::MutBytes received, std::size_t cr, const Limits& limits) noexcept;
  void check_line_begin(base::MutBytes received) noexcept;
  void check_unfinished(std::size_t received, const Limits& limits) noexcept;
  void refuse(Fault fault) noexcept;

  std::uint32_t scanned_ = 0;     // octets looked at; a CR that may still get its LF is not counted
  std::uint32_t line_begin_ = 0;  // of the line being read
  std::uint32_t start_ = 0;
  std::uint16_t lines_ = 0;  // whole lines since start_, the request line included
  State state_ = State::more;
  Fault fault_ = Fault::none;
};

static_assert(sizeof(HeadScan) == 16, "it lives in the session, which has few octets");

}  // namespace signet::http

// From received octets to a request head: the scan, then llhttp over the whole head, then the rules that
// neither enforces. Nothing is copied; the names and values are views into what was received.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/base/region.hpp>
#include <signet/http/head_scan.hpp>
#include <signet/http/request.hpp>

namespace signet::http {

/// Reads one request head. Small enough to live in a session; make a new one for each request.
class Parser {
 public:
  using State = HeadScan::State;

  /// Looks at `plaintext`, which is all that came since the head's first octet, contiguous. Needs no region,
  /// so a session leases one only when this says `complete`.
  [[nodiscard]] State scan(base::MutBytes plaintext, const Limits& limits) noexcept {
    return scan_.scan(plaintext, limits);
  }

  /// As scan(), and when the head is whole reads it into `head`: its views lie in `plaintext`, its array of
  /// headers in `region`. `complete`: `head` is valid and the first head_bytes() octets are the head.
  /// `refused`: refusal() says what to answer, and the connection ends. Of `plaintext` only HTABs that end
  /// field values are changed.
  [[nodiscard]] State parse(base::MutBytes plaintext, const Limits& limits, base::Region& region,
                            RequestHead& head) noexcept;

  /// Whether no octet of a request was seen: such a connection is idle.
  [[nodiscard]] bool idle() const noexcept { return scan_.idle(); }
  /// Valid once complete.
  [[nodiscard]] std::size_t head_bytes() const noexcept { return scan_.head_bytes(); }
  /// Valid once refused.
  [[nodiscard]] Refusal refusal() const noexcept {
    return refusal_.text.empty() ? scan_.refusal() : refusal_;
  }

 private:
  HeadScan scan_;
  Refusal refusal_;
};

static_assert(sizeof(Parser) <= 40);

}  // namespace signet::http

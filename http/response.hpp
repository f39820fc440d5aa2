// The answer to one request, written where it is sealed.
//
//   the open cell:   | earlier answers ... | status line and fields | body | room ... |
//                                          '---- octets_in_cell() ------'
//
// A body that fits the cell behind its head is written there by the handler itself. A longer one lies in the
// region, in static memory, in a string taken over, or comes from a Body, and is sealed from its place. So
// does every body while the head waits: for after hooks, or because the answer is made where there is no
// cell.
//
// The library's order of calls is: the constructor, attach() (before the handler, or later), the handler,
// finish(); then until head_written(), write_head() (0 octets: seal the cell, or wait, and come again); then
// until remaining() is 0, next(), whose octets are copied into the cell or sealed from their place, and
// took() of as many as were. The response, the request and the region stay until then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <signet/base/region.hpp>
#include <signet/base/send_buffer.hpp>
#include <signet/http/body.hpp>
#include <signet/http/request.hpp>
#include <signet/http/response_head.hpp>
#include <signet/http/stream.hpp>
#include <signet/http/types.hpp>

namespace signet::http {

/// What an answer must know of its request.
struct ResponseFacts {
  std::uint8_t version = 11;  ///< of the request: 10 or 11
  bool head_only = false;     ///< a HEAD request: Content-Length as for GET, and no body
  bool keep_alive = true;     ///< false: the answer says Connection: close

  [[nodiscard]] static ResponseFacts of(const RequestHead& head) noexcept {
    return {head.version, head.method == verb::head, head.keep_alive};
  }
};

/// What is known where the answer is sent.
struct SendingFacts {
  std::string_view date;   ///< as format_date() writes it; must stay until the head is written
  std::string_view stays;  ///< lines that say that the connection stays; static memory, may be empty
};

/// It lives until the exchange is over. A stream's function, or whoever else uses it on the worker's thread
/// when the handler and the hooks after it are done, changes nothing any more: every call answers false or an
/// empty span.
class Response {
 public:
  /// `region` and `exchange` must outlive the response. Nothing is written yet.
  Response(base::Region& region, const ResponseFacts& facts, Awaited& exchange) noexcept
      : region_(&region), exchange_(&exchange), facts_(facts) {}
  Response(const Response&) = delete;
  Response& operator=(const Response&) = delete;
  ~Response() { drop_body(); }

  // For handlers. A handler that sets nothing answers 200 with an empty body. A body that is set again
  // replaces the one before; status and headers come before the body.

  /// Sets the status: 200 to 999. False when the head is written already, or for another number: then the
  /// answer becomes 500.
  bool status(http::status code) noexcept;
  /// Adds a header field; both are copied. False when the head is written already; false too, and the answer
  /// becomes 500, for a name that is no token, a value with a control character, a field that the library
  /// writes itself (Content-Length, Transfer-Encoding, Connection, Keep-Alive, Date, Upgrade, Trailer), or
  /// more than 64 KiB of fields.
  bool header(field id, std::string_view value) noexcept;
  bool header(std::string_view name, std::string_view value) noexcept;
  /// The connection ends after this answer; said in its head when called before the body.
  void close() noexcept { facts_.keep_alive = false; }

  /// A body of `n` octets for the handler to fill, in the cell itself where it fits; zero until then. Empty
  /// when there is no memory (the answer becomes 500), and when `n` is 0.
  [[nodiscard]] std::span<char> body(std::size_t n) noexcept;
  /// A body that is copied now. False when there is no memory; the answer becomes 500.
  bool body(std::string_view octets) noexcept;
  /// A body that stays where it is until it is sent: static memory, the request's region, or the request's
  /// body (its target, headers and parameters do not stay: copy those).
  bool view(std::string_view octets) noexcept;
  /// A body that is taken over and sent from its place.
  bool own(std::string&& octets) noexcept;
  /// `total` octets that `source` gives piece by piece; `source` was made in the region, and is destroyed
  /// with the response.
  bool body_from(Body& source, std::uint64_t total) noexcept;
  /// `total` octets: the static `piece`, again and again.
  bool repeat(std::string_view piece, std::uint64_t total) noexcept;
  /// A body that `function` writes as room for it comes, in chunks; its length need not be known. It is
  /// called after the handler has returned, by the same worker, and may use nothing of the request. HTTP/1.0
  /// gets it without chunks, and the connection ends behind it.
  bool stream(StreamFunction function) noexcept;
  /// As stream(), of `length` octets, which the answer announces.
  bool stream(std::uint64_t length, StreamFunction function) noexcept;

  /// A whole answer of text/plain, the pieces one behind the other: text(status::ok, "hello ", name, "\n").
  /// It replaces what was written before; a Content-Type that was set stays.
  template <class... Pieces>
  bool text(http::status code, const Pieces&... pieces) noexcept {
    const std::array<std::string_view, sizeof...(Pieces)> all{std::string_view(pieces)...};
    return whole(code, "text/plain; charset=utf-8", all);
  }
  /// A whole answer of application/json, likewise.
  template <class... Pieces>
  bool json(http::status code, const Pieces&... pieces) noexcept {
    const std::array<std::string_view, sizeof...(Pieces)> all{std::string_view(pieces)...};
    return whole(code, "application/json", all);
  }

  /// Takes back all that was set and written, and answers `reason` and a line end as text/plain. Does nothing
  /// after finish().
  void reset_to_error(http::status code, std::string_view reason) noexcept;

  [[nodiscard]] base::Region& region() noexcept { return *region_; }
  [[nodiscard]] http::status status() const noexcept { return status_; }

  // For the library.

  /// Takes back what was written: the answer comes from elsewhere.
  void discard() noexcept { take_back(); }
  /// Where it is written from here on, and what is known there.
  void attach(base::SendBuffer& cells, const SendingFacts& facts) noexcept {
    cells_ = &cells;
    sending_ = facts;
  }
  /// The head is not written before finish(): header fields may be added until then.
  void hold_head(bool hold) noexcept { held_ = hold; }
  /// A response that failed becomes 500 now, as it would at finish(): header fields may be added to that.
  void replace_if_failed() noexcept;
  /// The handler is done: writes the head into the cell if it fits, and a small body behind it. A response
  /// that failed becomes 500. After attach(); the cells are not used any more when this returns.
  void finish() noexcept;
  /// Why the response became 500, for the log; empty when it did not.
  [[nodiscard]] std::string_view fault() const noexcept { return fault_; }

  [[nodiscard]] bool head_written() const noexcept { return head_written_; }
  /// Writes the head to the open cell, or a part of it when no cell can hold it whole, and answers how many
  /// octets; 0 when there is too little room: come again with a fresh cell. Nothing when there is no memory,
  /// and the connection must end.
  [[nodiscard]] std::optional<std::size_t> write_head(base::SendBuffer& cells) noexcept;

  /// Whether what is left of the body lies in `octets`, or may.
  [[nodiscard]] bool refers_to(std::string_view octets) const noexcept;
  /// Octets of the body that are not yet in a cell; UINT64_MAX while their number is not known.
  [[nodiscard]] std::uint64_t remaining() const noexcept { return remaining_; }
  /// The next of them, at most `most`; the same ones until took(). Empty though remaining() is not 0: the
  /// body waits(), or it failed, and the connection must end.
  [[nodiscard]] base::Bytes next(std::size_t most) noexcept;
  /// The body has nothing now; next() is worth a call when its Waker tells.
  [[nodiscard]] bool waits() const noexcept {
    return source_ != nullptr && source_->pause() == Body::Pause::waits;
  }
  /// What is left of the body is still to be made, and may fail.
  [[nodiscard]] bool body_may_fail() const noexcept { return source_ != nullptr && remaining_ != 0; }
  /// Why the body failed, for the log.
  [[nodiscard]] std::string_view body_fault() const noexcept {
    return source_ == nullptr ? std::string_view() : source_->fault();
  }
  /// The first `n` octets that next() gave are in a cell.
  void took(std::size_t n) noexcept;

  /// Whether the connection stays open after this answer.
  [[nodiscard]] bool keep_alive() const noexcept { return facts_.keep_alive; }
  /// Octets of this answer that were written to the open cell by the response itself.
  [[nodiscard]] std::size_t octets_in_cell() const noexcept { return in_cell_; }
  /// Octets of the body that are in cells, a stream's chunk framing included; for the log.
  [[nodiscard]] std::uint64_t body_bytes() const noexcept { return body_bytes_; }

 private:
  bool fail(std::string_view fault) noexcept;
  [[nodiscard]] bool add_field(std::string_view name, std::string_view value) noexcept;
  [[nodiscard]] bool reserve_fields(std::size_t more) noexcept;
  bool whole(http::status code, std::string_view type, std::span<const std::string_view> pieces) noexcept;
  [[nodiscard]] bool copy_body(std::span<const std::string_view> pieces) noexcept;
  [[nodiscard]] char* place_body(std::size_t n) noexcept;
  void set_pending(std::string_view octets, std::uint64_t total) noexcept;
  bool set_source(Body& source, std::uint64_t total) noexcept;
  void copy_small_body() noexcept;
  void drop_body() noexcept;
  void take_back() noexcept;
  [[nodiscard]] bool sends_no_body() const noexcept;
  [[nodiscard]] Framing framing() const noexcept;
  [[nodiscard]] ResponseHead head() const noexcept;
  [[nodiscard]] bool head_into_cell(std::uint64_t behind) noexcept;
  [[nodiscard]] std::size_t write_head_part(base::SendBuffer& cells) noexcept;

  base::SendBuffer* cells_ = nullptr;
  base::Region* region_;
  Awaited* exchange_;
  ResponseFacts facts_;
  SendingFacts sending_;
  http::status status_ = http::status::ok;
  bool has_type_ = false;
  bool failed_ = false;
  bool head_written_ = false;
  bool finished_ = false;
  bool held_ = false;
  bool open_ended_ = false;  // the body's length is not known
  bool foreign_source_ = false;

  char* fields_ = nullptr;  // field lines as they go out, in the region
  std::uint32_t fields_size_ = 0;
  std::uint32_t fields_room_ = 0;

  std::uint64_t length_ = 0;
  std::uint64_t remaining_ = 0;
  std::uint64_t body_bytes_ = 0;
  std::string_view piece_;  // of the remaining octets, those that are at hand
  Body* source_ = nullptr;  // gives the rest
  std::string* owned_ = nullptr;

  std::size_t in_cell_ = 0;
  std::string_view long_head_;  // what is left of a head that no cell holds whole
  std::string_view fault_;
};

}  // namespace signet::http

// What a handler sees of a request: views into the received octets, valid until the handler returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <signet/base/bytes.hpp>
#include <signet/base/region.hpp>
#include <signet/http/awaited.hpp>
#include <signet/http/padded_body.hpp>
#include <signet/http/query.hpp>
#include <signet/http/types.hpp>

namespace signet::http {

class Json;
class Responder;

/// One header field as it was received.
struct Header {
  field id;                ///< Beast's field, or field::unknown for a name that Beast does not list
  std::string_view name;   ///< as the client wrote it
  std::string_view value;  ///< without the white space around it
};

/// A percent-decoded part of the path, named in the route's pattern.
struct Parameter {
  std::string_view name;
  std::string_view value;
};

/// What the parser read; the views lie in `octets`, apart from a path that an absolute-form target left out,
/// which is a static "/".
struct RequestHead {
  std::string_view octets;         ///< the head as received: request line to empty line, both included
  verb method = verb::unknown;     ///< verb::unknown for a method that Beast does not list
  std::string_view method_string;  ///< as received
  std::string_view target;         ///< as received
  std::string_view path;   ///< of the target, not decoded; "*" for OPTIONS *, the authority for CONNECT
  std::string_view query;  ///< behind the '?', not decoded; empty when there is none
  std::string_view
      host;  ///< with its port, as received: the target's own if it has one, else the Host field's
  std::span<const Header> headers;
  std::uint64_t content_length = 0;  ///< at most 2^63 - 1; 0 when chunked
  std::uint8_t version = 11;         ///< 10 or 11
  bool keep_alive = true;            ///< by version and Connection (RFC 9112 section 9.3)
  bool expects_continue = false;
  bool chunked = false;  ///< the body comes in chunks (RFC 9112 section 7.1)
};

/// Moves the head's views to `octets`, a copy of head.octets that may be used when the old ones are gone, and
/// its fields to `headers`, which holds a copy of head.headers already and whose views are moved in place.
void rebase(RequestHead& head, std::span<Header> headers, std::string_view octets) noexcept;

/// A request, for the time of its handler's call. Everything it gives is a view: copy what must live longer.
class Request {
 public:
  /// `head` is copied, its views are not. `exchange` is where late answers and wakers are sent from.
  Request(const RequestHead& head, base::Region& region, Awaited& exchange) noexcept
      : head_(head), region_(&region), exchange_(&exchange) {}
  /// Has the same views as `other`, until keep_all().
  Request(const Request& other, base::Region& region, Awaited& exchange) noexcept
      : head_(other.head_),
        body_(other.body_),
        region_(&region),
        exchange_(&exchange),
        parameters_(other.parameters_),
        trailers_(other.trailers_),
        id_(other.id_) {}
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  /// The method, or verb::unknown; then method_string() has it.
  [[nodiscard]] verb method() const noexcept { return head_.method; }
  /// The method as the client wrote it.
  [[nodiscard]] std::string_view method_string() const noexcept { return head_.method_string; }
  /// The request target as the client wrote it, query included.
  [[nodiscard]] std::string_view target() const noexcept { return head_.target; }
  /// The path of the target, still percent-encoded.
  [[nodiscard]] std::string_view path() const noexcept { return head_.path; }
  /// What follows the first '?' of the target, still percent-encoded; empty when there is none.
  [[nodiscard]] std::string_view query() const noexcept { return head_.query; }
  /// 11 for HTTP/1.1, 10 for HTTP/1.0.
  [[nodiscard]] unsigned version() const noexcept { return head_.version; }
  /// Whether the client lets the connection stay open after the answer.
  [[nodiscard]] bool keep_alive() const noexcept { return head_.keep_alive; }

  /// All header fields, in the order received.
  [[nodiscard]] std::span<const Header> headers() const noexcept { return head_.headers; }
  /// The value of the first such field; empty when there is none (has() tells the two apart).
  [[nodiscard]] std::string_view header(field id) const noexcept;
  /// As header(field), for any name; upper and lower case are the same.
  [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
  [[nodiscard]] bool has(field id) const noexcept { return find(id) != nullptr; }
  [[nodiscard]] bool has(std::string_view name) const noexcept { return find(name) != nullptr; }

  /// The whole body; empty when there is none, in before hooks, and for a route that takes it piece by piece.
  [[nodiscard]] std::string_view body() const noexcept { return base::as_text(body_); }
  /// The trailer fields behind a body in chunks, for a route that keeps them (RouteOptions::trailers).
  [[nodiscard]] std::span<const Header> trailers() const noexcept { return trailers_; }

  /// The percent-decoded part of the path that the pattern names: "name" for /hello/{name}. Empty for a name
  /// that is not in the pattern. It can hold any octet but NUL, a '/' that came as %2F included.
  [[nodiscard]] std::string_view param(std::string_view name) const noexcept;

  /// The decoded value of the first query parameter of this name: "x y" for q in "?q=x+y". Nothing when there
  /// is none, or no memory to decode it. A malformed escape leaves the value as it was received; see
  /// http::decode_query.
  [[nodiscard]] std::optional<std::string_view> query_parameter(std::string_view name) const noexcept;
  /// Calls `use(name, value)` for each query parameter, both decoded, in the order received; false, and no
  /// further call, when there is no memory.
  template <class Use>
  bool for_each_query_parameter(Use&& use) const {
    return http::for_each_query_parameter(head_.query, *region_, use);
  }
  /// The value of the first cookie of this name, without double quotes around it, not decoded; nothing when
  /// there is none.
  [[nodiscard]] std::optional<std::string_view> cookie(std::string_view name) const noexcept;
  /// What the answer says in X-Request-Id: the client's own, or a fresh one. Empty unless App::request_ids()
  /// was called.
  [[nodiscard]] std::string_view id() const noexcept { return id_; }

  /// The body as a JSON document, parsed where it lies. Include <signet/http/json.hpp> to call it.
  [[nodiscard]] Json json() const;

  /// This request is answered later, from any thread: the answer is what becomes of the Responder, and what
  /// the handler and the hooks before it wrote to its response is dropped. The connection's next requests
  /// wait. Copies the request, its body too; without memory, or when the late requests of a worker hold more
  /// than its body memory, std::bad_alloc, which answers 503. Include <signet/http/responder.hpp>, or
  /// <signet/signet.hpp>, to call it.
  [[nodiscard]] Responder later() const;

  // For the library.

  [[nodiscard]] const RequestHead& head() const noexcept { return head_; }
  [[nodiscard]] base::Region& region() const noexcept { return *region_; }
  void set_parameters(std::span<const Parameter> parameters) noexcept { parameters_ = parameters; }
  [[nodiscard]] std::span<const Parameter> parameters() const noexcept { return parameters_; }
  void set_trailers(std::span<const Header> trailers) noexcept { trailers_ = trailers; }
  /// `id` lies in the region.
  void set_id(std::string_view id) const noexcept { id_ = id; }
  /// `body` is followed by PaddedBody::padding writable octets.
  void set_body(base::MutBytes body) noexcept { body_ = body; }
  /// Copies the head and the parameters to the region, for when the received octets go. False without memory.
  /// Once is enough: what is looked up afterwards lies in the copy.
  [[nodiscard]] bool keep_head() noexcept;
  [[nodiscard]] bool keeps_head() const noexcept { return keeps_head_; }
  /// Copies all that is there to the region. False without memory.
  [[nodiscard]] bool keep_all() noexcept;
  /// later() was called, and the handler did not fail.
  [[nodiscard]] bool is_late() const noexcept { return late_; }
  void answer_now() const noexcept { late_ = false; }
  /// The octets behind the body are blanks from here until unpad(); a request without a body has none.
  void pad() const noexcept {
    if (body_.data() != nullptr) padding_.blank(body_.data() + body_.size());
  }
  /// Puts back what pad() hid; the dispatcher calls it when the handler has returned.
  void unpad() const noexcept { padding_.restore(); }

 private:
  [[nodiscard]] const Header* find(field id) const noexcept;
  [[nodiscard]] const Header* find(std::string_view name) const noexcept;
  [[nodiscard]] bool keep_parameters() noexcept;
  [[nodiscard]] bool keep_trailers() noexcept;
  [[nodiscard]] bool keep_body() noexcept;

  RequestHead head_;
  base::MutBytes body_;
  base::Region* region_;
  Awaited* exchange_;
  std::span<const Parameter> parameters_;
  std::span<const Header> trailers_;
  mutable std::string_view id_;
  bool keeps_head_ = false;
  mutable bool late_ = false;
  mutable PaddedBody padding_;
};

}  // namespace signet::http

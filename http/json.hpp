// JSON from a request's body, by simdjson On-Demand, on the octets as they were received.
//
// simdjson is a large header: include this only where request.json() is called.
#pragma once

#include <cstddef>
#include <string_view>

#include <simdjson.h>

#include <signet/base/recv_buffer.hpp>
#include <signet/http/request.hpp>
#include <signet/http/response.hpp>

namespace signet::http {

static_assert(PaddedBody::padding >= simdjson::SIMDJSON_PADDING);
static_assert(base::RecvBuffer::padding >= simdjson::SIMDJSON_PADDING);

/// A document in the request's body. A thread has one parser, so there is one document at a time: it must not
/// outlive its handler, nor be kept while another request's is read.
class Json {
 public:
  /// The document, or the error why there is none; every access goes through it: json.document()["name"].
  /// On-Demand parses as it is asked: what a handler does not read is not checked.
  [[nodiscard]] simdjson::simdjson_result<simdjson::ondemand::document>& document() noexcept {
    return document_;
  }

  /// The octet of the body, counted from 0, at which the parser stands: after a failure, the place of the
  /// fault.
  [[nodiscard]] std::size_t place() noexcept;
  /// Octets of the body.
  [[nodiscard]] std::size_t bytes() const noexcept { return body_.size(); }

  Json(std::string_view body, simdjson::simdjson_result<simdjson::ondemand::document>&& document) noexcept
      : body_(body), document_(std::move(document)) {}

 private:
  std::string_view body_;
  simdjson::simdjson_result<simdjson::ondemand::document> document_;
};

/// The calling thread's parser, made for every body that a receive buffer can hold: one allocation for its
/// life. A longer body makes it grow, once.
[[nodiscard]] inline simdjson::ondemand::parser& json_parser() noexcept {
  thread_local simdjson::ondemand::parser parser;
  if (parser.capacity() == 0) {
    // Without memory the capacity stays 0, and reading a document answers so.
    [[maybe_unused]] const simdjson::error_code error = parser.allocate(base::RecvBuffer::capacity);
  }
  return parser;
}

/// Where a request without a body has it: simdjson looks there and behind it all the same.
inline constexpr char no_body[PaddedBody::padding] = {};

inline Json Request::json() const {
  pad();
  const std::string_view octets = body().data() == nullptr ? std::string_view(no_body, 0) : body();
  const simdjson::padded_string_view padded(octets.data(), octets.size(),
                                            octets.size() + PaddedBody::padding);
  return {octets, json_parser().iterate(padded)};
}

/// Where a body that simdjson refused as a whole is at fault: the first octet that is no UTF-8 or a control
/// character in a string, else the quote of a string without an end, else the body's end.
[[nodiscard]] std::size_t json_fault_place(std::string_view body) noexcept;

inline std::size_t Json::place() noexcept {
  const char* at = nullptr;
  if (document_.error()) return json_fault_place(body_);
  if (document_.current_location().get(at)) return body_.size();
  const auto offset = static_cast<std::size_t>(at - body_.data());
  return offset < body_.size() ? offset : body_.size();
}

/// Answers 400 with what is wrong and where it is in the body: "JSON, octet 17: " and `what`.
void json_fault(Response& response, std::size_t place, std::string_view what) noexcept;
inline void json_fault(Response& response, Json& json, simdjson::error_code error) noexcept {
  // What is missing is missing at the end, where simdjson stands at the start still.
  const bool ended_early = error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT;
  json_fault(response, ended_early ? json.bytes() : json.place(), simdjson::error_message(error));
}

}  // namespace signet::http

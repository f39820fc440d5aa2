// What the fields of a head mean for the connection: where the request ends and whether another may follow.
#pragma once

#include <signet/http/limits.hpp>
#include <signet/http/request.hpp>

namespace signet::http {

constexpr Refusal too_large{status::payload_too_large, "the body is too long"};

/// Checks Host, Content-Length, Transfer-Encoding and Expect (RFC 9112 sections 3.2 and 6, RFC 9110 section
/// 10.1.1), and sets host, content_length, chunked, keep_alive and expects_continue from the fields. A host
/// that the target gave stays. The refusal's text is empty when all is well. Whether the length is within a
/// limit is the caller's question.
[[nodiscard]] Refusal check_fields(RequestHead& head) noexcept;

}  // namespace signet::http

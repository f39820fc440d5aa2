// What the fields of a head mean for the connection: where the request ends and whether another may follow.
#pragma once

#include <signet/http/limits.hpp>
#include <signet/http/request.hpp>

namespace signet::http {

constexpr Refusal too_large{status::payload_too_large, "the body is too long"};

/// Checks Host, Content-Length and Transfer-Encoding (RFC 9112 sections 3.2 and 6), and sets content_length,
/// keep_alive and expects_continue from the fields. The refusal's text is empty when all is well.
[[nodiscard]] Refusal check_fields(const Limits& limits, RequestHead& head) noexcept;

}  // namespace signet::http

// The first line of a request (RFC 9112 section 3), taken apart before llhttp sees it: llhttp knows methods
// and versions that we do not serve, and refuses methods that are merely unknown.
#pragma once

#include <signet/http/limits.hpp>
#include <signet/http/request.hpp>

namespace signet::http {

/// Reads `line`, without its CRLF, into method, target and version of `head`; its text is empty when all went
/// well.
[[nodiscard]] Refusal read_request_line(std::string_view line, RequestHead& head) noexcept;

/// Finds path, query and, in absolute-form, host in the target (RFC 9112 section 3.2), whose octets llhttp
/// has checked.
[[nodiscard]] Refusal read_target(RequestHead& head) noexcept;

}  // namespace signet::http

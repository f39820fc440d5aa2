// host[:port], as the Host field and the targets of requests name it (RFC 3986 section 3.2, without user
// information).
#pragma once

#include <string_view>

namespace signet::http {

/// Whether `text` is a host that is not empty, with or without a colon and a port of any number of digits.
/// The host is a name with well-formed escapes, an IPv4 address, or an IPv6 address in brackets, whose groups
/// are not counted.
[[nodiscard]] bool is_authority(std::string_view text) noexcept;

}  // namespace signet::http

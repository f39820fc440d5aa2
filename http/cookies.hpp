// Cookies, as clients send them back (RFC 6265 sections 4.2.1 and 5.4).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <signet/http/request.hpp>

namespace signet::http {

/// The value of the first cookie of this name in all Cookie fields; upper and lower case differ. A pair of
/// double quotes around the value is left out; nothing is decoded. Nothing when there is no such cookie; what
/// has no '=' is none. Looks at each octet of the fields a few times at most.
[[nodiscard]] std::optional<std::string_view> cookie(std::span<const Header> headers,
                                                     std::string_view name) noexcept;

}  // namespace signet::http

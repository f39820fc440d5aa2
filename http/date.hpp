// The Date field's value.
#pragma once

#include <cstdint>
#include <span>

namespace signet::http {

constexpr std::size_t date_bytes = 29;

/// Writes the IMF-fixdate of `unix_seconds` (RFC 9110 section 5.6.7), "Sun, 06 Nov 1994 08:49:37 GMT". Years
/// 1970 to 9999; what lies outside is written as the nearest end.
void format_date(std::span<char, date_bytes> out, std::int64_t unix_seconds) noexcept;

}  // namespace signet::http

// Percent-decoding (RFC 3986 section 2.1).
#pragma once

#include <cstdint>
#include <string_view>

#include <signet/base/region.hpp>

namespace signet::http {

enum class Decoding : std::uint8_t { done, bad_escape, no_memory };

/// Replaces `text` by its decoded form, in `region` if it differs. A '%' without two hexadecimal digits
/// behind it is a bad escape, and so is %00, which no name can mean.
[[nodiscard]] Decoding percent_decode(std::string_view& text, base::Region& region) noexcept;

}  // namespace signet::http

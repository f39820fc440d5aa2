// The fields behind a body in chunks (RFC 9112 section 7.1.2, RFC 9110 section 6.5).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <signet/base/region.hpp>
#include <signet/http/request.hpp>

namespace signet::http {

/// Whether each line of `section`, which HeadScan has seen and found complete, is a field: a token directly
/// before a colon. What a field means is not asked.
[[nodiscard]] bool are_trailers(std::string_view section) noexcept;

/// The fields of a trailer section that ChunkedDecoder answered, in `region`; names and values are views into
/// `section`. Left out are fields that may not come so late, since they say where a message ends, where it
/// goes, who sends it or how its content is read (RFC 9110 section 6.5.1). Nothing when there is no memory.
[[nodiscard]] std::optional<std::span<const Header>> read_trailers(std::string_view section,
                                                                   base::Region& region) noexcept;

}  // namespace signet::http

// Patterns of routes and prefixes of hooks, taken apart into segments at start-up.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <signet/base/result.hpp>

namespace signet::http {

/// Segments that are looked at; a longer path is not found, and a longer pattern is refused.
inline constexpr std::size_t most_path_segments = 32;

/// What a parameter is among a pattern's segments, whatever its name.
inline constexpr std::string_view any_segment = "{}";

struct Pattern {
  std::vector<std::string> segments;  ///< literal ones, and any_segment for each parameter
  std::vector<std::string> names;     ///< of the parameters, in order
};

/// Takes the first segment off `path`, which begins with its '/'.
std::string_view take_segment(std::string_view& path) noexcept;

/// "." and "..", which mean another path (RFC 3986 section 5.2.4).
[[nodiscard]] bool is_dot_segment(std::string_view segment) noexcept;

/// Takes a pattern apart, or says why it is none.
[[nodiscard]] base::Result<Pattern, std::string> parse_pattern(std::string_view text);

/// The segments of a hook's prefix: none for "/" and "", which are every route's. Fails as parse_pattern
/// does, and for a '/' at the end, which would leave out what has none.
[[nodiscard]] base::Result<std::vector<std::string>, std::string> parse_prefix(std::string_view text);

/// Whether the segments of `prefix` are the first ones of a pattern; a parameter is like any other parameter.
[[nodiscard]] bool covers(const std::vector<std::string>& prefix, const std::vector<std::string>& segments);

}  // namespace signet::http

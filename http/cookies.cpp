#include <algorithm>

#include <signet/http/ascii.hpp>
#include <signet/http/cookies.hpp>

namespace signet::http {
namespace {

std::string_view without_quotes(std::string_view value) noexcept {
  const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
  return quoted ? value.substr(1, value.size() - 2) : value;
}

/// Looks through one field: cookie-pairs joined by "; ", where a blank more or less is no fault.
std::optional<std::string_view> cookie_in(std::string_view pairs, std::string_view name) noexcept {
  while (!pairs.empty()) {
    const std::string_view raw = pairs.substr(0, pairs.find(';'));
    pairs.remove_prefix(std::min(raw.size() + 1, pairs.size()));
    const std::string_view pair = trim(raw);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
      return without_quotes(pair.substr(equals + 1));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> cookie(std::span<const Header> headers, std::string_view name) noexcept {
  for (const Header& header : headers) {
    if (header.id != field::cookie) continue;
    if (const auto value = cookie_in(header.value, name)) return value;
  }
  return std::nullopt;
}

}  // namespace signet::http

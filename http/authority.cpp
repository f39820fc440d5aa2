#include <signet/http/ascii.hpp>
#include <signet/http/authority.hpp>

namespace signet::http {
namespace {

bool has_bad_escape(std::string_view text) noexcept {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 3)) {
    if (text.size() - at < 3 || hex_value(text[at + 1]) < 0 || hex_value(text[at + 2]) < 0) return true;
  }
  return false;
}

bool is_name(std::string_view text) noexcept {
  return !text.empty() && all_in(reg_name_octets, text) && !has_bad_escape(text);
}

/// An address has two colons at least; zones and later IP versions have no use in a request.
bool is_ipv6(std::string_view text) noexcept {
  std::size_t colons = 0;
  for (const char c : text) {
    if (hex_value(c) < 0 && c != ':' && c != '.') return false;
    colons += c == ':' ? 1 : 0;
  }
  return colons >= 2;
}

/// What stands behind the host: nothing, or a colon and digits (RFC 3986 section 3.2.3 allows none of them).
bool is_port(std::string_view text) noexcept {
  return text.empty() || (text.front() == ':' && all_digits(text.substr(1)));
}

}  // namespace

bool is_authority(std::string_view text) noexcept {
  if (!text.starts_with('[')) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return is_name(text);
    return is_name(text.substr(0, colon)) && is_port(text.substr(colon));
  }
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos) return false;
  return is_ipv6(text.substr(1, close - 1)) && is_port(text.substr(close + 1));
}

}  // namespace signet::http

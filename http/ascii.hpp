// The few questions about octets that HTTP's grammar asks (RFC 9110 section 5.6), without a locale.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace signet::http {

/// For each octet whether it is in a set.
using OctetSet = std::array<bool, 256>;

constexpr OctetSet letters_digits_and(std::string_view others) noexcept {
  OctetSet set{};
  for (unsigned c = 0; c < 256; ++c) {
    set[c] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
  for (const char c : others) set[static_cast<unsigned char>(c)] = true;
  return set;
}

/// RFC 9110 section 5.6.2.
inline constexpr OctetSet token_octets = letters_digits_and("!#$%&'*+-.^_`|~");
/// reg-name of RFC 3986 section 3.2.2, the '%' of an escape included.
inline constexpr OctetSet reg_name_octets = letters_digits_and("-._~!$&'()*+,;=%");

constexpr bool all_in(const OctetSet& set, std::string_view text) noexcept {
  bool all = true;
  for (const char c : text) all = all && set[static_cast<unsigned char>(c)];
  return all;
}

constexpr bool is_token(std::string_view text) noexcept {
  return !text.empty() && all_in(token_octets, text);
}

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

constexpr bool all_digits(std::string_view text) noexcept {
  bool all = true;
  for (const char c : text) all = all && is_digit(c);
  return all;
}

/// SP or HTAB: the OWS of RFC 9110 section 5.6.3.
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

constexpr std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

constexpr char to_lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

/// The value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Whether a comma-separated list has this element, by case-insensitive comparison.
constexpr bool list_has(std::string_view list, std::string_view element) noexcept {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (equal_ignoring_case(trim(list.substr(0, comma)), element)) return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

}  // namespace signet::http

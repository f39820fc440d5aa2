// Octets from and to hexadecimal text, as published vectors print them.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <signet/base/bytes.hpp>

namespace signet::test {

inline std::string to_hex(base::Bytes bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t octet : bytes) {
    text += digits[octet >> 4];
    text += digits[octet & 15];
  }
  return text;
}

/// The value of one digit; anything else is a mistake in the test and ends it.
inline unsigned hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  std::abort();
}

/// Blanks and line ends between digits are passed over; an odd number of digits ends the test.
inline std::vector<std::uint8_t> from_hex(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  unsigned high = 16;
  for (const char c : text) {
    if (c == ' ' || c == '\n') continue;
    const unsigned digit = hex_digit(c);
    if (high == 16) {
      high = digit;
    } else {
      bytes.push_back(static_cast<std::uint8_t>(high << 4 | digit));
      high = 16;
    }
  }
  if (high != 16) std::abort();
  return bytes;
}

}  // namespace signet::test

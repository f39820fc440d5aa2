#include <optional>

#include <signet/tls/ip_literal.hpp>

namespace signet::tls {
namespace {

constexpr std::size_t group_bytes = 2;

// The digit's value, 16 for what is none.
unsigned hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

// Some read a leading zero as octal, so that the same text would name two addresses.
bool parse_decimal_octet(std::uint8_t& octet, std::string_view text) noexcept {
  if (text.empty() || text.size() > 3 || (text.size() > 1 && text[0] == '0')) return false;
  unsigned value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  octet = static_cast<std::uint8_t>(value);
  return value <= 255;
}

/// The groups from left to right, and where "::" stood.
class Groups {
 public:
  bool read(std::string_view text) noexcept {
    if (text.starts_with("::")) text = begin_gap(text.substr(1));
    while (!text.empty()) {
      const std::string_view token = text.substr(0, text.find(':'));
      if (token.find('.') != std::string_view::npos) return token.size() == text.size() && read_quad(token);
      if (!read_group(token)) return false;
      text.remove_prefix(token.size());
      if (text.empty()) break;
      text.remove_prefix(1);
      if (text.empty() || (text[0] == ':' && gap_)) return false;
      if (text[0] == ':') text = begin_gap(text);
    }
    return true;
  }

  bool write(std::span<std::uint8_t, ipv6_bytes> octets) const noexcept {
    const std::size_t head = gap_.value_or(used_);
    if (gap_ ? used_ > ipv6_bytes - group_bytes : used_ != ipv6_bytes) return false;
    std::memset(octets.data(), 0, octets.size());
    std::memcpy(octets.data(), octets_, head);
    std::memcpy(octets.data() + octets.size() - (used_ - head), octets_ + head, used_ - head);
    return true;
  }

 private:
  // `text` begins with the second colon.
  std::string_view begin_gap(std::string_view text) noexcept {
    gap_ = used_;
    return text.substr(1);
  }

  bool read_group(std::string_view token) noexcept {
    if (token.empty() || token.size() > 4 || used_ > ipv6_bytes - group_bytes) return false;
    unsigned value = 0;
    for (const char c : token) {
      if (hex_value(c) == 16) return false;
      value = value << 4 | hex_value(c);
    }
    base::store_be16(octets_ + used_, static_cast<std::uint16_t>(value));
    used_ += group_bytes;
    return true;
  }

  bool read_quad(std::string_view token) noexcept {
    if (used_ > ipv6_bytes - ipv4_bytes) return false;
    const std::span<std::uint8_t, ipv4_bytes> room(octets_ + used_, ipv4_bytes);
    used_ += ipv4_bytes;
    return parse_ipv4(room, token);
  }

  std::uint8_t octets_[ipv6_bytes] = {};
  std::size_t used_ = 0;
  std::optional<std::size_t> gap_;
};

}  // namespace

bool parse_ipv4(std::span<std::uint8_t, ipv4_bytes> octets, std::string_view text) noexcept {
  for (std::size_t i = 0; i < ipv4_bytes; i++) {
    const std::size_t dot = text.find('.');
    const bool last = i == ipv4_bytes - 1;
    if ((dot == std::string_view::npos) != last) return false;
    if (!parse_decimal_octet(octets[i], text.substr(0, dot))) return false;
    if (!last) text.remove_prefix(dot + 1);
  }
  return true;
}

bool parse_ipv6(std::span<std::uint8_t, ipv6_bytes> octets, std::string_view text) noexcept {
  Groups groups;
  return groups.read(text) && groups.write(octets);
}

}  // namespace signet::tls

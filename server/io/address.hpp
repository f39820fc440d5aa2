// IP addresses with ports: what listeners are bound to and who a peer is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <netinet/in.h>
#include <sys/socket.h>

namespace signet::server {

/// 18 octets: an IPv4 address is kept as IPv4-mapped IPv6 (RFC 4291 section 2.5.5.2).
struct Address {
  /// "[ffff:...:ffff]:65535" with its end.
  static constexpr std::size_t text_bytes = 56;

  std::uint8_t ip[16] = {};
  std::uint16_t port = 0;

  [[nodiscard]] static Address of(const sockaddr_storage& from) noexcept;
  [[nodiscard]] bool is_v4() const noexcept;
  /// As the kernel wants it; answers its size.
  [[nodiscard]] socklen_t to(sockaddr_storage& out) const noexcept;
  /// "127.0.0.1:8443" or "[::1]:8443", written to `room`.
  [[nodiscard]] std::string_view text(std::span<char, text_bytes> room) const noexcept;
};

/// Reads "HOST:PORT", "[HOST]:PORT" or ":PORT" (every address). HOST is an IP address or "localhost". False
/// for anything else.
[[nodiscard]] bool parse_address(Address& address, std::string_view text) noexcept;

}  // namespace signet::server

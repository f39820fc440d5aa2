// IP addresses written as text, read into octets as iPAddress of a certificate has them.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::tls {

constexpr std::size_t ipv4_bytes = 4;
constexpr std::size_t ipv6_bytes = 16;

/// Four decimal numbers of 0 to 255 without leading zeros, dots between (IPv4address of RFC 3986 section
/// 3.2.2). False for all else, and then `octets` may have been written.
[[nodiscard]] bool parse_ipv4(std::span<std::uint8_t, ipv4_bytes> octets, std::string_view text) noexcept;

/// Every form of RFC 4291 section 2.2: groups of one to four hexadecimal digits of either case, one "::" for
/// one or more groups of zeros, and a dotted quad for the last two. No brackets, no zone. False for all else.
[[nodiscard]] bool parse_ipv6(std::span<std::uint8_t, ipv6_bytes> octets, std::string_view text) noexcept;

}  // namespace signet::tls

#include <charconv>
#include <cstring>

#include <arpa/inet.h>

#include <signet/server/io/address.hpp>

namespace signet::server {
namespace {

constexpr std::uint8_t v4_mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool parse_port(std::uint16_t& port, std::string_view text) noexcept {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  return fault == std::errc() && end == text.data() + text.size();
}

bool parse_ip(Address& address, std::string_view host) noexcept {
  char terminated[INET6_ADDRSTRLEN] = {};
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() >= sizeof terminated) return false;
  std::memcpy(terminated, host.data(), host.size());
  if (inet_pton(AF_INET6, terminated, address.ip) == 1) return true;
  std::memcpy(address.ip, v4_mapped, sizeof v4_mapped);
  return inet_pton(AF_INET, terminated, address.ip + sizeof v4_mapped) == 1;
}

}  // namespace

Address Address::of(const sockaddr_storage& from) noexcept {
  Address address;
  if (from.ss_family == AF_INET6) {
    sockaddr_in6 v6;
    std::memcpy(&v6, &from, sizeof v6);
    std::memcpy(address.ip, &v6.sin6_addr, sizeof address.ip);
    address.port = ntohs(v6.sin6_port);
  } else {
    sockaddr_in v4;
    std::memcpy(&v4, &from, sizeof v4);
    std::memcpy(address.ip, v4_mapped, sizeof v4_mapped);
    std::memcpy(address.ip + sizeof v4_mapped, &v4.sin_addr, 4);
    address.port = ntohs(v4.sin_port);
  }
  return address;
}

bool Address::is_v4() const noexcept { return std::memcmp(ip, v4_mapped, sizeof v4_mapped) == 0; }

socklen_t Address::to(sockaddr_storage& out) const noexcept {
  std::memset(&out, 0, sizeof out);
  if (is_v4()) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    std::memcpy(&v4.sin_addr, ip + sizeof v4_mapped, 4);
    std::memcpy(&out, &v4, sizeof v4);
    return sizeof v4;
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  std::memcpy(&v6.sin6_addr, ip, sizeof ip);
  std::memcpy(&out, &v6, sizeof v6);
  return sizeof v6;
}

std::string_view Address::text(std::span<char, text_bytes> room) const noexcept {
  char* at = room.data();
  if (!is_v4()) *at++ = '[';
  const void* source = is_v4() ? ip + sizeof v4_mapped : ip;
  inet_ntop(is_v4() ? AF_INET : AF_INET6, source, at, INET6_ADDRSTRLEN);
  at += std::strlen(at);
  if (!is_v4()) *at++ = ']';
  *at++ = ':';
  at = std::to_chars(at, room.data() + room.size(), port).ptr;
  return {room.data(), static_cast<std::size_t>(at - room.data())};
}

bool parse_address(Address& address, std::string_view text) noexcept {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !parse_port(address.port, text.substr(colon + 1))) return false;
  std::string_view host = text.substr(0, colon);
  if (host.empty() || host == "*") host = "::";
  if (host.front() != '[') return (host == "::" || host.find(':') == host.npos) && parse_ip(address, host);
  return host.size() > 2 && host.back() == ']' && parse_ip(address, host.substr(1, host.size() - 2)) &&
         !address.is_v4();
}

}  // namespace signet::server

#include <algorithm>

#include <signet/tls/host_names.hpp>
#include <signet/tls/ip_literal.hpp>

namespace signet::tls {
namespace {

// RFC 1035 section 2.3.4; 255 octets on the wire are 253 as text.
constexpr std::size_t max_label_bytes = 63;
constexpr std::size_t max_domain_bytes = 253;
constexpr std::string_view wildcard_label = "*.";

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

constexpr bool is_label_character(char c) noexcept {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-' || c == '_';
}

bool is_label(std::string_view text) noexcept {
  return !text.empty() && text.size() <= max_label_bytes && text.front() != '-' && text.back() != '-' &&
         std::ranges::all_of(text, is_label_character);
}

// A last label of digits is an address's, or nothing's (RFC 1123 section 2.1).
bool is_domain(std::string_view text) noexcept {
  if (text.size() > max_domain_bytes) return false;
  for (;;) {
    const std::size_t dot = text.find('.');
    const std::string_view label = text.substr(0, dot);
    if (!is_label(label)) return false;
    if (dot == std::string_view::npos) return !std::ranges::all_of(label, is_digit);
    text.remove_prefix(dot + 1);
  }
}

bool same_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, [](char x, char y) noexcept { return lower(x) == lower(y); });
}

/// The host that is looked for, read once and then compared with each name.
class Sought {
 public:
  explicit Sought(std::string_view host) noexcept {
    if (host.find(':') != std::string_view::npos) {
      read_ipv6(host);
    } else {
      read_ipv4_or_domain(host.ends_with('.') ? host.substr(0, host.size() - 1) : host);
    }
  }

  [[nodiscard]] bool matches(const HostName& name) const noexcept {
    const std::string_view text = base::as_text(name.value);
    switch (name.kind) {
      case HostName::Kind::address:
        return std::ranges::equal(name.value, base::Bytes(address_).first(address_bytes_));
      case HostName::Kind::exact:
        return same_ignoring_case(domain_, text);
      case HostName::Kind::wildcard:
        return same_ignoring_case(after_label(), text.substr(wildcard_label.size()));
    }
    return false;
  }

 private:
  void read_ipv6(std::string_view host) noexcept {
    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    if (bracketed) host = host.substr(1, host.size() - 2);
    if (parse_ipv6(address_, host)) address_bytes_ = ipv6_bytes;
  }

  void read_ipv4_or_domain(std::string_view host) noexcept {
    if (parse_ipv4(std::span(address_).first<ipv4_bytes>(), host)) {
      address_bytes_ = ipv4_bytes;
    } else if (is_domain(host)) {
      domain_ = host;
    }
  }

  // Empty, which no wildcard ends with, when there is one label.
  [[nodiscard]] std::string_view after_label() const noexcept {
    const std::size_t dot = domain_.find('.');
    return dot == std::string_view::npos ? std::string_view() : domain_.substr(dot + 1);
  }

  std::string_view domain_;  // empty when the host is none
  std::uint8_t address_[ipv6_bytes] = {};
  std::size_t address_bytes_ = 0;  // 0 when the host is none
};

}  // namespace

std::optional<HostName> host_name(const GeneralName& name) noexcept {
  if (name.kind == GeneralName::Kind::other) return std::nullopt;
  if (name.kind == GeneralName::Kind::ip) return HostName{HostName::Kind::address, name.value};
  const std::string_view text = base::as_text(name.value);
  const bool wildcard = text.starts_with(wildcard_label);
  const std::string_view labels = wildcard ? text.substr(wildcard_label.size()) : text;
  if (text.size() > max_domain_bytes || !is_domain(labels)) return std::nullopt;
  return HostName{wildcard ? HostName::Kind::wildcard : HostName::Kind::exact, name.value};
}

std::uint8_t covering_name(std::span<const HostName> names, std::string_view host,
                           std::uint8_t first) noexcept {
  const Sought sought(host);
  if (first != 0 && first <= names.size() && sought.matches(names[first - 1u])) return first;
  for (std::size_t i = 0; i < std::min(names.size(), max_host_names); i++) {
    if (sought.matches(names[i])) return static_cast<std::uint8_t>(i + 1);
  }
  return 0;
}

std::string_view host_without_port(std::string_view host) noexcept {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos) return host;
  const std::string_view before = host.substr(0, colon);
  const bool bare_ipv6 = before.find(':') != std::string_view::npos && !before.ends_with(']');
  const bool port = std::ranges::all_of(host.substr(colon + 1), is_digit);
  return bare_ipv6 || !port ? host : before;
}

}  // namespace signet::tls

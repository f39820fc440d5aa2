// The hosts that a certificate is for, and whether it is for a given one (RFC 9525 section 6). Only
// subjectAltName counts, never the common name.
#pragma once

#include <optional>
#include <string_view>

#include <signet/tls/certificate_extensions.hpp>

namespace signet::tls {

constexpr std::size_t max_host_names = 255;  // so that an index plus one is one octet

/// A name of a certificate that a host can match, as a view into its DER.
struct HostName {
  enum class Kind : std::uint8_t {
    exact,     // "example.com"
    wildcard,  // "*.example.com", the star being one whole label
    address,
  };
  Kind kind = Kind::exact;
  base::Bytes value;  // address: 4 or 16 octets; otherwise the name as the certificate has it
};

/// nullopt for what no host can match: a type other than dNSName and iPAddress, and a dNSName that is
/// malformed. Well formed is at most 253 octets in labels of 1 to 63 letters, digits, underscores, and
/// hyphens inside; the last label is not digits alone; no dot ends it; the only star is the whole leftmost of
/// two or more labels.
[[nodiscard]] std::optional<HostName> host_name(const GeneralName& name) noexcept;

/// Index + 1 of the name that is for `host`, 0 for none; `names` has at most max_host_names. `host` has no
/// port; it is a domain name or a dotted quad (case of ASCII letters and one dot at the end do not count), or
/// an IPv6 address in any of its forms, in brackets or bare. An address matches iPAddress only, octet by
/// octet, and a domain name dNSName only; a wildcard stands for one label. What is none of these matches
/// nothing. The name that `first` (such an answer, 0 for none) stands for is tried before the others.
[[nodiscard]] std::uint8_t covering_name(std::span<const HostName> names, std::string_view host,
                                         std::uint8_t first) noexcept;

/// What stands before the port: "example.com:443" and "example.com:" are "example.com", "[::1]:443" is
/// "[::1]". A text without a port, or with one that is not digits, comes back whole, and so does a bare IPv6
/// address.
[[nodiscard]] std::string_view host_without_port(std::string_view host) noexcept;

}  // namespace signet::tls

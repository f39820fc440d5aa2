// The object identifiers that keys and certificates name.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::crypto::oid {

// Contents of OBJECT IDENTIFIERs, without tag and length.
inline constexpr std::uint8_t ec_public_key[] = {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01};  // RFC 5480
inline constexpr std::uint8_t p256[] = {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};     // RFC 5480
inline constexpr std::uint8_t ecdsa_with_sha256[] = {0x2a, 0x86, 0x48, 0xce,
                                                     0x3d, 0x04, 0x03, 0x02};  // RFC 5758
inline constexpr std::uint8_t common_name[] = {0x55, 0x04, 0x03};              // RFC 5280

// Certificate extensions, RFC 5280 section 4.2.
inline constexpr std::uint8_t subject_key_identifier[] = {0x55, 0x1d, 0x0e};
inline constexpr std::uint8_t key_usage[] = {0x55, 0x1d, 0x0f};
inline constexpr std::uint8_t subject_alt_name[] = {0x55, 0x1d, 0x11};
inline constexpr std::uint8_t basic_constraints[] = {0x55, 0x1d, 0x13};
inline constexpr std::uint8_t extended_key_usage[] = {0x55, 0x1d, 0x25};
inline constexpr std::uint8_t server_auth[] = {0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01};

[[nodiscard]] inline bool equal(base::Bytes a, base::Bytes b) noexcept {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace signet::crypto::oid

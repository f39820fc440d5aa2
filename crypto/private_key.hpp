// P-256 private keys out of files: SEC1 (RFC 5915) and PKCS#8 (RFC 5208, RFC 5958), PEM or DER. Used at
// start-up.
#pragma once

#include <signet/crypto/p256.hpp>
#include <signet/crypto/pem.hpp>

namespace signet::crypto {

constexpr std::size_t max_private_key_der_bytes = 16'384;

/// Reads the one private key of `file`, PEM or DER, into `key`. In PEM, EC PARAMETERS and certificates may
/// stand beside it. Refused, each with its own reason: an encrypted key, another algorithm or curve, explicit
/// curve parameters, a scalar of another length than 32 octets, zero or not below the group order, a public
/// key in the file that is not the scalar's, two keys, and all that is not strict DER. On failure `key` holds
/// nothing secret.
[[nodiscard]] base::Result<void, LoadFault> load_private_key(P256PrivateKey& key, base::Bytes file) noexcept;

/// The same from the octets of one SEC1 ECPrivateKey or PKCS#8 PrivateKeyInfo; the fault's line is 0 and its
/// reason names the octet.
[[nodiscard]] base::Result<void, LoadFault> parse_private_key(P256PrivateKey& key, base::Bytes der) noexcept;

/// The SEC1 form with curve and public key. At most 121 octets, which are secret.
constexpr std::size_t max_sec1_bytes = 121;
[[nodiscard]] std::size_t write_sec1(std::span<std::uint8_t, max_sec1_bytes> der,
                                     const P256PrivateKey& key) noexcept;

}  // namespace signet::crypto

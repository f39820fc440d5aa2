// P-256 as vectors write it, on every kernel.
#pragma once

#include <signet/crypto/p256.hpp>
#include <signet/tests/vectors/report.hpp>

namespace signet::vectors {

constexpr const char* other_curve = "P-384: a later issue";

/// "P-256" or "secp256r1".
[[nodiscard]] bool is_p256(std::string_view curve);

/// 04 || x || y of the fields `x` and `y`; longer when one of them does not fit, and then it is no point.
[[nodiscard]] Octets point_of(Json json, const char* x, const char* y);

/// Nothing when the scalar is zero, not below the order, or longer than 32 octets.
[[nodiscard]] std::optional<crypto::P256PrivateKey> private_key_of(const Octets& scalar,
                                                                   const crypto::p256::Kernel& kernel);

/// Whether every kernel's signature check, and that of a table of multiples, answers `expected`.
void expect_verdict(Case& one, const crypto::P256PublicKey& key, base::Bytes digest,
                    const crypto::EcdsaSignature& signature, bool expected);

/// The key of a SubjectPublicKeyInfo, read by the certificate parser: nothing when it is not strict DER, not
/// P-256 by name, or not an uncompressed point of the curve.
[[nodiscard]] std::optional<crypto::P256PublicKey> spki_key(base::Bytes spki);

/// Whether the SubjectPublicKeyInfo parses as a P-256 one, whatever its point.
[[nodiscard]] bool is_p256_spki(base::Bytes spki);

}  // namespace signet::vectors

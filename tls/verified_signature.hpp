// A signature leaves only after it was verified: one made by a fault would give the key away.
#pragma once

#include <signet/crypto/p256.hpp>

namespace signet::tls {

constexpr int signature_attempts = 2;

/// Calls `sign(signature)` until `verify(signature)` is true, at most signature_attempts times. When none is
/// right, false, and `signature` is wiped. Both are noexcept.
template <class Sign, class Verify>
[[nodiscard]] bool sign_verified(crypto::EcdsaSignature& signature, Sign&& sign, Verify&& verify) noexcept {
  for (int i = 0; i < signature_attempts; i++) {
    sign(signature);
    if (verify(signature)) return true;
    base::wipe_object(signature);
  }
  return false;
}

/// ECDSA with `key` over SHA-256 of `content`, as DER in the first `der_bytes` octets of `der`. `table` is of
/// the key's own point. False, and `der_bytes` 0, when no signature made could be verified. Constant time in
/// the key.
[[nodiscard]] bool sign_content(std::span<std::uint8_t, crypto::max_ecdsa_der_bytes> der,
                                std::size_t& der_bytes, const crypto::P256PrivateKey& key,
                                const crypto::P256VerifyTable& table, base::Bytes content) noexcept;

}  // namespace signet::tls

// HKDF (RFC 5869) on prepared keys.
#pragma once

#include <signet/crypto/hmac.hpp>

namespace signet::crypto {

/// RFC 5869 section 2.2. `prk` has digest_bytes(id) octets and may be the storage of `ikm` or `salt`. An
/// empty salt is the same as digest_bytes(id) zeros.
void hkdf_extract(base::MutBytes prk, HashId id, base::Bytes salt, base::Bytes ikm) noexcept;

/// RFC 5869 section 2.3 under a prepared pseudorandom key; `out` and `info` are disjoint. False, and nothing
/// written, when `out` is longer than 255 digests.
[[nodiscard]] bool hkdf_expand(base::MutBytes out, const HmacKey& prk, base::Bytes info) noexcept;

}  // namespace signet::crypto

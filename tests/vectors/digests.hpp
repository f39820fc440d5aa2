// Hashes as vectors name them.
#pragma once

#include <optional>
#include <string_view>

#include <signet/crypto/hash.hpp>
#include <signet/tests/vectors/json.hpp>

namespace signet::vectors {

/// "SHA-256", "SHA2-256", "SHA256", "HMACSHA256", "HKDF-SHA-256": by how it ends; nothing for a hash that is
/// not offered, "SHA2-512/256" and "SHA-224" among them.
[[nodiscard]] std::optional<crypto::HashId> hash_named(std::string_view name);

[[nodiscard]] Octets digest_of(crypto::HashId id, base::Bytes data);

struct KernelDigest {
  std::string_view kernel;
  Octets digest;
};

/// The digest on every kernel of the hash.
[[nodiscard]] std::vector<KernelDigest> digests_of(crypto::HashId id, base::Bytes data);

constexpr const char* other_hash =
    "a hash that is not offered: TLS 1.3 and X.509 need SHA-256, SHA-384, SHA-512";

}  // namespace signet::vectors

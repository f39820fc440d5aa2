// The hash of a cipher suite, chosen at run time.
#pragma once

#include <signet/crypto/sha2.hpp>

namespace signet::crypto {

enum class HashId : std::uint8_t { sha256, sha384, sha512 };

constexpr std::size_t max_digest_bytes = 64;
constexpr std::size_t max_block_bytes = 128;

constexpr std::size_t digest_bytes(HashId id) noexcept {
  return id == HashId::sha256 ? 32 : id == HashId::sha384 ? 48 : 64;
}
constexpr std::size_t block_bytes(HashId id) noexcept { return id == HashId::sha256 ? 64 : 128; }

/// A running hash of one of the three; copying forks it.
class Hash {
 public:
  explicit Hash(HashId id) noexcept;
  [[nodiscard]] HashId id() const noexcept;
  void update(base::Bytes data) noexcept;
  /// `digest` has exactly digest_bytes(id()) octets; the state is wiped and may then only be assigned to.
  void finish(base::MutBytes digest) noexcept;
  void wipe() noexcept;
};

/// The digest of `data` in one call.
void hash(base::MutBytes digest, HashId id, base::Bytes data) noexcept;

}  // namespace signet::crypto

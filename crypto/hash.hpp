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

/// A running hash of one of the three; copying forks it. Constant time in the data.
class Hash {
 public:
  /// What is left of whole blocks: `narrow` for SHA-256, else `wide`.
  union Midstate {
    Sha256::Midstate narrow;
    Sha512::Midstate wide;
  };

  explicit Hash(HashId id) noexcept;
  /// Goes on behind `block_count` blocks that were compressed before.
  Hash(HashId id, const Midstate& midstate, std::uint64_t block_count) noexcept;
  [[nodiscard]] HashId id() const noexcept { return id_; }
  void update(base::Bytes data) noexcept;
  /// Whole blocks only may have been given so far.
  void write_midstate(Midstate& midstate) const noexcept;
  /// `digest` has exactly digest_bytes(id()) octets; the state is wiped and may then only be assigned to.
  void finish(base::MutBytes digest) noexcept;
  void wipe() noexcept { base::wipe_object(*this); }

 private:
  union {
    Sha256 narrow_;  // SHA-256
    Sha512 wide_;    // SHA-384 and SHA-512
  };
  HashId id_;
};

/// The digest of `data` in one call. `digest` has exactly digest_bytes(id) octets.
void hash(base::MutBytes digest, HashId id, base::Bytes data) noexcept;

}  // namespace signet::crypto

// SHA-256, SHA-384 and SHA-512 (FIPS 180-4), as running states that can be copied.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/kernels/sha2_kernels.hpp>

namespace signet::crypto {

/// A running SHA-256. Copying it forks the computation (a transcript snapshot). Constant time in the data.
class Sha256 {
 public:
  static constexpr std::size_t digest_bytes = 32;
  static constexpr std::size_t block_bytes = 64;

  /// What is left of whole blocks: a prepared key of HMAC keeps it.
  struct Midstate {
    std::uint32_t words[8];
  };

  Sha256() noexcept : Sha256(*sha256_kernels().front()) {}
  explicit Sha256(const Sha256Kernel& kernel) noexcept;
  /// Goes on behind `block_count` blocks that were compressed before.
  Sha256(const Midstate& midstate, std::uint64_t block_count) noexcept;

  void update(base::Bytes data) noexcept;
  /// Whole blocks only may have been given so far.
  void write_midstate(Midstate& midstate) const noexcept;
  /// Writes the digest of all that was given and wipes the state, which may then only be assigned to.
  void finish(std::span<std::uint8_t, digest_bytes> digest) noexcept;
  void wipe() noexcept { base::wipe_object(*this); }

 private:
  std::uint32_t state_[8];
  std::uint64_t bytes_;                // given so far
  std::uint8_t pending_[block_bytes];  // the first bytes_ % block_bytes of it are not compressed yet
  const Sha256Kernel* kernel_;
};

/// A running SHA-512 or SHA-384: the same compression function from another start, cut to 48 octets.
class Sha512 {
 public:
  static constexpr std::size_t digest_bytes = 64;
  static constexpr std::size_t block_bytes = 128;
  static constexpr std::size_t sha384_digest_bytes = 48;

  /// As Sha256::Midstate.
  struct Midstate {
    std::uint64_t words[8];
  };

  static Sha512 sha384() noexcept { return sha384(*sha512_kernels().front()); }
  static Sha512 sha512() noexcept { return sha512(*sha512_kernels().front()); }
  static Sha512 sha384(const Sha512Kernel& kernel) noexcept;
  static Sha512 sha512(const Sha512Kernel& kernel) noexcept;
  /// Goes on behind `block_count` blocks that were compressed before.
  Sha512(const Midstate& midstate, std::uint64_t block_count) noexcept;

  void update(base::Bytes data) noexcept;
  /// Whole blocks only may have been given so far.
  void write_midstate(Midstate& midstate) const noexcept;
  /// `digest` has 48 or 64 octets, as the state began; the state is wiped and may then only be assigned to.
  void finish(base::MutBytes digest) noexcept;
  void wipe() noexcept { base::wipe_object(*this); }

 private:
  Sha512(const Midstate& midstate, std::uint64_t block_count, const Sha512Kernel& kernel) noexcept;

  std::uint64_t state_[8];
  std::uint64_t bytes_;                // given so far; FIPS 180-4 would count to 2^125
  std::uint8_t pending_[block_bytes];  // the first bytes_ % block_bytes of it are not compressed yet
  const Sha512Kernel* kernel_;
};

}  // namespace signet::crypto

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

  Sha256() noexcept : Sha256(*sha256_kernels().front()) {}
  explicit Sha256(const Sha256Kernel& kernel) noexcept;

  void update(base::Bytes data) noexcept;
  /// Writes the digest of all that was given and wipes the state, which may then only be assigned to.
  void finish(std::span<std::uint8_t, digest_bytes> digest) noexcept;
  void wipe() noexcept { base::wipe_object(*this); }

 private:
  std::uint32_t state_[8];
  std::uint64_t bytes_;
  std::uint8_t pending_[block_bytes];
  const Sha256Kernel* kernel_;
};

/// A running SHA-512 or SHA-384: the same compression function from another start, cut to 48 octets.
class Sha512 {
 public:
  static constexpr std::size_t digest_bytes = 64;
  static constexpr std::size_t block_bytes = 128;
  static constexpr std::size_t sha384_digest_bytes = 48;

  static Sha512 sha384() noexcept;
  static Sha512 sha512() noexcept;

  void update(base::Bytes data) noexcept;
  /// `digest` has 48 or 64 octets, as the state began; the state is wiped.
  void finish(base::MutBytes digest) noexcept;
  void wipe() noexcept { base::wipe_object(*this); }
  // (implementation: the same members as Sha256 with 64-bit words)
};

}  // namespace signet::crypto

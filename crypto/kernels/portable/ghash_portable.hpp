// GHASH (NIST SP 800-38D section 6.4): see ghash_portable.cpp.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/kernels/octets.hpp>

namespace signet::crypto {

/// A block as two words: `high` is its first eight octets, read big-endian.
struct GhashBlock {
  std::uint64_t high;
  std::uint64_t low;
};

class GhashPortable {
 public:
  /// `h` is the hash key, 16 octets.
  explicit GhashPortable(const std::uint8_t* h) noexcept;
  /// Takes `data`, its last block filled up with zeros: the message goes in pieces of whole blocks, the last
  /// excepted.
  void update(base::Bytes data) noexcept;
  /// Takes the lengths, in octets, and gives the hash.
  [[nodiscard]] u128 finish(std::size_t aad_bytes, std::size_t text_bytes) noexcept;
  void wipe() noexcept { base::wipe_object(*this); }

 private:
  void take(GhashBlock block) noexcept;

  GhashBlock key_;
  GhashBlock sum_{0, 0};
};

}  // namespace signet::crypto

// Poly1305 (RFC 8439 section 2.5): see poly1305_portable.cpp.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/kernels/octets.hpp>

namespace signet::crypto {

class Poly1305Portable {
 public:
  /// `key` has 32 octets: r, then s.
  explicit Poly1305Portable(const std::uint8_t* key) noexcept;
  /// Takes `data`, its last block filled up with zeros as RFC 8439 section 2.8 has it: pieces of whole blocks, the last
  /// excepted.
  void update(base::Bytes data) noexcept;
  /// Takes the last block of a message that is not filled up, 1 to 15 octets.
  void update_short(base::Bytes data) noexcept;
  /// Takes a block of two words.
  void update_words(std::uint64_t low, std::uint64_t high) noexcept;
  [[nodiscard]] u128 finish() noexcept;
  void wipe() noexcept { base::wipe_object(*this); }

 private:
  std::uint64_t r_[2];
  std::uint64_t s_[2];
  std::uint64_t h_[3] = {0, 0, 0};
};

}  // namespace signet::crypto

// AES (FIPS 197) on bit planes: see aes_portable.cpp.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::crypto {

constexpr std::size_t aes_block_bytes = 16;
constexpr std::size_t aes_max_rounds = 14;
constexpr std::size_t aes_max_round_keys_bytes = (aes_max_rounds + 1) * aes_block_bytes;

/// Bit b of every octet of four blocks.
struct AesPlanes {
  std::uint64_t bit[8];
};

/// The round keys as planes, each four times over. Made once a call, and wiped after it.
struct AesPlaneKeys {
  AesPlanes round[aes_max_rounds + 1];
  int rounds;
};

/// `round_keys` gets (rounds + 1) * 16 octets; `key` has 16 octets (10 rounds) or 32 (14 rounds).
void aes_expand_portable(std::uint8_t* round_keys, const std::uint8_t* key, int rounds) noexcept;
void aes_load_keys_portable(AesPlaneKeys& keys, const std::uint8_t* round_keys, int rounds) noexcept;
/// Encrypts four blocks in place.
void aes_encrypt4_portable(std::uint8_t blocks[64], const AesPlaneKeys& keys) noexcept;

}  // namespace signet::crypto

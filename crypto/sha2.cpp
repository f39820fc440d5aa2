#include <algorithm>
#include <cassert>

#include <signet/crypto/sha2.hpp>

namespace signet::crypto {
namespace {

// FIPS 180-4 section 5.3: the first bits of the fractional parts of square roots of primes.
constexpr Sha256::Midstate sha256_start = {
    {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
constexpr Sha512::Midstate sha384_start = {{0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
                                            0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
                                            0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4}};
constexpr Sha512::Midstate sha512_start = {{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                            0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                            0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}};

/// Compresses what completes a block, straight from `data` where it can, and keeps the rest in `pending`.
template <class Word, class Kernel, std::size_t block>
void absorb(Word (&state)[8], std::uint8_t (&pending)[block], std::size_t held, const Kernel& kernel,
            base::Bytes data) noexcept {
  if (data.empty()) return;
  if (held != 0) {
    const std::size_t taken = std::min(block - held, data.size());
    std::memcpy(pending + held, data.data(), taken);
    if (held + taken < block) return;
    kernel.compress(state, pending, 1);
    data = data.subspan(taken);
  }
  const std::size_t count = data.size() / block;
  if (count != 0) kernel.compress(state, data.data(), count);
  data = data.subspan(count * block);
  if (!data.empty()) std::memcpy(pending, data.data(), data.size());
}

/// Pads (FIPS 180-4 section 5.1): one bit, zeros, the length in bits at the end of a block, 1/8 of the block
/// wide.
template <class Word, class Kernel, std::size_t block>
void pad(Word (&state)[8], std::uint8_t (&pending)[block], std::uint64_t bytes,
         const Kernel& kernel) noexcept {
  constexpr std::size_t room = block - block / 8;
  std::size_t held = static_cast<std::size_t>(bytes % block);
  pending[held++] = 0x80;
  if (held > room) {
    std::memset(pending + held, 0, block - held);
    kernel.compress(state, pending, 1);
    held = 0;
  }
  std::memset(pending + held, 0, block - 8 - held);
  if constexpr (block == Sha512::block_bytes) pending[block - 9] = static_cast<std::uint8_t>(bytes >> 61);
  base::store_be64(pending + block - 8, bytes << 3);
  kernel.compress(state, pending, 1);
}

}  // namespace

Sha256::Sha256(const Sha256Kernel& kernel) noexcept : bytes_(0), kernel_(&kernel) {
  std::memcpy(state_, sha256_start.words, sizeof state_);
}

Sha256::Sha256(const Midstate& midstate, std::uint64_t block_count) noexcept
    : bytes_(block_count * block_bytes), kernel_(sha256_kernels().front()) {
  std::memcpy(state_, midstate.words, sizeof state_);
}

void Sha256::update(base::Bytes data) noexcept {
  const std::size_t held = static_cast<std::size_t>(bytes_ % block_bytes);
  bytes_ += data.size();
  absorb(state_, pending_, held, *kernel_, data);
}

void Sha256::write_midstate(Midstate& midstate) const noexcept {
  assert(bytes_ % block_bytes == 0);
  std::memcpy(midstate.words, state_, sizeof state_);
}

void Sha256::finish(std::span<std::uint8_t, digest_bytes> digest) noexcept {
  pad(state_, pending_, bytes_, *kernel_);
  for (std::size_t i = 0; i < 8; i++) base::store_be32(digest.data() + 4 * i, state_[i]);
  wipe();
}

Sha512::Sha512(const Midstate& midstate, std::uint64_t block_count, const Sha512Kernel& kernel) noexcept
    : bytes_(block_count * block_bytes), kernel_(&kernel) {
  std::memcpy(state_, midstate.words, sizeof state_);
}

Sha512::Sha512(const Midstate& midstate, std::uint64_t block_count) noexcept
    : Sha512(midstate, block_count, *sha512_kernels().front()) {}

Sha512 Sha512::sha384(const Sha512Kernel& kernel) noexcept { return {sha384_start, 0, kernel}; }

Sha512 Sha512::sha512(const Sha512Kernel& kernel) noexcept { return {sha512_start, 0, kernel}; }

void Sha512::update(base::Bytes data) noexcept {
  const std::size_t held = static_cast<std::size_t>(bytes_ % block_bytes);
  bytes_ += data.size();
  absorb(state_, pending_, held, *kernel_, data);
}

void Sha512::write_midstate(Midstate& midstate) const noexcept {
  assert(bytes_ % block_bytes == 0);
  std::memcpy(midstate.words, state_, sizeof state_);
}

void Sha512::finish(base::MutBytes digest) noexcept {
  assert(digest.size() == digest_bytes || digest.size() == sha384_digest_bytes);
  pad(state_, pending_, bytes_, *kernel_);
  for (std::size_t i = 0; i < digest.size() / 8; i++) base::store_be64(digest.data() + 8 * i, state_[i]);
  wipe();
}

}  // namespace signet::crypto

// A kernel that is right but for one thing: it stores 16 octets ahead of those it has loaded. It takes the
// text to a buffer, block by block, and writes the next block of dst, whatever that overwrites; then it seals
// or opens the buffer.
#pragma once

#include <algorithm>
#include <vector>

#include <signet/crypto/kernels/aead_kernels.hpp>

namespace signet::test {

/// The distance from which on a way's dst is so far below src that storing 16 octets ahead harms nothing.
constexpr std::size_t altered_reach = 16;

namespace aead_altered_detail {

inline const crypto::AeadKernel* original = nullptr;

inline std::vector<std::uint8_t> take_storing_ahead(std::uint8_t* dst, base::Bytes src) {
  std::vector<std::uint8_t> taken;
  for (std::size_t at = 0; at < src.size(); at += altered_reach) {
    const std::size_t end = std::min(at + altered_reach, src.size());
    for (std::size_t i = at; i < end; i++) taken.push_back(src[i]);
    for (std::size_t i = end; i < std::min(end + altered_reach, src.size()); i++) dst[i] = 0xEE;
  }
  return taken;
}

inline void seal(const std::uint8_t* expanded, const crypto::SealJob& job) noexcept {
  const std::vector<std::uint8_t> taken = take_storing_ahead(job.dst, job.src);
  crypto::SealJob copy = job;
  copy.src = taken;
  original->seal(expanded, copy);
}

inline bool open(const std::uint8_t* expanded, const crypto::OpenJob& job) noexcept {
  const std::vector<std::uint8_t> taken = take_storing_ahead(job.dst, job.src);
  crypto::OpenJob copy = job;
  copy.src = taken;
  return original->open(expanded, copy);
}

}  // namespace aead_altered_detail

/// `kernel`, altered; one at a time, and `kernel` must outlive it.
inline crypto::AeadKernel altered_kernel(const crypto::AeadKernel& kernel) {
  aead_altered_detail::original = &kernel;
  return {"altered", kernel.expand, aead_altered_detail::seal, aead_altered_detail::open,
          kernel.encrypt_block};
}

}  // namespace signet::test

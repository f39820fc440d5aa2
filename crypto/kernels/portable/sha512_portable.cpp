// SHA-512's compression function (FIPS 180-4 section 6.4.2) in plain C++.
// In: a state of 8 words; `count` blocks of 128 octets at any alignment, 0 allowed, disjoint from the state.
// Constant time in state and data.
#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/kernels/sha2_kernels.hpp>
#include <signet/crypto/kernels/sha2_rounds.hpp>

namespace signet::crypto {
namespace {

void compress(std::uint64_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept {
  SIGNET_KERNEL_RAN("sha512-portable");
  sha2::compress<sha2::Wide>(state, blocks, count);
}

}  // namespace

constinit const Sha512Kernel sha512_portable = {"sha512-portable", compress};

}  // namespace signet::crypto

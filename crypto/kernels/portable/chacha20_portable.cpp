// ChaCha20's block function (RFC 8439 section 2.3): twenty rounds of additions, sums and turns on 16 words of
// 32 bits. In: a key of 32 and a nonce of 12 octets; out: 64 octets, disjoint from both. Constant time.
#include <bit>

#include <signet/crypto/kernels/aead_kernels.hpp>

namespace signet::crypto {
namespace {

inline void quarter_round(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c, std::uint32_t& d) noexcept {
  a += b;
  d = std::rotl(d ^ a, 16);
  c += d;
  b = std::rotl(b ^ c, 12);
  a += b;
  d = std::rotl(d ^ a, 8);
  c += d;
  b = std::rotl(b ^ c, 7);
}

inline void double_round(std::uint32_t x[16]) noexcept {
  for (int i = 0; i < 4; i++) quarter_round(x[i], x[4 + i], x[8 + i], x[12 + i]);
  for (int i = 0; i < 4; i++)
    quarter_round(x[i], x[4 + (i + 1) % 4], x[8 + (i + 2) % 4], x[12 + (i + 3) % 4]);
}

}  // namespace

void chacha20_block(std::uint8_t out[64], const std::uint8_t* key, std::uint32_t counter,
                    const std::uint8_t* nonce) noexcept {
  std::uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};  // "expand 32-byte k"
  std::memcpy(start + 4, key, 32);
  start[12] = counter;
  std::memcpy(start + 13, nonce, 12);
  std::uint32_t x[16];
  std::memcpy(x, start, sizeof x);
  for (int i = 0; i < 10; i++) double_round(x);
  for (int i = 0; i < 16; i++) x[i] += start[i];
  std::memcpy(out, x, sizeof x);
  base::wipe_object(start);
  base::wipe_object(x);
}

}  // namespace signet::crypto

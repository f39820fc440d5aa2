// What an AEAD kernel is, the kernels there are, and the parts of them that tests look at alone.
#pragma once

#include <signet/base/bytes.hpp>
#include <signet/crypto/cpu.hpp>
#include <signet/crypto/kernels/octets.hpp>

namespace signet::crypto {

/// What seal() is asked. Between dst and src aead.hpp's overlap contract holds; the tag may lie behind dst's
/// last octet.
struct SealJob {
  std::uint8_t* dst;
  std::uint8_t* tag;
  const std::uint8_t* nonce;
  base::Bytes aad;
  base::Bytes src;
  /// At most 16 octets that are sealed after src; the word's others are 0.
  u128 tail;
  std::size_t tail_bytes;
};

/// What open() is asked. The tag was read before: dst may reach it.
struct OpenJob {
  std::uint8_t* dst;
  const std::uint8_t* nonce;
  base::Bytes aad;
  base::Bytes src;
  u128 tag;
};

/// One way to compute one AEAD. `expanded` is AeadKey's storage: expanded_key_bytes at a multiple of 64, laid
/// out as the kernel likes. All are constant time in key and data. A false from open() leaves dst to the
/// caller to wipe.
struct AeadKernel {
  std::string_view name;
  void (*expand)(std::uint8_t* expanded, const std::uint8_t* key) noexcept;
  void (*seal)(const std::uint8_t* expanded, const SealJob& job) noexcept;
  bool (*open)(const std::uint8_t* expanded, const OpenJob& job) noexcept;
  /// For tests: the block cipher alone, one block of 16 octets (AES), or null where there is none.
  void (*encrypt_block)(const std::uint8_t* expanded, std::uint8_t out[16],
                        const std::uint8_t in[16]) noexcept;
};

constexpr std::size_t expanded_key_bytes = 632;

extern const AeadKernel aes_128_gcm_portable;
extern const AeadKernel aes_256_gcm_portable;
extern const AeadKernel chacha20_poly1305_portable;

#if defined(__x86_64__)
using AesniToken = cpu::Token<cpu::Feature::aesni, cpu::Feature::pclmul>;
[[nodiscard]] const AeadKernel& aes_128_gcm_aesni(AesniToken) noexcept;
[[nodiscard]] const AeadKernel& aes_256_gcm_aesni(AesniToken) noexcept;
using VaesToken = cpu::Token<cpu::Feature::aesni, cpu::Feature::pclmul, cpu::Feature::avx2,
                             cpu::Feature::vaes, cpu::Feature::vpclmul>;
[[nodiscard]] const AeadKernel& aes_128_gcm_vaes(VaesToken) noexcept;
[[nodiscard]] const AeadKernel& aes_256_gcm_vaes(VaesToken) noexcept;
using Vaes512Token =
    cpu::Token<cpu::Feature::aesni, cpu::Feature::pclmul, cpu::Feature::avx2, cpu::Feature::vaes,
               cpu::Feature::vpclmul, cpu::Feature::avx512f, cpu::Feature::avx512bw>;
[[nodiscard]] const AeadKernel& aes_128_gcm_vaes512(Vaes512Token) noexcept;
[[nodiscard]] const AeadKernel& aes_256_gcm_vaes512(Vaes512Token) noexcept;
using Avx2Token = cpu::Token<cpu::Feature::avx2, cpu::Feature::bmi2>;
[[nodiscard]] const AeadKernel& chacha20_poly1305_avx2(Avx2Token) noexcept;
using IfmaToken = cpu::Token<cpu::Feature::avx2, cpu::Feature::bmi2, cpu::Feature::avx512f,
                             cpu::Feature::avx512bw, cpu::Feature::avx512ifma>;
[[nodiscard]] const AeadKernel& chacha20_poly1305_avx512(IfmaToken) noexcept;
#endif

#if defined(SIGNET_ARMV8_CRYPTO)
using Armv8Token = cpu::Token<cpu::Feature::aes, cpu::Feature::pmull>;
[[nodiscard]] const AeadKernel& aes_128_gcm_armv8(Armv8Token) noexcept;
[[nodiscard]] const AeadKernel& aes_256_gcm_armv8(Armv8Token) noexcept;
#endif

/// For tests: the portable ChaCha20 block function (RFC 8439 section 2.3); key 32, nonce 12 octets.
void chacha20_block(std::uint8_t out[64], const std::uint8_t* key, std::uint32_t counter,
                    const std::uint8_t* nonce) noexcept;
/// For tests: the portable Poly1305 (RFC 8439 section 2.5); key 32 octets.
void poly1305(std::uint8_t tag[16], const std::uint8_t* key, base::Bytes message) noexcept;

/// Whether the tags are the same; constant time.
[[nodiscard]] bool tags_equal(u128 a, u128 b) noexcept;

}  // namespace signet::crypto

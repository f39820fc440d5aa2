#include <array>

#include <signet/crypto/aead.hpp>
#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/aead_kernels.hpp>

namespace signet::crypto {
namespace {

/// A list that is made once and never changes. Needs no destructor, so it serves until the process ends.
struct KernelList {
  std::array<const AeadKernel*, 4> kernels{};
  std::size_t count = 0;

  void add(const AeadKernel& kernel) noexcept { kernels[count++] = &kernel; }
  [[nodiscard]] std::span<const AeadKernel* const> all() const noexcept { return {kernels.data(), count}; }
};

KernelList aes_128_gcm_list() noexcept {
  KernelList list;
#if defined(__x86_64__)
  if (const auto token = Vaes512Token::take()) list.add(aes_128_gcm_vaes512(*token));
  if (const auto token = VaesToken::take()) list.add(aes_128_gcm_vaes(*token));
  if (const auto token = AesniToken::take()) list.add(aes_128_gcm_aesni(*token));
#endif
#if defined(SIGNET_ARMV8_CRYPTO)
  if (const auto token = Armv8Token::take()) list.add(aes_128_gcm_armv8(*token));
#endif
  list.add(aes_128_gcm_portable);
  return list;
}

KernelList aes_256_gcm_list() noexcept {
  KernelList list;
#if defined(__x86_64__)
  if (const auto token = Vaes512Token::take()) list.add(aes_256_gcm_vaes512(*token));
  if (const auto token = VaesToken::take()) list.add(aes_256_gcm_vaes(*token));
  if (const auto token = AesniToken::take()) list.add(aes_256_gcm_aesni(*token));
#endif
#if defined(SIGNET_ARMV8_CRYPTO)
  if (const auto token = Armv8Token::take()) list.add(aes_256_gcm_armv8(*token));
#endif
  list.add(aes_256_gcm_portable);
  return list;
}

KernelList chacha20_poly1305_list() noexcept {
  KernelList list;
#if defined(__x86_64__)
  if (const auto token = IfmaToken::take()) list.add(chacha20_poly1305_avx512(*token));
  if (const auto token = Avx2Token::take()) list.add(chacha20_poly1305_avx2(*token));
#endif
  list.add(chacha20_poly1305_portable);
  return list;
}

}  // namespace

std::span<const AeadKernel* const> aead_kernels(AeadId id) noexcept {
  static const KernelList lists[] = {aes_128_gcm_list(), aes_256_gcm_list(), chacha20_poly1305_list()};
  return lists[static_cast<std::size_t>(id)].all();
}

std::string_view aead_kernel_name(const AeadKernel& kernel) noexcept { return kernel.name; }

bool tags_equal(u128 a, u128 b) noexcept {
  const u128 difference = a ^ b;
  const std::uint64_t halves =
      static_cast<std::uint64_t>(difference) | static_cast<std::uint64_t>(difference >> 64);
  return ct::Mask::is_zero(ct::barrier(halves)).bit() != 0;
}

void AeadKey::init(AeadId id, base::Bytes key) noexcept { init(id, key, *aead_kernels(id).front()); }

void AeadKey::init(AeadId, base::Bytes key, const AeadKernel& kernel) noexcept {
  static_assert(storage_bytes == expanded_key_bytes);
  kernel_ = &kernel;
  kernel.expand(expanded_, key.data());
}

void AeadKey::seal(std::uint8_t* dst, std::uint8_t* tag,
                   std::span<const std::uint8_t, aead_nonce_bytes> nonce, base::Bytes aad, base::Bytes src,
                   base::Bytes tail) const noexcept {
  const u128 tail_word = load_octets(tail.data(), tail.size());
  kernel_->seal(expanded_, {dst, tag, nonce.data(), aad, src, tail_word, tail.size()});
}

bool AeadKey::open(std::uint8_t* dst, std::span<const std::uint8_t, aead_nonce_bytes> nonce, base::Bytes aad,
                   base::Bytes src, const std::uint8_t* tag) const noexcept {
  const bool genuine = kernel_->open(expanded_, {dst, nonce.data(), aad, src, load_word<u128>(tag)});
  if (!genuine) base::wipe({dst, src.size()});
  return genuine;
}

void AeadKey::wipe() noexcept { base::wipe({expanded_, storage_bytes}); }

}  // namespace signet::crypto

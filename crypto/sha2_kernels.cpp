#include <signet/crypto/kernels/sha2_kernels.hpp>

namespace signet::crypto {
namespace {

/// At most three kernels, the preferred one first.
template <class Kernel>
struct KernelList {
  const Kernel* kernels[3] = {};
  std::size_t count = 0;

  void add(const Kernel& kernel) noexcept { kernels[count++] = &kernel; }
  [[nodiscard]] std::span<const Kernel* const> view() const noexcept { return {kernels, count}; }
};

KernelList<Sha256Kernel> make_sha256_list() noexcept {
  KernelList<Sha256Kernel> list;
#if defined(__x86_64__)
  if (const auto token = cpu::Token<cpu::Feature::sha, cpu::Feature::avx2>::take())
    list.add(sha256_shani_avx(*token));
  if (const auto token = cpu::Token<cpu::Feature::sha>::take()) list.add(sha256_shani(*token));
#endif
#if defined(SIGNET_ARMV8_CRYPTO)
  if (const auto token = cpu::Token<cpu::Feature::sha2>::take()) list.add(sha256_armv8(*token));
#endif
  list.add(sha256_portable);
  return list;
}

KernelList<Sha512Kernel> make_sha512_list() noexcept {
  KernelList<Sha512Kernel> list;
#if defined(__x86_64__)
  if (const auto token = cpu::Token<cpu::Feature::avx2, cpu::Feature::bmi2>::take())
    list.add(sha512_avx2(*token));
#endif
  list.add(sha512_portable);
  return list;
}

}  // namespace

std::span<const Sha256Kernel* const> sha256_kernels() noexcept {
  static const KernelList<Sha256Kernel> list = make_sha256_list();
  return list.view();
}

std::span<const Sha512Kernel* const> sha512_kernels() noexcept {
  static const KernelList<Sha512Kernel> list = make_sha512_list();
  return list.view();
}

}  // namespace signet::crypto

#include <signet/crypto/kernels/x25519_kernels.hpp>

namespace signet::crypto::c25519 {

std::span<const Kernel* const> kernels() noexcept {
  struct List {
    const Kernel* kernel[3];
    std::size_t count = 0;
    List() noexcept {
#if defined(__x86_64__)
      if (const auto token = IfmaToken::take()) kernel[count++] = &ifma_kernel(*token);
      using Features = cpu::Token<cpu::Feature::adx, cpu::Feature::bmi2, cpu::Feature::avx2>;
      if (const auto token = Features::take()) kernel[count++] = &adx_kernel(*token);
#endif
      kernel[count++] = &portable_kernel;
    }
  };
  static const List list;
  return {list.kernel, list.count};
}

}  // namespace signet::crypto::c25519

// P-256 on MULX, ADCX, ADOX and AVX2. Constant time but for what says _vartime.
#if defined(__x86_64__)
#include <signet/crypto/kernels/p256_multiply.hpp>
#include <signet/crypto/kernels/x86_64/p256_field_adx.hpp>

namespace signet::crypto::p256 {

const Kernel& adx_kernel(cpu::Token<cpu::Feature::adx, cpu::Feature::bmi2, cpu::Feature::avx2>) noexcept {
  static constinit const Kernel kernel = make_kernel<FieldAdx>();
  return kernel;
}

}  // namespace signet::crypto::p256
#endif

// X25519 on MULX, ADCX, ADOX and AVX2. Constant time.
#if defined(__x86_64__)
#include <signet/crypto/kernels/x25519_multiply.hpp>
#include <signet/crypto/kernels/x86_64/field25519_adx.hpp>

namespace signet::crypto::c25519 {

const Kernel& adx_kernel(cpu::Token<cpu::Feature::adx, cpu::Feature::bmi2, cpu::Feature::avx2>) noexcept {
  static constinit const Kernel kernel = make_kernel<FieldAdx>();
  return kernel;
}

}  // namespace signet::crypto::c25519
#endif

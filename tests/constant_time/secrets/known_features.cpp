// Takes the place of crypto/cpu.cpp in this program: the features that valgrind 3.19 can run. It runs adcx
// and adox but does not report them. SHA-NI, VAES and AVX-512 it does not run: what needs them is timed and
// its jumps are audited.
#include <signet/crypto/cpu.hpp>

namespace signet::crypto::cpu {

bool available([[maybe_unused]] Feature feature) noexcept {
#if defined(__x86_64__)
  switch (feature) {
    case Feature::aesni:
      return __builtin_cpu_supports("aes") && __builtin_cpu_supports("sse4.1");
    case Feature::pclmul:
      return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
    case Feature::avx2:
      return __builtin_cpu_supports("avx2");
    case Feature::bmi2:
    case Feature::adx:
      return __builtin_cpu_supports("bmi2");
    default:
      return false;
  }
#else
  return false;
#endif
}

bool deny(std::string_view) noexcept { return true; }

}  // namespace signet::crypto::cpu

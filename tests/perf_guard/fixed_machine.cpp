// Takes the place of crypto/random.cpp and crypto/cpu.cpp in this program: the same random octets and the
// same kernels in every run. Valgrind 3.19 runs adcx and adox but does not report them, so asking it would
// count kernels that no server uses; SHA-NI, VAES and AVX-512 it does not run. scripts/perf_guard looks
// whether the processor has what is claimed here.
#include "counted.hpp"

#include <signet/crypto/cpu.hpp>
#include <signet/crypto/random.hpp>

namespace signet {
namespace {

constexpr std::uint64_t seed = 0x5eed;
std::uint64_t state = seed;

// Splitmix64 (Steele, Lea, Flood 2014): short, and no two states in a row look alike.
std::uint8_t next_octet() noexcept {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<std::uint8_t>((z ^ (z >> 31)) >> 56);
}

}  // namespace

namespace counted {

void restart_random() noexcept { state = seed; }

}  // namespace counted

namespace crypto {

void random_bytes(base::MutBytes out) noexcept {
  for (std::uint8_t& octet : out) octet = next_octet();
}

namespace cpu {

bool available([[maybe_unused]] Feature feature) noexcept {
#if defined(__x86_64__)
  constexpr Feature run_by_valgrind[] = {Feature::aesni, Feature::pclmul, Feature::avx2, Feature::bmi2,
                                         Feature::adx};
  for (const Feature known : run_by_valgrind) {
    if (feature == known) return true;
  }
  return false;
#else
  return false;
#endif
}

bool deny(std::string_view) noexcept { return true; }

}  // namespace cpu
}  // namespace crypto
}  // namespace signet

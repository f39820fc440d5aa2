#include <array>
#include <atomic>

#include <signet/crypto/cpu.hpp>
#include <signet/crypto/cpu_aarch64.hpp>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace signet::crypto::cpu {
namespace {

constexpr std::array<std::string_view, 14> names = {"aesni",      "pclmul", "sha",     "avx2",    "bmi2",
                                                    "adx",        "vaes",   "vpclmul", "avx512f", "avx512bw",
                                                    "avx512ifma", "aes",    "pmull",   "sha2"};

constexpr unsigned bit_of(Feature f) noexcept { return 1U << static_cast<unsigned>(f); }

#if defined(__x86_64__)
// The operating system saves the ymm and zmm registers only when XCR0 says so (Intel SDM volume 1, sections
// 14.3 and 15.2).
constexpr unsigned ymm_state = 0x06;  // xmm, ymm
constexpr unsigned zmm_state = 0xE6;  // and the masks, and both parts of zmm

unsigned saved_state(unsigned leaf1_ecx) noexcept {
  if ((leaf1_ecx & (1U << 27)) == 0) return 0;
  unsigned low = 0;
  unsigned high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

unsigned detect() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return 0;
  unsigned found = 0;
  const auto add = [&found](bool there, Feature f) { found |= there ? bit_of(f) : 0U; };
  const unsigned saved = saved_state(c);
  const bool ymm = (saved & ymm_state) == ymm_state;
  const bool zmm = (saved & zmm_state) == zmm_state;
  // Every kernel that uses AES or carry-less multiplication also shuffles bytes (SSSE3) and inserts words
  // (SSE4.1).
  const bool sse41 = (c & (1U << 9)) != 0 && (c & (1U << 19)) != 0;
  add(sse41 && (c & (1U << 25)) != 0, Feature::aesni);
  add(sse41 && (c & (1U << 1)) != 0, Feature::pclmul);
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return found;
  add(sse41 && (b & (1U << 29)) != 0, Feature::sha);
  add(ymm && (b & (1U << 5)) != 0, Feature::avx2);
  add((b & (1U << 8)) != 0, Feature::bmi2);
  add((b & (1U << 19)) != 0, Feature::adx);
  add(ymm && (c & (1U << 9)) != 0, Feature::vaes);
  add(ymm && (c & (1U << 10)) != 0, Feature::vpclmul);
  add(zmm && (b & (1U << 16)) != 0, Feature::avx512f);
  add(zmm && (b & (1U << 30)) != 0, Feature::avx512bw);
  // Kernels that multiply so do it in ymm registers too (AVX512VL).
  add(zmm && (b & (1U << 21)) != 0 && (b & (1U << 31)) != 0, Feature::avx512ifma);
  return found;
}
#elif defined(__aarch64__)
unsigned detect() noexcept { return detect_aarch64(); }
#else
unsigned detect() noexcept { return 0; }
#endif

std::atomic<unsigned> denied{0};

}  // namespace

bool available(Feature feature) noexcept {
  static const unsigned detected = detect();
  return (detected & ~denied.load(std::memory_order_relaxed) & bit_of(feature)) != 0;
}

bool deny(std::string_view list) noexcept {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    std::size_t i = 0;
    while (i < names.size() && names[i] != name) i++;
    if (i == names.size()) return false;
    denied.fetch_or(1U << i, std::memory_order_relaxed);
  }
  return true;
}

}  // namespace signet::crypto::cpu

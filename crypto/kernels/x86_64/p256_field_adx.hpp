// r = a * b / 2^256 mod p and its companions, p = 2^256 - 2^224 + 2^192 + 2^96 - 1, with MULX, ADCX, ADOX and
// AVX2.
//
// Operands are below p, except the first one of mul(), which may be any 256-bit number; results are below p
// and may be the same object as operands. Constant time.
//
// Reduction is Montgomery's, a word at a time. As p = -1 mod 2^64, the multiple of p that clears the lowest
// word t is t * p = t * (2^96 + 2^192 * p3) - t with p3 = 2^64 - 2^32 + 1: two shifts and one product.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/p256_kernels.hpp>
#include <signet/crypto/kernels/x86_64/square_four_words.hpp>

#define SIGNET_INLINE static inline __attribute__((always_inline))

namespace signet::crypto::p256 {

struct FieldAdx {
  static constexpr std::string_view kernel_name = "p256-adx";
  using u64 = std::uint64_t;

// Instructions stay one a line, the two carry chains side by side.
// clang-format off

// t0..t5 += a * b[i], where t5 is zero before; `i` is the offset in octets.
#define SIGNET_P256_ROW(i, t0, t1, t2, t3, t4, t5)             \
  "movq " #i "(%[b]), %%rdx\n\t"                               \
  "xorl %k[" #t5 "], %k[" #t5 "]\n\t"                          \
  "mulxq (%[a]), %[lo], %[hi]\n\t"                             \
  "adcxq %[lo], %[" #t0 "]\n\t adoxq %[hi], %[" #t1 "]\n\t"    \
  "mulxq 8(%[a]), %[lo], %[hi]\n\t"                            \
  "adcxq %[lo], %[" #t1 "]\n\t adoxq %[hi], %[" #t2 "]\n\t"    \
  "mulxq 16(%[a]), %[lo], %[hi]\n\t"                           \
  "adcxq %[lo], %[" #t2 "]\n\t adoxq %[hi], %[" #t3 "]\n\t"    \
  "mulxq 24(%[a]), %[lo], %[hi]\n\t"                           \
  "adcxq %[lo], %[" #t3 "]\n\t adoxq %[hi], %[" #t4 "]\n\t"    \
  "movl $0, %k[lo]\n\t"                                        \
  "adcxq %[lo], %[" #t4 "]\n\t adoxq %[lo], %[" #t5 "]\n\t"    \
  "adcxq %[lo], %[" #t5 "]\n\t"

// t1..t5 = (t0..t5 + t0 * p) / 2^64; t0 is free afterwards.
#define SIGNET_P256_REDUCE(t0, t1, t2, t3, t4, t5)             \
  "movq %[" #t0 "], %%rdx\n\t"                                 \
  "shlxq %[c32], %%rdx, %[" #t0 "]\n\t"                        \
  "mulxq %[p3], %[lo], %[hi]\n\t"                              \
  "shrxq %[c32], %%rdx, %%rdx\n\t"                             \
  "addq %[" #t0 "], %[" #t1 "]\n\t"                            \
  "adcq %%rdx, %[" #t2 "]\n\t"                                 \
  "adcq %[lo], %[" #t3 "]\n\t"                                 \
  "adcq %[hi], %[" #t4 "]\n\t"                                 \
  "adcq $0, %[" #t5 "]\n\t"

// t0..t3 = t0..t3 and a highest word `top` of 0 or 1, less p when that is not negative.
#define SIGNET_P256_SUBTRACT_PRIME(t0, t1, t2, t3, top, d0, d1, d2, d3) \
  "movl $0xffffffff, %%edx\n\t"                                         \
  "movq %[" #t0 "], %[" #d0 "]\n\t subq $-1, %[" #d0 "]\n\t"            \
  "movq %[" #t1 "], %[" #d1 "]\n\t sbbq %%rdx, %[" #d1 "]\n\t"          \
  "movq %[" #t2 "], %[" #d2 "]\n\t sbbq $0, %[" #d2 "]\n\t"             \
  "movq %[" #t3 "], %[" #d3 "]\n\t sbbq %[p3], %[" #d3 "]\n\t"          \
  "sbbq $0, %[" #top "]\n\t"                                            \
  "cmovncq %[" #d0 "], %[" #t0 "]\n\t"                                  \
  "cmovncq %[" #d1 "], %[" #t1 "]\n\t"                                  \
  "cmovncq %[" #d2 "], %[" #t2 "]\n\t"                                  \
  "cmovncq %[" #d3 "], %[" #t3 "]\n\t"

  SIGNET_INLINE void mul(Fe& r, const Fe& a, const Fe& b) noexcept {
    u64 t0, t1, t2, t3, t4, t5, lo, hi, c32 = 32;
    __asm__(
        "movq (%[b]), %%rdx\n\t"
        "xorl %k[t5], %k[t5]\n\t"
        "mulxq (%[a]), %[t0], %[t1]\n\t"
        "mulxq 8(%[a]), %[lo], %[t2]\n\t"
        "mulxq 16(%[a]), %[hi], %[t3]\n\t"
        "addq %[lo], %[t1]\n\t"
        "mulxq 24(%[a]), %[lo], %[t4]\n\t"
        "adcq %[hi], %[t2]\n\t"
        "adcq %[lo], %[t3]\n\t"
        "adcq $0, %[t4]\n\t"
        SIGNET_P256_REDUCE(t0, t1, t2, t3, t4, t5)
        SIGNET_P256_ROW(8, t1, t2, t3, t4, t5, t0)
        SIGNET_P256_REDUCE(t1, t2, t3, t4, t5, t0)
        SIGNET_P256_ROW(16, t2, t3, t4, t5, t0, t1)
        SIGNET_P256_REDUCE(t2, t3, t4, t5, t0, t1)
        SIGNET_P256_ROW(24, t3, t4, t5, t0, t1, t2)
        SIGNET_P256_REDUCE(t3, t4, t5, t0, t1, t2)
        SIGNET_P256_SUBTRACT_PRIME(t4, t5, t0, t1, t2, lo, hi, t3, c32)
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5),
          [lo] "=&r"(lo), [hi] "=&r"(hi), [c32] "+&r"(c32)
        : [a] "r"(a.w), [b] "r"(b.w), [p3] "m"(field_prime.w[3])
        : "rdx", "cc", "memory");
    r = {{t4, t5, t0, t1}};
  }

// One reduction of a square's low half: (t1, t2, t3, t0) = (t0..t3 + t0 * p) / 2^64, which fits four words.
#define SIGNET_P256_REDUCE_LOW(t0, t1, t2, t3)   \
  "movq %[" #t0 "], %%rdx\n\t"                   \
  "shlxq %[a], %%rdx, %[hi]\n\t"                 \
  "mulxq %[p3], %[lo], %[" #t0 "]\n\t"           \
  "shrxq %[a], %%rdx, %%rdx\n\t"                 \
  "addq %[hi], %[" #t1 "]\n\t"                   \
  "adcq %%rdx, %[" #t2 "]\n\t"                   \
  "adcq %[lo], %[" #t3 "]\n\t"                   \
  "adcq $0, %[" #t0 "]\n\t"

  SIGNET_INLINE void sqr(Fe& r, const Fe& x) noexcept {
    u64 t0, t1, t2, t3, t4, t5, t6, t7, lo, hi;
    const u64* a = x.w;
    __asm__(
        SIGNET_SQUARE_FOUR_WORDS
        "movl $32, %k[a]\n\t"
        SIGNET_P256_REDUCE_LOW(t0, t1, t2, t3)
        SIGNET_P256_REDUCE_LOW(t1, t2, t3, t0)
        SIGNET_P256_REDUCE_LOW(t2, t3, t0, t1)
        SIGNET_P256_REDUCE_LOW(t3, t0, t1, t2)
        "xorl %k[a], %k[a]\n\t"
        "addq %[t4], %[t0]\n\t"
        "adcq %[t5], %[t1]\n\t"
        "adcq %[t6], %[t2]\n\t"
        "adcq %[t7], %[t3]\n\t"
        "adcq $0, %[a]\n\t"
        SIGNET_P256_SUBTRACT_PRIME(t0, t1, t2, t3, a, t4, t5, t6, t7)
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5),
          [t6] "=&r"(t6), [t7] "=&r"(t7), [lo] "=&r"(lo), [hi] "=&r"(hi), [a] "+&r"(a)
        : [p3] "m"(field_prime.w[3])
        : "rdx", "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  // clang-format on

  SIGNET_INLINE void add(Fe& r, const Fe& a, const Fe& b) noexcept {
    u64 t0 = a.w[0], t1 = a.w[1], t2 = a.w[2], t3 = a.w[3], top, d0, d1, d2, d3;
    __asm__(
        "xorl %k[top], %k[top]\n\t"
        "addq (%[b]), %[t0]\n\t"
        "adcq 8(%[b]), %[t1]\n\t"
        "adcq 16(%[b]), %[t2]\n\t"
        "adcq 24(%[b]), %[t3]\n\t"
        "adcq $0, %[top]\n\t" SIGNET_P256_SUBTRACT_PRIME(t0, t1, t2, t3, top, d0, d1, d2, d3)
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [top] "=&r"(top), [d0] "=&r"(d0),
          [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3)
        : [b] "r"(b.w), [p3] "m"(field_prime.w[3])
        : "rdx", "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  SIGNET_INLINE void sub(Fe& r, const Fe& a, const Fe& b) noexcept {
    u64 t0 = a.w[0], t1 = a.w[1], t2 = a.w[2], t3 = a.w[3], m0, m1, m3 = field_prime.w[3];
    __asm__(
        "subq (%[b]), %[t0]\n\t"
        "sbbq 8(%[b]), %[t1]\n\t"
        "sbbq 16(%[b]), %[t2]\n\t"
        "sbbq 24(%[b]), %[t3]\n\t"
        "sbbq %[m0], %[m0]\n\t"
        "movl %k[m0], %k[m1]\n\t"  // p under the mask: words 0 and 1 are all ones in 64 and 32 bits
        "andq %[m0], %[m3]\n\t"
        "addq %[m0], %[t0]\n\t"
        "adcq %[m1], %[t1]\n\t"
        "adcq $0, %[t2]\n\t"
        "adcq %[m3], %[t3]\n\t"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [m0] "=&r"(m0), [m1] "=&r"(m1),
          [m3] "+&r"(m3)
        : [b] "r"(b.w)
        : "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  /// The sum as some 256-bit number: p is subtracted only where it does not fit.
  SIGNET_INLINE void add_weak(Fe& r, const Fe& a, const Fe& b) noexcept {
    u64 t0 = a.w[0], t1 = a.w[1], t2 = a.w[2], t3 = a.w[3], m0, m1, m3 = field_prime.w[3];
    __asm__(
        "addq (%[b]), %[t0]\n\t"
        "adcq 8(%[b]), %[t1]\n\t"
        "adcq 16(%[b]), %[t2]\n\t"
        "adcq 24(%[b]), %[t3]\n\t"
        "sbbq %[m0], %[m0]\n\t"
        "movl %k[m0], %k[m1]\n\t"
        "andq %[m0], %[m3]\n\t"
        "subq %[m0], %[t0]\n\t"
        "sbbq %[m1], %[t1]\n\t"
        "sbbq $0, %[t2]\n\t"
        "sbbq %[m3], %[t3]\n\t"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [m0] "=&r"(m0), [m1] "=&r"(m1),
          [m3] "+&r"(m3)
        : [b] "r"(b.w)
        : "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  /// a / 2: an odd a becomes even by adding p first.
  SIGNET_INLINE void half(Fe& r, const Fe& a) noexcept {
    u64 t0 = a.w[0], t1 = a.w[1], t2 = a.w[2], t3 = a.w[3], m0, m1, m3 = field_prime.w[3];
    __asm__(
        "movl %k[t0], %k[m0]\n\t"
        "andl $1, %k[m0]\n\t"
        "negq %[m0]\n\t"
        "movl %k[m0], %k[m1]\n\t"
        "andq %[m0], %[m3]\n\t"
        "addq %[m0], %[t0]\n\t"
        "adcq %[m1], %[t1]\n\t"
        "adcq $0, %[t2]\n\t"
        "adcq %[m3], %[t3]\n\t"
        "sbbq %[m0], %[m0]\n\t"
        "shrdq $1, %[t1], %[t0]\n\t"
        "shrdq $1, %[t2], %[t1]\n\t"
        "shrdq $1, %[t3], %[t2]\n\t"
        "shrdq $1, %[m0], %[t3]\n\t"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [m0] "=&r"(m0), [m1] "=&r"(m1),
          [m3] "+&r"(m3)
        :
        : "cc");
    r = {{t0, t1, t2, t3}};
  }

  /// 3 a / 2.
  SIGNET_INLINE void three_halves(Fe& r, const Fe& a) noexcept {
    Fe halved;
    half(halved, a);
    add(r, halved, a);
  }

  /// r = a where the mask is set, else b.
  SIGNET_INLINE void choose(Fe& r, ct::Mask mask, const Fe& a, const Fe& b) noexcept {
    u64 t0 = b.w[0], t1 = b.w[1], t2 = b.w[2], t3 = b.w[3];
    __asm__(
        "testq %[mask], %[mask]\n\t"
        "cmovnzq (%[a]), %[t0]\n\t"
        "cmovnzq 8(%[a]), %[t1]\n\t"
        "cmovnzq 16(%[a]), %[t2]\n\t"
        "cmovnzq 24(%[a]), %[t3]\n\t"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3)
        : [mask] "r"(mask.word()), [a] "r"(a.w)
        : "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  /// r = row[index] for index < count; every entry is read.
  __attribute__((target("avx2"), noinline)) static void select(Affine& r, const Affine* row, int count,
                                                               u64 index) noexcept {
    __m256i x = _mm256_setzero_si256();
    __m256i y = _mm256_setzero_si256();
    const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(ct::barrier(index)));
    __m256i at = _mm256_setzero_si256();
    for (int j = 0; j < count; j++) {
      const __m256i mask = _mm256_cmpeq_epi64(at, wanted);
      const __m256i* entry = reinterpret_cast<const __m256i*>(row + j);
      x = _mm256_or_si256(x, _mm256_and_si256(mask, _mm256_loadu_si256(entry)));
      y = _mm256_or_si256(y, _mm256_and_si256(mask, _mm256_loadu_si256(entry + 1)));
      at = _mm256_add_epi64(at, _mm256_set1_epi64x(1));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&r), x);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&r) + 1, y);
  }

#undef SIGNET_P256_ROW
#undef SIGNET_P256_REDUCE
#undef SIGNET_P256_REDUCE_LOW
#undef SIGNET_P256_SUBTRACT_PRIME
};

}  // namespace signet::crypto::p256

#undef SIGNET_INLINE
#endif

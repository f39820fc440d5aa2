// r = a * b mod p and its companions, p = 2^255 - 19, on four words, with MULX, ADCX, ADOX and AVX2.
//
// Two sizes: tight, below 2^255 + 2^32, what mul, sqr, mul_121665 and load give; and loose, below 2^256, what
// add and sub give. mul, sqr, mul_121665 and store take loose ones, add tight ones, sub a loose one and a
// tight one, add_loose any. Results may be the same object as operands. Constant time.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/x25519_kernels.hpp>
#include <signet/crypto/kernels/x86_64/square_four_words.hpp>

#define SIGNET_INLINE static inline __attribute__((always_inline))

namespace signet::crypto::c25519 {

struct FieldAdx {
  static constexpr std::string_view kernel_name = "x25519-adx";
  using u64 = std::uint64_t;

  struct Element {
    u64 w[4];
  };

// Instructions stay one a line, the two carry chains side by side.
// clang-format off

// t0..t4 += a * b[i], where t4 is unset before; `i` is the offset in octets.
#define SIGNET_25519_ROW(i, t0, t1, t2, t3, t4)                \
  "movq " #i "(%[b]), %%rdx\n\t"                               \
  "xorl %k[" #t4 "], %k[" #t4 "]\n\t"                          \
  "mulxq (%[a]), %[lo], %[hi]\n\t"                             \
  "adcxq %[lo], %[" #t0 "]\n\t adoxq %[hi], %[" #t1 "]\n\t"    \
  "mulxq 8(%[a]), %[lo], %[hi]\n\t"                            \
  "adcxq %[lo], %[" #t1 "]\n\t adoxq %[hi], %[" #t2 "]\n\t"    \
  "mulxq 16(%[a]), %[lo], %[hi]\n\t"                           \
  "adcxq %[lo], %[" #t2 "]\n\t adoxq %[hi], %[" #t3 "]\n\t"    \
  "mulxq 24(%[a]), %[lo], %[" #t4 "]\n\t"                      \
  "movl $0, %k[hi]\n\t"                                        \
  "adcxq %[lo], %[" #t3 "]\n\t adoxq %[hi], %[" #t4 "]\n\t"    \
  "adcxq %[hi], %[" #t4 "]\n\t"

// t0..t3 = t0..t6 and a highest word `t7`, mod p, tight: 2^256 = 38 gives a fifth word below 39, and 2^255 =
// 19 takes it and the highest bit in.
#define SIGNET_25519_FOLD(t7)                                  \
  "movl $38, %%edx\n\t"                                        \
  "xorl %k[lo], %k[lo]\n\t"                                    \
  "mulxq %[t4], %[lo], %[hi]\n\t"                              \
  "adcxq %[lo], %[t0]\n\t adoxq %[hi], %[t1]\n\t"              \
  "mulxq %[t5], %[lo], %[hi]\n\t"                              \
  "adcxq %[lo], %[t1]\n\t adoxq %[hi], %[t2]\n\t"              \
  "mulxq %[t6], %[lo], %[hi]\n\t"                              \
  "adcxq %[lo], %[t2]\n\t adoxq %[hi], %[t3]\n\t"              \
  "mulxq %[" #t7 "], %[lo], %[t4]\n\t"                          \
  "movl $0, %k[hi]\n\t"                                        \
  "adcxq %[lo], %[t3]\n\t adoxq %[hi], %[t4]\n\t"              \
  "adcxq %[hi], %[t4]\n\t"                                     \
  SIGNET_25519_FOLD_TOP

// t0..t3 = t0..t4 mod p, tight, for a t4 below 2^27.
#define SIGNET_25519_FOLD_TOP                                  \
  "shldq $1, %[t3], %[t4]\n\t"                                 \
  "btrq $63, %[t3]\n\t"                                        \
  "imulq $19, %[t4], %[t4]\n\t"                                \
  "addq %[t4], %[t0]\n\t"                                      \
  "adcq $0, %[t1]\n\t"                                         \
  "adcq $0, %[t2]\n\t"                                         \
  "adcq $0, %[t3]\n\t"

  SIGNET_INLINE void mul(Element& r, const Element& a, const Element& second) noexcept {
    u64 t0, t1, t2, t3, t4, t5, t6, lo, hi;
    const u64* b = second.w;
    __asm__(
        "movq (%[b]), %%rdx\n\t"
        "mulxq (%[a]), %[t0], %[t1]\n\t"
        "mulxq 8(%[a]), %[lo], %[t2]\n\t"
        "mulxq 16(%[a]), %[hi], %[t3]\n\t"
        "addq %[lo], %[t1]\n\t"
        "mulxq 24(%[a]), %[lo], %[t4]\n\t"
        "adcq %[hi], %[t2]\n\t"
        "adcq %[lo], %[t3]\n\t"
        "adcq $0, %[t4]\n\t"
        SIGNET_25519_ROW(8, t1, t2, t3, t4, t5)
        SIGNET_25519_ROW(16, t2, t3, t4, t5, t6)
        SIGNET_25519_ROW(24, t3, t4, t5, t6, b)  // b is read for the last time at the start
        SIGNET_25519_FOLD(b)
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5),
          [t6] "=&r"(t6), [lo] "=&r"(lo), [hi] "=&r"(hi), [b] "+&r"(b)
        : [a] "r"(a.w)
        : "rdx", "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  SIGNET_INLINE void sqr(Element& r, const Element& a) noexcept {
    u64 t0, t1, t2, t3, t4, t5, t6, t7, lo, hi;
    __asm__(
        SIGNET_SQUARE_FOUR_WORDS
        SIGNET_25519_FOLD(t7)
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5),
          [t6] "=&r"(t6), [t7] "=&r"(t7), [lo] "=&r"(lo), [hi] "=&r"(hi)
        : [a] "r"(a.w)
        : "rdx", "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  SIGNET_INLINE void mul_121665(Element& r, const Element& a) noexcept {
    u64 t0, t1, t2, t3, t4, lo;
    __asm__(
        "movl $121665, %%edx\n\t"
        "mulxq (%[a]), %[t0], %[t1]\n\t"
        "mulxq 8(%[a]), %[lo], %[t2]\n\t"
        "addq %[lo], %[t1]\n\t"
        "mulxq 16(%[a]), %[lo], %[t3]\n\t"
        "adcq %[lo], %[t2]\n\t"
        "mulxq 24(%[a]), %[lo], %[t4]\n\t"
        "adcq %[lo], %[t3]\n\t"
        "adcq $0, %[t4]\n\t"
        SIGNET_25519_FOLD_TOP
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [lo] "=&r"(lo)
        : [a] "r"(a.w)
        : "rdx", "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  // clang-format on

  // A carry stands for 2^256 = 38; it leaves less than 2^33 in the words, so 38 more carry no further.
  SIGNET_INLINE void add(Element& r, const Element& a, const Element& b) noexcept {
    u64 t0 = a.w[0], t1 = a.w[1], t2 = a.w[2], t3 = a.w[3], fold;
    __asm__(
        "addq (%[b]), %[t0]\n\t"
        "adcq 8(%[b]), %[t1]\n\t"
        "adcq 16(%[b]), %[t2]\n\t"
        "adcq 24(%[b]), %[t3]\n\t"
        "sbbq %[fold], %[fold]\n\t"
        "andl $38, %k[fold]\n\t"
        "addq %[fold], %[t0]\n\t"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [fold] "=&r"(fold)
        : [b] "r"(b.w)
        : "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  /// The sum of any two: 2^256 = 38 is added for a carry, and once more for the carry that this may make.
  SIGNET_INLINE void add_loose(Element& r, const Element& a, const Element& b) noexcept {
    u64 t0 = a.w[0], t1 = a.w[1], t2 = a.w[2], t3 = a.w[3], fold;
    __asm__(
        "addq (%[b]), %[t0]\n\t"
        "adcq 8(%[b]), %[t1]\n\t"
        "adcq 16(%[b]), %[t2]\n\t"
        "adcq 24(%[b]), %[t3]\n\t"
        "sbbq %[fold], %[fold]\n\t"
        "andl $38, %k[fold]\n\t"
        "addq %[fold], %[t0]\n\t"
        "adcq $0, %[t1]\n\t"
        "adcq $0, %[t2]\n\t"
        "adcq $0, %[t3]\n\t"
        "sbbq %[fold], %[fold]\n\t"
        "andl $38, %k[fold]\n\t"
        "addq %[fold], %[t0]\n\t"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [fold] "=&r"(fold)
        : [b] "r"(b.w)
        : "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  // A borrow stands for 2^256 = 38 too much. That is at least 2^255 - 2^32, so 38 less borrows no more.
  SIGNET_INLINE void sub(Element& r, const Element& a, const Element& b) noexcept {
    u64 t0 = a.w[0], t1 = a.w[1], t2 = a.w[2], t3 = a.w[3], fold;
    __asm__(
        "subq (%[b]), %[t0]\n\t"
        "sbbq 8(%[b]), %[t1]\n\t"
        "sbbq 16(%[b]), %[t2]\n\t"
        "sbbq 24(%[b]), %[t3]\n\t"
        "sbbq %[fold], %[fold]\n\t"
        "andl $38, %k[fold]\n\t"
        "subq %[fold], %[t0]\n\t"
        "sbbq $0, %[t1]\n\t"
        "sbbq $0, %[t2]\n\t"
        "sbbq $0, %[t3]\n\t"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [fold] "=&r"(fold)
        : [b] "r"(b.w)
        : "cc", "memory");
    r = {{t0, t1, t2, t3}};
  }

  /// r = a where the mask is set, else b.
  SIGNET_INLINE void choose(Element& r, ct::Mask mask, const Element& a, const Element& b) noexcept {
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
  __attribute__((target("avx2"), noinline)) static void select(TableEntry& r, const TableEntry* row,
                                                               int count, u64 index) noexcept {
    __m256i sum = _mm256_setzero_si256();
    __m256i difference = sum;
    __m256i product = sum;
    __m256i at = sum;
    const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(ct::barrier(index)));
    for (int j = 0; j < count; j++) {
      const __m256i mask = _mm256_cmpeq_epi64(at, wanted);
      const __m256i* entry = reinterpret_cast<const __m256i*>(row + j);
      sum = _mm256_or_si256(sum, _mm256_and_si256(mask, _mm256_loadu_si256(entry)));
      difference = _mm256_or_si256(difference, _mm256_and_si256(mask, _mm256_loadu_si256(entry + 1)));
      product = _mm256_or_si256(product, _mm256_and_si256(mask, _mm256_loadu_si256(entry + 2)));
      at = _mm256_add_epi64(at, _mm256_set1_epi64x(1));
    }
    __m256i* const out = reinterpret_cast<__m256i*>(&r);
    _mm256_storeu_si256(out, sum);
    _mm256_storeu_si256(out + 1, difference);
    _mm256_storeu_si256(out + 2, product);
  }

  /// Any 256-bit number.
  SIGNET_INLINE void load(Element& r, const Words& a) noexcept {
    u64 t0 = a.w[0], t1 = a.w[1], t2 = a.w[2], t3 = a.w[3], t4 = 0;
    __asm__(SIGNET_25519_FOLD_TOP
            : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [t4] "+&r"(t4)
            :
            : "cc");
    r = {{t0, t1, t2, t3}};
  }

  /// Fully reduced: below 2^255 + 2^32 after one fold, so t + 19 has its bit 255 set exactly when t is at
  /// least p, and then t + 19 - 2^255 is the answer.
  static void store(Words& r, const Element& a) noexcept {
    Element t;
    load(t, {{a.w[0], a.w[1], a.w[2], a.w[3]}});
    const u64 reduced = ct::barrier(top_bit_after(t, 19));
    unsigned __int128 carry = 19 * reduced;
    for (int i = 0; i < 4; i++) {
      carry += t.w[i];
      r.w[i] = static_cast<u64>(carry);
      carry >>= 64;
    }
    r.w[3] &= ~u64{0} >> 1;
  }

 private:
  static u64 top_bit_after(const Element& t, u64 added) noexcept {
    unsigned __int128 carry = added;
    for (int i = 0; i < 3; i++) carry = (carry + t.w[i]) >> 64;
    return (static_cast<u64>(carry) + t.w[3]) >> 63;
  }

#undef SIGNET_25519_ROW
#undef SIGNET_25519_FOLD
#undef SIGNET_25519_FOLD_TOP
};

}  // namespace signet::crypto::c25519

#undef SIGNET_INLINE
#endif

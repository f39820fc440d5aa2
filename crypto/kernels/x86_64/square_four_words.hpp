// The square of a number of four words with MULX, ADCX and ADOX: what the fields of P-256 and X25519 share.
#pragma once

#if defined(__x86_64__)

// Instructions stay one a line, the two carry chains side by side.
// clang-format off

// t0..t7 = a * a: the products of different words (t1..t6), twice those, and the squares of the words. All of
// t0 to t7, lo and hi are unset before; rdx and the flags are used up.
#define SIGNET_SQUARE_FOUR_WORDS                       \
  "movq (%[a]), %%rdx\n\t"                             \
  "mulxq 8(%[a]), %[t1], %[t2]\n\t"                    \
  "mulxq 16(%[a]), %[lo], %[t3]\n\t"                   \
  "mulxq 24(%[a]), %[hi], %[t4]\n\t"                   \
  "movq 8(%[a]), %%rdx\n\t"                            \
  "addq %[lo], %[t2]\n\t"                              \
  "mulxq 24(%[a]), %[lo], %[t5]\n\t"                   \
  "adcq %[hi], %[t3]\n\t"                              \
  "adcq %[lo], %[t4]\n\t"                              \
  "adcq $0, %[t5]\n\t"                                 \
  "mulxq 16(%[a]), %[lo], %[hi]\n\t"                   \
  "movq 16(%[a]), %%rdx\n\t"                           \
  "mulxq 24(%[a]), %[t7], %[t6]\n\t"                   \
  "addq %[lo], %[t3]\n\t"                              \
  "adcq %[hi], %[t4]\n\t"                              \
  "adcq %[t7], %[t5]\n\t"                              \
  "adcq $0, %[t6]\n\t"                                 \
  "xorl %k[t7], %k[t7]\n\t"                            \
  "movq (%[a]), %%rdx\n\t"                             \
  "mulxq %%rdx, %[t0], %[hi]\n\t"                      \
  "movq 8(%[a]), %%rdx\n\t"                            \
  "adcxq %[t1], %[t1]\n\t adoxq %[hi], %[t1]\n\t"      \
  "mulxq %%rdx, %[lo], %[hi]\n\t"                      \
  "movq 16(%[a]), %%rdx\n\t"                           \
  "adcxq %[t2], %[t2]\n\t adoxq %[lo], %[t2]\n\t"      \
  "adcxq %[t3], %[t3]\n\t adoxq %[hi], %[t3]\n\t"      \
  "mulxq %%rdx, %[lo], %[hi]\n\t"                      \
  "movq 24(%[a]), %%rdx\n\t"                           \
  "adcxq %[t4], %[t4]\n\t adoxq %[lo], %[t4]\n\t"      \
  "adcxq %[t5], %[t5]\n\t adoxq %[hi], %[t5]\n\t"      \
  "mulxq %%rdx, %[lo], %[hi]\n\t"                      \
  "adcxq %[t6], %[t6]\n\t adoxq %[lo], %[t6]\n\t"      \
  "adcxq %[t7], %[t7]\n\t adoxq %[hi], %[t7]\n\t"

// clang-format on
#endif

// The field behind x25519-ifma at the bounds of its limbs, and every X25519 kernel against the portable one.
#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/kernels/x25519_kernels.hpp>
#include <signet/tests/support/slow_numbers.hpp>
#if defined(__x86_64__)
#include <signet/crypto/kernels/x86_64/field25519_ifma.hpp>
#endif

using namespace signet;
using namespace signet::crypto;
using test::Number;

namespace {

const Number prime = test::number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
const test::Modular field{prime};

c25519::Words words(const Number& n) { return {{n[0], n[1], n[2], n[3]}}; }

/// Words of zeros, ones and random bits, mixed.
Number uneven(test::Numbers& random) {
  Number n = random.number();
  const std::uint64_t kind = random.number()[0];
  for (std::size_t i = 0; i < 4; i++) {
    if (((kind >> (2 * i)) & 3) == 0) n[i] = 0;
    if (((kind >> (2 * i)) & 3) == 1) n[i] = ~std::uint64_t{0};
  }
  return n;
}

void check_ladder(Number scalar, Number u) {
  scalar[0] &= ~std::uint64_t{7};
  scalar[3] = (scalar[3] & 0x7fffffffffffffff) | 0x4000000000000000;
  u[3] &= 0x7fffffffffffffff;
  c25519::Words expected;
  c25519::portable_kernel.ladder(expected, words(scalar), words(u));
  for (const c25519::Kernel* kernel : c25519::kernels()) {
    c25519::Words r;
    kernel->ladder(r, words(scalar), words(u));
    const bool same = std::equal(r.w, r.w + 4, expected.w);
    CHECK_MESSAGE(same, kernel->name);
  }
}

}  // namespace

TEST_CASE("x25519 ladder: 10,000 secrets and points as the portable kernel has them") {
  test::Numbers random(20);
  for (int i = 0; i < 5000; i++) check_ladder(random.number(), random.number());
  for (int i = 0; i < 5000; i++) check_ladder(uneven(random), uneven(random));
}

TEST_CASE("x25519 ladder: points at the edges") {
  bool carry = false;
  test::Numbers random(21);
  const Number ones = test::wrapping_sub({}, {1});
  for (const Number& u : {Number{}, Number{1}, Number{2}, test::wrapping_sub(prime, {1}), prime,
                          test::wrapping_add(prime, {1}, carry), ones,
                          test::number("b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0"),
                          test::number("57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5f")}) {
    for (const Number& scalar : {Number{}, ones, random.number()}) check_ladder(scalar, u);
  }
}

#if defined(__x86_64__)

namespace {

using namespace c25519::ifma;

using Limb = std::uint64_t;

/// Four numbers of five limbs.
struct Four {
  alignas(32) Limb limb[5][4];
};

constexpr Limb reduced_bound = (Limb{1} << 51) + (Limb{1} << 14);

/// Limbs of the least and largest values, of those around 2^51, and between.
Four extreme(test::Numbers& random, Limb bound) {
  const Limb edges[] = {0, 1, limb_mask - 1, limb_mask, bound - 1, bound - 2};
  Four r;
  for (auto& limb : r.limb) {
    for (Limb& one : limb) {
      const Number n = random.number();
      const std::size_t kind = n[0] % 8;
      one = kind < 6 ? edges[kind] : n[1] % bound;
    }
  }
  return r;
}

Four all(Limb limb) {
  Four r;
  for (auto& row : r.limb) std::fill_n(row, 4, limb);
  return r;
}

Number value(const Four& a, std::size_t lane) {
  Number sum{}, weight{1};
  for (const auto& limb : a.limb) {
    sum = field.add(sum, field.mul(field.reduce({limb[lane]}), weight));
    weight = field.mul(weight, {limb_mask + 1});
  }
  return sum;
}

SIGNET_IFMA_TARGET Limbs<X4> load(const Four& a) {
  Limbs<X4> r;
  for (int i = 0; i < 5; i++) r.l[i] = _mm256_load_si256(reinterpret_cast<const __m256i*>(a.limb[i]));
  return r;
}

SIGNET_IFMA_TARGET void store(Four& r, const Limbs<X4>& a) {
  for (int i = 0; i < 5; i++) _mm256_store_si256(reinterpret_cast<__m256i*>(r.limb[i]), a.l[i]);
}

SIGNET_IFMA_TARGET void run_mul(Four& r, const Four& a, const Four& b) {
  store(r, mul<X4>(load(a), load(b)));
}
SIGNET_IFMA_TARGET void run_sqr(Four& r, const Four& a) { store(r, sqr<X4>(load(a))); }
SIGNET_IFMA_TARGET void run_reduce(Four& r, const Four& a) { store(r, reduce<X4>(load(a))); }
SIGNET_IFMA_TARGET void run_mul_add(Four& r, const Four& a, const Four& k, const Four& more) {
  c25519::ifma::Factor factor;
  make_factor(factor, load(k));
  store(r, mul_add(load(a), factor, load(more)));
}

bool is_below(const Four& a, Limb bound) {
  bool below = true;
  for (const auto& limb : a.limb) {
    for (const Limb one : limb) below = below && one < bound;
  }
  return below;
}

constexpr Limb product_bound = (Limb{1} << 59) - (Limb{1} << 53);
constexpr Limb wide_bound = Limb{1} << 60;

void check_all(const Four& a, const Four& b, const Four& k, const Four& more) {
  Four product, square, sum, small;
  run_mul(product, a, b);
  run_sqr(square, a);
  run_mul_add(sum, a, k, more);
  CHECK(is_below(product, product_bound));
  CHECK(is_below(square, product_bound));
  CHECK(is_below(sum, wide_bound));
  run_reduce(small, sum);
  CHECK(is_below(small, reduced_bound));
  for (std::size_t lane = 0; lane < 4; lane++) {
    const Number x = value(a, lane);
    const Number expected = field.add(field.mul(x, value(k, lane)), value(more, lane));
    CHECK(value(product, lane) == field.mul(x, value(b, lane)));
    CHECK(value(square, lane) == field.mul(x, x));
    CHECK(value(sum, lane) == expected);
    CHECK(value(small, lane) == expected);
  }
}

}  // namespace

TEST_CASE("x25519-ifma field: limbs at their bounds") {
  if (c25519::kernels().front()->name != "x25519-ifma") return;
  const Limb most = Limb{1} << 59;
  check_all(all(reduced_bound - 1), all(reduced_bound - 1), all(limb_mask), all(most - 1));
  check_all(all(0), all(0), all(0), all(0));
  test::Numbers random(22);
  for (int i = 0; i < 300; i++) {
    check_all(extreme(random, reduced_bound), extreme(random, reduced_bound), extreme(random, limb_mask + 1),
              extreme(random, most));
  }
  Four small;
  run_reduce(small, all(wide_bound - 1));
  CHECK(is_below(small, reduced_bound));
}

#endif

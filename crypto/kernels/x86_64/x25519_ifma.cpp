// X25519's ladder on AVX-512 IFMA: the four products of a step at once, three times a step. Constant time.
//
// With s = x + z and d = x - z of a point, the state is (s2, d2, s3, d3) for the points of RFC 7748 section 5
// and one step, doubling the second point where `second` is set and else the first one, is
//
//   (AA, BB, C, D) = (s s, d d, s3 d2, d3 s2)      s, d of the point that is doubled
//   E = AA - BB, F = C + D, G = C - D
//   s2 = AA^2 + 121665 E^2     d2 = BB^2 - 121666 E^2
//   s3 = F^2 + x1 G^2          d3 = F^2 - x1 G^2
//
// because x2 = AA BB, z2 = E (AA + 121665 E) and AA = BB + E, x3 = F^2 and z3 = x1 G^2. The six squares are
// one multiplication of eight lanes, (E, -E, G, -G) and (AA, BB, F, F). What is left is the division, and the
// base point, which the kernel for ADX does faster.
#if defined(__x86_64__)
// Before every other header that has the intrinsics.
#include <signet/crypto/kernels/x25519_multiply.hpp>
#include <signet/crypto/kernels/x86_64/avx512_intrinsics.hpp>
#include <signet/crypto/kernels/x86_64/field25519_adx.hpp>
#include <signet/crypto/kernels/x86_64/field25519_ifma.hpp>

namespace signet::crypto::c25519 {
namespace {

using namespace ifma;

/// Of four numbers, one a lane.
struct Lanes4 {
  alignas(32) std::uint64_t limb[5][4];
};

void put(Lanes4& r, int lane, const Words& a) noexcept {
  r.limb[0][lane] = a.w[0] & limb_mask;
  r.limb[1][lane] = (a.w[0] >> 51 | a.w[1] << 13) & limb_mask;
  r.limb[2][lane] = (a.w[1] >> 38 | a.w[2] << 26) & limb_mask;
  r.limb[3][lane] = (a.w[2] >> 25 | a.w[3] << 39) & limb_mask;
  r.limb[4][lane] = a.w[3] >> 12;
}

/// A number of reduced limbs is below 2^255 + 2^219.
Words take(const Lanes4& a, int lane) noexcept {
  constexpr int shift[] = {51, 38, 25, 12};
  unsigned __int128 sum = a.limb[0][lane];
  Words r;
  for (int i = 0; i < 4; i++) {
    sum += static_cast<unsigned __int128>(a.limb[i + 1][lane]) << shift[i];
    r.w[i] = static_cast<std::uint64_t>(sum);
    sum >>= 64;
  }
  return r;
}

SIGNET_IFMA Limbs<X4> load_lanes(const Lanes4& a) noexcept {
  const auto* const from = reinterpret_cast<const __m256i*>(a.limb);
  return {{_mm256_load_si256(from), _mm256_load_si256(from + 1), _mm256_load_si256(from + 2),
           _mm256_load_si256(from + 3), _mm256_load_si256(from + 4)}};
}

SIGNET_IFMA void store_lanes(Lanes4& r, const Limbs<X4>& a) noexcept {
  for (int i = 0; i < 5; i++) _mm256_store_si256(reinterpret_cast<__m256i*>(r.limb[i]), a.l[i]);
}

SIGNET_IFMA __m512i pick(__m512i index, __m256i a) noexcept {
  return _mm512_permutexvar_epi64(index, _mm512_castsi256_si512(a));
}

SIGNET_IFMA Limbs<X8> pick(__m512i index, const Limbs<X4>& a) noexcept {
  return {{pick(index, a.l[0]), pick(index, a.l[1]), pick(index, a.l[2]), pick(index, a.l[3]),
           pick(index, a.l[4])}};
}

/// (AA, BB, C, D), twice, from the state: (s, d, s3, d3) * (s, d, d2, s2). Index 2 more in the lanes of s and
/// d takes the other point.
SIGNET_IFMA Limbs<X8> first_products(const Limbs<X4>& state, ct::Mask second) noexcept {
  const __m512i two = _mm512_set1_epi64(static_cast<long long>(second.word() & 2));
  const __m512i other = _mm512_maskz_mov_epi64(0x33, two);
  const __m512i left = _mm512_xor_si512(_mm512_set_epi64(3, 2, 1, 0, 3, 2, 1, 0), other);
  const __m512i right = _mm512_xor_si512(_mm512_set_epi64(0, 1, 1, 0, 0, 1, 1, 0), other);
  return mul<X8>(pick(left, state), pick(right, state));
}

// 2^8 p, limb by limb: no limb of a product is above it, see the field's bounds.
constexpr long long bias = static_cast<long long>(limb_mask << 8);
constexpr long long lowest_bias = static_cast<long long>((limb_mask - 18) << 8);

/// A limb of (E, -E, G, -G, AA, BB, F, F); below 2^60.
SIGNET_IFMA __m512i combine(__m512i a, long long over) noexcept {
  const __m512i swapped = _mm512_shuffle_epi32(a, _MM_PERM_BADC);
  const __m512i raised = _mm512_add_epi64(a, _mm512_set_epi64(0, 0, 0, 0, over, over, over, over));
  const __m512i differences = _mm512_mask_sub_epi64(raised, 0x0f, raised, swapped);
  return _mm512_mask_add_epi64(differences, 0xc0, differences, swapped);
}

SIGNET_IFMA Limbs<X8> combine(const Limbs<X8>& a) noexcept {
  return {{combine(a.l[0], lowest_bias), combine(a.l[1], bias), combine(a.l[2], bias), combine(a.l[3], bias),
           combine(a.l[4], bias)}};
}

SIGNET_IFMA Limbs<X4> lower(const Limbs<X8>& a) noexcept {
  return {{_mm512_castsi512_si256(a.l[0]), _mm512_castsi512_si256(a.l[1]), _mm512_castsi512_si256(a.l[2]),
           _mm512_castsi512_si256(a.l[3]), _mm512_castsi512_si256(a.l[4])}};
}

SIGNET_IFMA Limbs<X4> upper(const Limbs<X8>& a) noexcept {
  return {{_mm512_extracti64x4_epi64(a.l[0], 1), _mm512_extracti64x4_epi64(a.l[1], 1),
           _mm512_extracti64x4_epi64(a.l[2], 1), _mm512_extracti64x4_epi64(a.l[3], 1),
           _mm512_extracti64x4_epi64(a.l[4], 1)}};
}

SIGNET_IFMA Limbs<X4> ladder_step(const Limbs<X4>& state, const Factor& factor, ct::Mask second) noexcept {
  const Limbs<X8> squares = sqr<X8>(reduce<X8>(combine(first_products(state, second))));
  return reduce<X4>(mul_add(reduce<X4>(lower(squares)), factor, upper(squares)));
}

SIGNET_IFMA_TARGET void run_ladder(Lanes4& state, const Words& scalar, const Lanes4& constants) noexcept {
  Factor factor;
  make_factor(factor, load_lanes(constants));
  Limbs<X4> s = load_lanes(state);
  std::uint64_t previous = 0;
  for (int at = 254; at >= 0; at--) {
    const std::uint64_t bit = (scalar.w[at / 64] >> (at % 64)) & 1;
    s = ladder_step(s, factor, ct::Mask::from_bit(bit ^ previous));
    previous = bit;
  }
  store_lanes(state, s);
}

void put_element(Lanes4& r, int lane, const FieldAdx::Element& a) noexcept {
  Words words;
  FieldAdx::store(words, a);
  put(r, lane, words);
}

/// (1 : 0), whose sum and difference are 1, and (x1 : 1).
void start(Lanes4& state, Lanes4& constants, const Words& u) noexcept {
  FieldAdx::Element x1, one, zero, t;
  FieldAdx::load(x1, u);
  FieldAdx::load(one, {{1, 0, 0, 0}});
  FieldAdx::load(zero, {{0, 0, 0, 0}});
  put_element(state, 0, one);
  put_element(state, 1, one);
  FieldAdx::add(t, x1, one);
  put_element(state, 2, t);
  FieldAdx::sub(t, x1, one);
  put_element(state, 3, t);
  put(constants, 0, {{121665, 0, 0, 0}});
  put(constants, 1, {{field_prime.w[0] - 121666, field_prime.w[1], field_prime.w[2], field_prime.w[3]}});
  put_element(constants, 2, x1);
  FieldAdx::sub(t, zero, x1);
  put_element(constants, 3, t);
}

/// x / z of the first point: s + d is 2x, s - d is 2z.
void finish(Words& r, const Lanes4& state) noexcept {
  FieldAdx::Element sum, difference, x, z;
  FieldAdx::load(sum, take(state, 0));
  FieldAdx::load(difference, take(state, 1));
  FieldAdx::add(x, sum, difference);
  FieldAdx::sub(z, sum, difference);
  divide<FieldAdx>(r, x, z);
  base::wipe_object(sum);
  base::wipe_object(difference);
  base::wipe_object(x);
  base::wipe_object(z);
}

void ladder_ifma(Words& r, const Words& scalar, const Words& u) noexcept {
  SIGNET_KERNEL_RAN("x25519-ifma");
  Lanes4 state, constants;
  start(state, constants, u);
  run_ladder(state, scalar, constants);
  // The scalar is clamped: its lowest bit is zero, so the first point is the answer.
  finish(r, state);
  base::wipe_object(state);
  base::wipe_object(constants);
}

SIGNET_IFMA_TARGET void mul_lanes(Lanes4& r, const Lanes4& a, const Lanes4& b) noexcept {
  store_lanes(r, reduce<X4>(mul<X4>(load_lanes(a), load_lanes(b))));
}

void field_mul_ifma(Words& r, const Words& a, const Words& b) noexcept {
  Lanes4 x = {}, y = {};
  FieldAdx::Element t;
  FieldAdx::load(t, a);
  put_element(x, 3, t);
  FieldAdx::load(t, b);
  put_element(y, 3, t);
  mul_lanes(x, x, y);
  FieldAdx::load(t, take(x, 3));
  FieldAdx::store(r, t);
}

}  // namespace

const Kernel& ifma_kernel(IfmaToken) noexcept {
  static constinit const Kernel kernel = {"x25519-ifma", field_mul_ifma, ladder_ifma, mul_base<FieldAdx>};
  return kernel;
}

}  // namespace signet::crypto::c25519
#endif

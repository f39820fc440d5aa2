// Poly1305 (RFC 8439 section 2.5) with AVX-512's multiply-add of 52 bits: eight blocks a step, one in each
// lane. A number is three limbs of 44, 44 and 42 bits. Sum of m[i] * r^(n-i) with the powers of r up to r^64,
// so that up to 64 blocks cost one reduction. Constant time.
//
// Bounds: limbs are under 2^45 and those of 20 r under 2^49 after a reduction, with a block added as well. A
// multiply-add adds under 2^52 to the low sum and under 2^42 to the high one, and a column has at most 24 of
// them: with its 2^8 or 20 * 2^8, all is under 2^58, and eight lanes of that fit a word.
#pragma once

#if defined(__x86_64__)
#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/aead_kernels.hpp>
#include <signet/crypto/kernels/portable/poly1305_portable.hpp>
#include <signet/crypto/kernels/x86_64/avx512_intrinsics.hpp>

#define SIGNET_IFMA_TARGET __attribute__((target("avx512f,avx512bw,avx512ifma,bmi2")))
#define SIGNET_IFMA_INLINE static inline __attribute__((always_inline)) SIGNET_IFMA_TARGET

namespace signet::crypto::poly1305_ifma {

constexpr std::size_t group_blocks = 8;
constexpr std::size_t group_bytes = 16 * group_blocks;
constexpr std::size_t most_groups = 8;
/// Fewer blocks are taken one by one: their powers would cost more than they save.
constexpr std::size_t fewest_blocks = 16;

constexpr long long low44 = (1LL << 44) - 1;
constexpr long long low42 = (1LL << 42) - 1;

/// Eight numbers.
struct Lanes {
  __m512i limb[3];
};

/// Eight numbers to multiply by, with 20 times the upper limbs: 2^132 = 20 mod 2^130 - 5.
struct alignas(64) Factors {
  std::uint64_t limb[3][8];
  std::uint64_t times20[2][8];
};

/// Sums of products that were not reduced: the low halves of column i at 2^(44 i), the high ones at 2^(44 i
/// + 52).
struct Columns {
  __m512i low[3];
  __m512i high[3];
};

/// Where block `i` of a group is: what unpacking two registers of four blocks makes of it.
constexpr std::size_t lane_of(std::size_t i) noexcept { return i < 4 ? 2 * i : 2 * i - 7; }

SIGNET_IFMA_INLINE __m512i all_lanes(long long v) noexcept { return _mm512_set1_epi64(v); }

SIGNET_IFMA_INLINE Columns no_columns() noexcept {
  const __m512i zero = _mm512_setzero_si512();
  return {{zero, zero, zero}, {zero, zero, zero}};
}

/// Limbs of 44 bits of numbers of 128 bits.
SIGNET_IFMA_INLINE Lanes split(__m512i low, __m512i high) noexcept {
  const __m512i mask = all_lanes(low44);
  const __m512i middle = _mm512_or_si512(_mm512_srli_epi64(low, 44), _mm512_slli_epi64(high, 20));
  return {{_mm512_and_si512(low, mask), _mm512_and_si512(middle, mask), _mm512_srli_epi64(high, 24)}};
}

SIGNET_IFMA_INLINE Lanes split_blocks(__m512i first_four, __m512i last_four) noexcept {
  return split(_mm512_unpacklo_epi64(first_four, last_four), _mm512_unpackhi_epi64(first_four, last_four));
}

SIGNET_IFMA_INLINE Lanes load_group(const std::uint8_t* at) noexcept {
  Lanes m = split_blocks(_mm512_loadu_si512(at), _mm512_loadu_si512(at + 64));
  m.limb[2] = _mm512_or_si512(m.limb[2], all_lanes(1LL << 40));
  return m;
}

/// A group whose first `missing` blocks are not there and count nothing.
SIGNET_IFMA_INLINE Lanes load_part(const std::uint8_t* at, std::size_t missing) noexcept {
  const unsigned there = 0xFFFFU << (2 * missing);
  const auto first = static_cast<__mmask8>(there);
  const auto last = static_cast<__mmask8>(there >> 8);
  const std::uint8_t* start = at - 16 * missing;
  Lanes m = split_blocks(_mm512_maskz_loadu_epi64(first, start), _mm512_maskz_loadu_epi64(last, start + 64));
  const __m512i top = _mm512_unpacklo_epi64(_mm512_maskz_set1_epi64(first, 1LL << 40),
                                            _mm512_maskz_set1_epi64(last, 1LL << 40));
  m.limb[2] = _mm512_or_si512(m.limb[2], top);
  return m;
}

/// The sum so far, in one lane.
SIGNET_IFMA_INLINE Lanes in_lane(const Poly1305Sum& sum, std::size_t lane) noexcept {
  const auto only = static_cast<__mmask8>(1U << lane);
  const std::uint64_t* h = sum.h;
  return {{_mm512_maskz_set1_epi64(only, static_cast<long long>(h[0]) & low44),
           _mm512_maskz_set1_epi64(only, static_cast<long long>(h[0] >> 44 | h[1] << 20) & low44),
           _mm512_maskz_set1_epi64(only, static_cast<long long>(h[1] >> 24 | h[2] << 40))}};
}

SIGNET_IFMA_INLINE void add(Lanes& a, const Lanes& b) noexcept {
  for (int i = 0; i < 3; i++) a.limb[i] = _mm512_add_epi64(a.limb[i], b.limb[i]);
}

/// Eight factors, or the first of them in all lanes.
template <bool uniform>
SIGNET_IFMA_INLINE __m512i factor(const std::uint64_t (&f)[8]) noexcept {
  if constexpr (uniform) return all_lanes(static_cast<long long>(f[0]));
  return _mm512_load_si512(f);
}

SIGNET_IFMA_INLINE void multiply_add(Columns& sum, int column, __m512i a, __m512i b) noexcept {
  sum.low[column] = _mm512_madd52lo_epu64(sum.low[column], a, b);
  sum.high[column] = _mm512_madd52hi_epu64(sum.high[column], a, b);
}

template <bool uniform>
SIGNET_IFMA_INLINE void add_product(Columns& sum, const Lanes& a, const Factors& f) noexcept {
  const __m512i r0 = factor<uniform>(f.limb[0]);
  const __m512i r1 = factor<uniform>(f.limb[1]);
  const __m512i r2 = factor<uniform>(f.limb[2]);
  const __m512i r1_20 = factor<uniform>(f.times20[0]);
  const __m512i r2_20 = factor<uniform>(f.times20[1]);
  multiply_add(sum, 0, a.limb[0], r0);
  multiply_add(sum, 1, a.limb[0], r1);
  multiply_add(sum, 2, a.limb[0], r2);
  multiply_add(sum, 0, a.limb[1], r2_20);
  multiply_add(sum, 1, a.limb[1], r0);
  multiply_add(sum, 2, a.limb[1], r1);
  multiply_add(sum, 0, a.limb[2], r1_20);
  multiply_add(sum, 1, a.limb[2], r2_20);
  multiply_add(sum, 2, a.limb[2], r0);
}

/// Low and high halves together; the high half of column 2 comes back to column 0, 20 times.
SIGNET_IFMA_INLINE Lanes join(const Columns& c) noexcept {
  const __m512i back = _mm512_add_epi64(_mm512_slli_epi64(c.high[2], 12), _mm512_slli_epi64(c.high[2], 10));
  return {{_mm512_add_epi64(c.low[0], back), _mm512_add_epi64(c.low[1], _mm512_slli_epi64(c.high[0], 8)),
           _mm512_add_epi64(c.low[2], _mm512_slli_epi64(c.high[1], 8))}};
}

SIGNET_IFMA_INLINE Lanes reduce(const Columns& c) noexcept {
  Lanes t = join(c);
  t.limb[1] = _mm512_add_epi64(t.limb[1], _mm512_srli_epi64(t.limb[0], 44));
  t.limb[2] = _mm512_add_epi64(t.limb[2], _mm512_srli_epi64(t.limb[1], 44));
  const __m512i over = _mm512_srli_epi64(t.limb[2], 42);
  t.limb[0] = _mm512_and_si512(t.limb[0], all_lanes(low44));
  t.limb[1] = _mm512_and_si512(t.limb[1], all_lanes(low44));
  t.limb[2] = _mm512_and_si512(t.limb[2], all_lanes(low42));
  t.limb[0] = _mm512_add_epi64(t.limb[0], _mm512_add_epi64(over, _mm512_slli_epi64(over, 2)));
  return t;
}

/// The sum of all lanes as three words, reduced in part as poly1305_portable.hpp has it.
SIGNET_IFMA_INLINE Poly1305Sum fold_lanes(const Columns& c) noexcept {
  const Lanes t = join(c);
  const auto d0 = static_cast<std::uint64_t>(_mm512_reduce_add_epi64(t.limb[0]));
  const auto d1 = static_cast<std::uint64_t>(_mm512_reduce_add_epi64(t.limb[1]));
  const auto d2 = static_cast<std::uint64_t>(_mm512_reduce_add_epi64(t.limb[2]));
  const u128 lower = (u128{d1} << 44) + d0;
  const u128 sum = lower + (u128{d2} << 88);
  // Without the barriers the compiler makes jumps of these carries.
  const std::uint64_t top = (d2 >> 40) + ct::barrier(static_cast<std::uint64_t>(sum < lower));
  const u128 folded = sum + ((top >> 2) + (top & ~std::uint64_t{3}));  // 5 (top / 4)
  const std::uint64_t carry = ct::barrier(static_cast<std::uint64_t>(folded < sum));
  return {{static_cast<std::uint64_t>(folded), static_cast<std::uint64_t>(folded >> 64), (top & 3) + carry}};
}

SIGNET_IFMA_INLINE void store_factors(Factors& f, const Lanes& v) noexcept {
  for (int i = 0; i < 3; i++) _mm512_store_si512(f.limb[i], v.limb[i]);
  for (int i = 0; i < 2; i++) {
    const __m512i x = v.limb[i + 1];
    _mm512_store_si512(f.times20[i], _mm512_add_epi64(_mm512_slli_epi64(x, 4), _mm512_slli_epi64(x, 2)));
  }
}

/// Powers of r: factors[i] has r^(8 i + 8) to r^(8 i + 1) for the blocks 0 to 7 of a group.
class Powers {
 public:
  /// As many as `blocks` blocks deserve, or none.
  SIGNET_IFMA_TARGET void make(const Poly1305Key& key, std::size_t blocks) noexcept {
    if (blocks < fewest_blocks) return;
    const std::size_t groups = (blocks + group_blocks - 1) / group_blocks;
    make_first(key);
    for (groups_ = 1; groups_ < most_groups && groups_ < groups; groups_ *= 2) double_groups();
  }
  [[nodiscard]] std::size_t groups() const noexcept { return groups_; }
  [[nodiscard]] const Factors& operator[](std::size_t i) const noexcept { return factors_[i]; }
  void wipe() noexcept { base::wipe({reinterpret_cast<std::uint8_t*>(factors_), groups_ * sizeof(Factors)}); }

 private:
  SIGNET_IFMA_TARGET void make_first(const Poly1305Key& key) noexcept {
    alignas(64) std::uint64_t words[3][8];
    Poly1305Sum power{{key.r[0], key.r[1], 0}};
    for (std::size_t block = group_blocks; block-- > 0;) {
      for (std::size_t i = 0; i < 3; i++) words[i][lane_of(block)] = power.h[i];
      poly1305_step(power, key, 0, 0);
    }
    Lanes v = split(_mm512_load_si512(words[0]), _mm512_load_si512(words[1]));
    v.limb[2] = _mm512_or_si512(v.limb[2], _mm512_slli_epi64(_mm512_load_si512(words[2]), 40));
    store_factors(factors_[0], v);
    base::wipe({reinterpret_cast<std::uint8_t*>(words), sizeof words});
  }

  SIGNET_IFMA_TARGET void double_groups() noexcept {
    for (std::size_t i = 0; i < groups_; i++) {
      const Factors& from = factors_[i];
      Columns c = no_columns();
      add_product<true>(
          c, {{factor<false>(from.limb[0]), factor<false>(from.limb[1]), factor<false>(from.limb[2])}},
          factors_[groups_ - 1]);
      store_factors(factors_[groups_ + i], reduce(c));
    }
  }

  std::size_t groups_ = 0;
  Factors factors_[most_groups];
};

/// `count` groups, the first of them `first` and the others at `at`. The first waits for the sum so far, and
/// comes last.
template <bool uniform>
SIGNET_IFMA_INLINE Columns sum_groups(const Powers& powers, const Lanes& first, const std::uint8_t* at,
                                      std::size_t count) noexcept {
  Columns sum = no_columns();
  for (std::size_t i = 1; i < count; i++, at += group_bytes) {
    add_product<uniform>(sum, load_group(at), powers[count - 1 - i]);
  }
  add_product<uniform>(sum, first, powers[count - 1]);
  return sum;
}

/// Takes `blocks` whole blocks, at least one. They end where a group ends, and the first group may be short.
SIGNET_IFMA_TARGET inline __attribute__((noinline)) void take_groups(Poly1305Sum& sum, const Powers& powers,
                                                                     const std::uint8_t* at,
                                                                     std::size_t blocks) noexcept {
  std::size_t groups = (blocks + group_blocks - 1) / group_blocks;
  const std::size_t missing = groups * group_blocks - blocks;
  Lanes first = load_part(at, missing);
  add(first, in_lane(sum, lane_of(missing)));
  at += group_bytes - 16 * missing;
  while (groups > powers.groups()) {
    const std::size_t count = powers.groups();
    const Lanes so_far = reduce(sum_groups<true>(powers, first, at, count));
    at += (count - 1) * group_bytes;
    first = load_group(at);
    add(first, so_far);
    at += group_bytes;
    groups -= count;
  }
  sum = fold_lanes(sum_groups<false>(powers, first, at, groups));
}

SIGNET_IFMA_INLINE void take_blocks(Poly1305Portable& mac, const Powers& powers, const std::uint8_t* at,
                                    std::size_t blocks) noexcept {
  if (blocks == 0) return;
  if (powers.groups() != 0) return take_groups(mac.sum(), powers, at, blocks);
  mac.update({at, 16 * blocks});
}

}  // namespace signet::crypto::poly1305_ifma

#endif

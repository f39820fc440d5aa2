// r = a * b mod p and its companions, p = 2^255 - 19, on five limbs of 51 bits.
//
// Two sizes of limbs: tight, below 2^51 + 2^15, what mul, sqr, mul_121665 and load give; and loose, below
// 2^54, what add and sub give. mul, sqr, mul_121665 and store take loose ones. add, add_loose and sub take a
// sum of two tight ones first and a tight one second. Results may be the same object as operands. Constant
// time.
#pragma once

#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/x25519_kernels.hpp>

namespace signet::crypto::c25519 {

struct FieldPortable {
  static constexpr std::string_view kernel_name = "x25519-portable";
  using u64 = std::uint64_t;
  using u128 = unsigned __int128;
  static constexpr u64 low51 = (u64{1} << 51) - 1;

  struct Element {
    u64 limb[5];
  };

  // A limb of the sums below is at most (1 + 4 * 19) * 2^108 < 2^115.
  static void mul(Element& r, const Element& a, const Element& b) noexcept {
    const u64 a0 = a.limb[0], a1 = a.limb[1], a2 = a.limb[2], a3 = a.limb[3], a4 = a.limb[4];
    const u64 b0 = b.limb[0], b1 = b.limb[1], b2 = b.limb[2], b3 = b.limb[3], b4 = b.limb[4];
    const u64 c1 = 19 * b1, c2 = 19 * b2, c3 = 19 * b3, c4 = 19 * b4;  // 2^255 = 19
    const u128 t0 = u128{a0} * b0 + u128{a1} * c4 + u128{a2} * c3 + u128{a3} * c2 + u128{a4} * c1;
    const u128 t1 = u128{a0} * b1 + u128{a1} * b0 + u128{a2} * c4 + u128{a3} * c3 + u128{a4} * c2;
    const u128 t2 = u128{a0} * b2 + u128{a1} * b1 + u128{a2} * b0 + u128{a3} * c4 + u128{a4} * c3;
    const u128 t3 = u128{a0} * b3 + u128{a1} * b2 + u128{a2} * b1 + u128{a3} * b0 + u128{a4} * c4;
    const u128 t4 = u128{a0} * b4 + u128{a1} * b3 + u128{a2} * b2 + u128{a3} * b1 + u128{a4} * b0;
    carry(r, t0, t1, t2, t3, t4);
  }

  static void sqr(Element& r, const Element& a) noexcept {
    const u64 a0 = a.limb[0], a1 = a.limb[1], a2 = a.limb[2], a3 = a.limb[3], a4 = a.limb[4];
    const u64 d0 = 2 * a0, d1 = 2 * a1, d2 = 2 * a2;
    const u64 c3 = 19 * a3, c4 = 19 * a4;
    const u128 t0 = u128{a0} * a0 + u128{d1} * c4 + u128{d2} * c3;
    const u128 t1 = u128{d0} * a1 + u128{d2} * c4 + u128{a3} * c3;
    const u128 t2 = u128{d0} * a2 + u128{a1} * a1 + u128{2 * a3} * c4;
    const u128 t3 = u128{d0} * a3 + u128{d1} * a2 + u128{a4} * c4;
    const u128 t4 = u128{d0} * a4 + u128{d1} * a3 + u128{a2} * a2;
    carry(r, t0, t1, t2, t3, t4);
  }

  static void mul_121665(Element& r, const Element& a) noexcept {
    constexpr u64 k = 121665;
    carry(r, u128{a.limb[0]} * k, u128{a.limb[1]} * k, u128{a.limb[2]} * k, u128{a.limb[3]} * k,
          u128{a.limb[4]} * k);
  }

  static void add(Element& r, const Element& a, const Element& b) noexcept {
    for (int i = 0; i < 5; i++) r.limb[i] = a.limb[i] + b.limb[i];
  }

  /// Here the same as add().
  static void add_loose(Element& r, const Element& a, const Element& b) noexcept { add(r, a, b); }

  // a + 4p - b: every limb of 4p is above every tight one.
  static void sub(Element& r, const Element& a, const Element& b) noexcept {
    r.limb[0] = a.limb[0] + 4 * (low51 - 18) - b.limb[0];
    for (int i = 1; i < 5; i++) r.limb[i] = a.limb[i] + 4 * low51 - b.limb[i];
  }

  /// r = a where the mask is set, else b.
  static void choose(Element& r, ct::Mask mask, const Element& a, const Element& b) noexcept {
    for (int i = 0; i < 5; i++) r.limb[i] = mask.select(a.limb[i], b.limb[i]);
  }

  /// r = row[index] for index < count; every entry is read.
  static void select(TableEntry& r, const TableEntry* row, int count, u64 index) noexcept {
    r = {};
    for (int j = 0; j < count; j++) {
      const u64 mask = ct::Mask::equal(index, static_cast<u64>(j)).word();
      for (int i = 0; i < 4; i++) {
        r.sum.w[i] |= row[j].sum.w[i] & mask;
        r.difference.w[i] |= row[j].difference.w[i] & mask;
        r.product.w[i] |= row[j].product.w[i] & mask;
      }
    }
  }

  /// Any 256-bit number.
  static void load(Element& r, const Words& a) noexcept {
    r.limb[0] = a.w[0] & low51;
    r.limb[1] = (a.w[0] >> 51 | a.w[1] << 13) & low51;
    r.limb[2] = (a.w[1] >> 38 | a.w[2] << 26) & low51;
    r.limb[3] = (a.w[2] >> 25 | a.w[3] << 39) & low51;
    r.limb[4] = (a.w[3] >> 12) & low51;
    r.limb[0] += 19 * (a.w[3] >> 63);
  }

  /// Fully reduced.
  static void store(Words& r, const Element& a) noexcept {
    Element t;
    carry(t, a.limb[0], a.limb[1], a.limb[2], a.limb[3], a.limb[4]);
    // t is below 2p; it is p or more exactly when t + 19 reaches 2^255, and then t + 19 - 2^255 is the
    // answer.
    u64 over = 19;
    for (const u64 limb : t.limb) over = (limb + over) >> 51;
    u64 c = 19 * over;
    for (u64& limb : t.limb) {
      limb += c;
      c = limb >> 51;
      limb &= low51;
    }
    r.w[0] = t.limb[0] | t.limb[1] << 51;
    r.w[1] = t.limb[1] >> 13 | t.limb[2] << 38;
    r.w[2] = t.limb[2] >> 26 | t.limb[3] << 25;
    r.w[3] = t.limb[3] >> 39 | t.limb[4] << 12;
  }

 private:
  // The last carry is below 2^64 (t4 < 2^115), so 19 times it fits 128 bits; the second pass leaves limb 1
  // with at most 2^51 + 2^15.
  static void carry(Element& r, u128 t0, u128 t1, u128 t2, u128 t3, u128 t4) noexcept {
    t1 += t0 >> 51;
    t2 += t1 >> 51;
    t3 += t2 >> 51;
    t4 += t3 >> 51;
    const u128 low = (static_cast<u64>(t0) & low51) + (t4 >> 51) * 19;
    r.limb[0] = static_cast<u64>(low) & low51;
    r.limb[1] = (static_cast<u64>(t1) & low51) + static_cast<u64>(low >> 51);
    r.limb[2] = static_cast<u64>(t2) & low51;
    r.limb[3] = static_cast<u64>(t3) & low51;
    r.limb[4] = static_cast<u64>(t4) & low51;
  }
};

}  // namespace signet::crypto::c25519

#include <signet/crypto/kernels/portable/modular_inverse.hpp>
#include <signet/crypto/p256_scalar.hpp>

namespace signet::crypto::p256 {
namespace {

using u64 = std::uint64_t;
using u128 = unsigned __int128;

constexpr u64 minus_inverse_of_order = 0xccd1c8aaee00bc4f;  // -1 / n mod 2^64
constexpr Scalar r_squared = {
    {0x83244c95be79eea2, 0x4699799c49bd6fa6, 0x2845b2392b6bec59, 0x66e12d94f3d95620}};
constexpr InverseModulus order_inverse_modulus =
    make_inverse_modulus(group_order.w[0], group_order.w[1], group_order.w[2], group_order.w[3]);

// d = a - b; answers the borrow.
u64 subtract(u64 d[4], const u64 a[4], const u64 b[4]) noexcept {
  u64 borrow = 0;
  for (int i = 0; i < 4; i++) {
    const u128 x = u128{a[i]} - b[i] - borrow;
    d[i] = static_cast<u64>(x);
    borrow = static_cast<u64>(x >> 64) & 1;
  }
  return borrow;
}

// t + 2^256 * carry, below 2n, modulo n.
Scalar subtract_order(const u64 t[4], u64 carry) noexcept {
  Scalar d;
  const u64 borrow = subtract(d.w, t, group_order.w);
  const ct::Mask below = ct::Mask::from_bit(borrow & ~carry & 1);
  for (int i = 0; i < 4; i++) d.w[i] = below.select(t[i], d.w[i]);
  return d;
}

// t += a * b for t of five words and b of one; answers the carry out.
u64 add_product(u64 t[5], const u64 a[4], u64 b) noexcept {
  u128 carry = 0;
  for (int j = 0; j < 4; j++) {
    carry += u128{a[j]} * b + t[j];
    t[j] = static_cast<u64>(carry);
    carry >>= 64;
  }
  carry += t[4];
  t[4] = static_cast<u64>(carry);
  return static_cast<u64>(carry >> 64);
}

// a * b / 2^256 mod n (Montgomery) for b below n and any a.
Scalar montgomery_mul(const Scalar& a, const Scalar& b) noexcept {
  u64 t[6] = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    t[5] = add_product(t, a.w, b.w[i]);
    t[5] += add_product(t, group_order.w, t[0] * minus_inverse_of_order);
    for (int j = 0; j < 5; j++) t[j] = t[j + 1];
  }
  const Scalar product = subtract_order(t, t[4]);
  base::wipe_object(t);
  return product;
}

}  // namespace

void load_be(std::uint64_t w[4], const std::uint8_t* octets) noexcept {
  for (int i = 0; i < 4; i++) w[i] = base::load_be64(octets + 8 * (3 - i));
}

void store_be(std::uint8_t* octets, const std::uint64_t w[4]) noexcept {
  for (int i = 0; i < 4; i++) base::store_be64(octets + 8 * (3 - i), w[i]);
}

ct::Mask is_below(const std::uint64_t a[4], const std::uint64_t b[4]) noexcept {
  u64 difference[4];
  const ct::Mask below = ct::Mask::from_bit(subtract(difference, a, b));
  base::wipe_object(difference);
  return below;
}

ct::Mask is_zero(const std::uint64_t a[4]) noexcept { return ct::Mask::is_zero(a[0] | a[1] | a[2] | a[3]); }

ct::Mask is_valid_scalar(const Scalar& a) noexcept { return is_below(a.w, group_order.w) & ~is_zero(a.w); }

Scalar reduce_once(const Scalar& a) noexcept { return subtract_order(a.w, 0); }

Scalar add(const Scalar& a, const Scalar& b) noexcept {
  u64 t[4];
  u128 carry = 0;
  for (int i = 0; i < 4; i++) {
    carry += u128{a.w[i]} + b.w[i];
    t[i] = static_cast<u64>(carry);
    carry >>= 64;
  }
  const Scalar sum = subtract_order(t, static_cast<u64>(carry));
  base::wipe_object(t);
  return sum;
}

Scalar mul(const Scalar& a, const Scalar& b) noexcept {
  Scalar in_montgomery_form = montgomery_mul(a, r_squared);
  const Scalar product = montgomery_mul(in_montgomery_form, b);
  base::wipe_object(in_montgomery_form);
  return product;
}

Scalar invert(const Scalar& a) noexcept {
  Scalar r;
  modular_inverse(r.w, a.w, order_inverse_modulus);
  return r;
}

Scalar from_digest(base::Bytes digest) noexcept {
  std::uint8_t octets[32] = {};
  const std::size_t n = digest.size() < 32 ? digest.size() : 32;
  if (n != 0) std::memcpy(octets + 32 - n, digest.data(), n);
  Scalar e;
  load_be(e.w, octets);
  return reduce_once(e);
}

}  // namespace signet::crypto::p256

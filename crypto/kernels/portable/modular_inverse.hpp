// r = a^-1 mod m for an odd m below 2^256, by division steps (Bernstein and Yang, "Fast constant-time gcd
// computation and modular inversion", 2019).
//
// In: a below m, coprime to m or zero (zero gives zero). Constant time in a.
#pragma once

#include <cstdint>

namespace signet::crypto {

/// What the division steps need to know about m.
struct InverseModulus {
  std::int64_t limb[5];            // m in limbs of 62 bits, least first
  std::uint64_t inverse_mod_2_62;  // m^-1 mod 2^62
};

consteval InverseModulus make_inverse_modulus(std::uint64_t w0, std::uint64_t w1, std::uint64_t w2,
                                              std::uint64_t w3) {
  constexpr std::uint64_t low62 = ~std::uint64_t{0} >> 2;
  std::uint64_t inverse = w0;  // right mod 2^3; each turn doubles the count of right bits
  for (int i = 0; i < 5; i++) inverse *= 2 - w0 * inverse;
  const auto limb = [](std::uint64_t v) { return static_cast<std::int64_t>(v & low62); };
  return {{limb(w0), limb(w0 >> 62 | w1 << 2), limb(w1 >> 60 | w2 << 4), limb(w2 >> 58 | w3 << 6),
           limb(w3 >> 56)},
          inverse & low62};
}

/// `r` may be `a`.
void modular_inverse(std::uint64_t r[4], const std::uint64_t a[4], const InverseModulus& m) noexcept;

}  // namespace signet::crypto

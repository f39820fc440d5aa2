// r = a^-1 mod m for an odd m below 2^256, by division steps (Bernstein and Yang, "Fast constant-time gcd
// computation and modular inversion", 2019).
//
// In: a below m, coprime to m or zero (zero gives zero). Constant time in a.
#pragma once

#include <cstdint>

namespace signet::crypto {

/// What the division steps need to know about m.
struct InverseModulus {
  std::int64_t limb[5];            // m in limbs of 60 bits, least first
  std::uint64_t inverse_mod_2_60;  // m^-1 mod 2^60
};

consteval InverseModulus make_inverse_modulus(std::uint64_t w0, std::uint64_t w1, std::uint64_t w2,
                                              std::uint64_t w3) {
  constexpr std::uint64_t low60 = ~std::uint64_t{0} >> 4;
  std::uint64_t inverse = w0;  // right mod 2^3; each turn doubles the count of right bits
  for (int i = 0; i < 5; i++) inverse *= 2 - w0 * inverse;
  const auto limb = [](std::uint64_t v) { return static_cast<std::int64_t>(v & low60); };
  return {{limb(w0), limb(w0 >> 60 | w1 << 4), limb(w1 >> 56 | w2 << 8), limb(w2 >> 52 | w3 << 12),
           limb(w3 >> 48)},
          inverse & low60};
}

/// `r` may be `a`.
void modular_inverse(std::uint64_t r[4], const std::uint64_t a[4], const InverseModulus& m) noexcept;

}  // namespace signet::crypto

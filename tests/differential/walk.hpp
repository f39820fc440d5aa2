// Scalars for u * G + v * Q whose walks through the tables are special, and what happens on such a walk.
#pragma once

#include <signet/crypto/kernels/p256_kernels.hpp>
#include <signet/tests/differential/values.hpp>

namespace signet::differential {

/// Q = q * G, and the scalars of a verification.
struct Walk {
  Number q, u, v;
};

/// How often an addition was given two equal points, and opposite ones. Seen on the product's own code over a
/// field that looks at what it is asked to square.
struct Meetings {
  std::size_t equal = 0, opposite = 0;
};
[[nodiscard]] Meetings meetings(const crypto::p256::Affine& q, const Number& u, const Number& v);
[[nodiscard]] Meetings table_meetings(const crypto::p256::OddMultiples& table, const Number& u,
                                      const Number& v);

/// A key of small order of growth: Q and G are small or simple multiples of each other.
[[nodiscard]] Number simple_multiple(Random& random);
/// Scalars that make sums of such points meet, cancel, or end at infinity.
void choose_simple(Walk& walk, Random& random);

/// Full-size scalars with which the sum that u's digits have made is plus or minus the next term of v's, or
/// the other way round, at a random digit of the walk without (`by_table` false) or with the key's table.
[[nodiscard]] Walk meeting_walk(bool by_table, Random& random);
/// The same q, and v with other digits after the meeting.
void vary_after_meeting(Walk& walk, Random& random);

/// Few digits at or beside the borders of the digits of all widths, with their extreme values and carries.
[[nodiscard]] Number scalar_at_borders(Random& random);

}  // namespace signet::differential

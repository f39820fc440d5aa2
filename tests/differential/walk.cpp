#include <utility>

#include <signet/crypto/kernels/p256_multiply.hpp>
#include <signet/crypto/kernels/portable/p256_field_portable.hpp>
#include <signet/tests/differential/walk.hpp>

namespace signet::differential {
namespace {

namespace p256 = crypto::p256;

/// Counts squares of zero: add_mixed squares both differences of its points, first x then y, and nothing else
/// squares zero here.
struct WatchingField : p256::FieldPortable {
  static inline Meetings found;
  static inline bool same_x = false;  // the last square was of zero

  static void sqr(p256::Fe& r, const p256::Fe& a) noexcept {
    const bool zero = p256::is_zero_vartime(a);
    if (zero && same_x) {
      found.equal++;
      found.opposite--;
    } else if (zero) {
      found.opposite++;
    }
    same_x = zero && !same_x;
    FieldPortable::sqr(r, a);
  }
};

p256::Scalar scalar(const Number& n) { return {{n[0], n[1], n[2], n[3]}}; }
const test::Modular& order() { return slow_p256().order; }

Number digit(int d) {
  const Number size = {static_cast<std::uint64_t>(d < 0 ? -d : d)};
  return d < 0 ? order().negate(size) : size;
}

Number random_sign(const Number& n, Random& random) { return random.one_in(2) ? n : order().negate(n); }
Number small_odd(std::size_t below, Random& random) { return {2 * random.below(below / 2) + 1}; }

/// The part of a scalar that digits at `at` and above make, over 2^at.
Number sum_from(const p256::Naf& naf, int at) {
  Number sum{};
  for (int i = 256; i >= at; i--) sum = order().add(order().add(sum, sum), digit(naf.digit[i]));
  return sum;
}

/// The sum of the table walk at `level`, when the digits of parts up to `last_part` are in.
Number sum_at_level(const p256::Naf& naf, int level, int last_part) {
  Number sum{};
  for (int i = p256::table_spacing_bits - 1; i >= level; i--) {
    sum = order().add(sum, sum);
    for (int part = 0, at = i; at < 257; part++, at += p256::table_spacing_bits) {
      if (i == level && part > last_part) break;
      const Number term = order().mul(digit(naf.digit[at]), power_of_two(p256::table_spacing_bits * part));
      sum = order().add(sum, term);
    }
  }
  return sum;
}

/// d * 2^at and random digits below it.
Number with_top_digit(const Number& d, int at, Random& random) {
  Number low = random.uniform();
  for (int i = 0; i < 256; i++) {
    if (i >= at - 8) low[static_cast<std::size_t>(i / 64)] &= ~(std::uint64_t{1} << (i % 64));
  }
  bool carry = false;
  const Number high = order().mul(d, power_of_two(at));
  return order().reduce(test::wrapping_add(high, random.one_in(4) ? Number{} : low, carry));
}

Meetings counted() { return std::exchange(WatchingField::found, {}); }

}  // namespace

Meetings meetings(const p256::Affine& q, const Number& u, const Number& v) {
  p256::Jacobian sum;
  p256::mul_add_vartime<WatchingField>(sum, scalar(u), scalar(v), q);
  return counted();
}

Meetings table_meetings(const p256::OddMultiples& table, const Number& u, const Number& v) {
  p256::Jacobian sum;
  p256::mul_add_table_vartime<WatchingField>(sum, scalar(u), scalar(v), table);
  return counted();
}

Number simple_multiple(Random& random) {
  constexpr int exponents[] = {0, 1, 2, 3, 4, 5, 7, 8, 14, 35, 70, 245};
  Number q = power_of_two(random.one_of(exponents));
  if (random.one_in(2)) q = order().mul(q, small_odd(64, random));
  if (random.one_in(3)) q = order().mul(q, order().inverse(small_odd(64, random)));
  return random_sign(q, random);
}

void choose_simple(Walk& walk, Random& random) {
  walk.v = random.one_in(2) ? Number{1 + random.below(64)} : random.scalar();
  const Number product = order().mul(walk.v, walk.q);
  switch (random.below(4)) {
    case 0:  // u * G = v * Q, or the sum is at infinity
      walk.u = random_sign(product, random);
      break;
    case 1:  // one digit less or more than that
      walk.u = order().add(random_sign(product, random), random_sign(small_odd(128, random), random));
      break;
    case 2:
      walk.v = {1 + random.below(64)};
      walk.u = {random.below(256)};
      break;
    default:
      walk.v = random_sign(
          order().mul(small_odd(64, random), power_of_two(static_cast<int>(random.below(250)))), random);
      walk.u = random_sign(
          order().mul(small_odd(128, random), power_of_two(static_cast<int>(random.below(249)))), random);
  }
}

Walk meeting_walk(bool by_table, Random& random) {
  Walk walk;
  const bool point_last = by_table || random.one_in(2);
  const Number whole = random.scalar();
  const Number d = small_odd(by_table ? 64 : point_last ? 16 : 128, random);
  int at = 10 + static_cast<int>(random.below(230));
  Number sum;
  if (by_table) {
    const int part = static_cast<int>(random.below(7)), level = 10 + static_cast<int>(random.below(25));
    at = level + p256::table_spacing_bits * part;
    const p256::Naf naf(scalar(whole), p256::base_width + 1);
    const Number place = order().inverse(power_of_two(p256::table_spacing_bits * part));
    sum = order().mul(sum_at_level(naf, level, part), place);
  } else {
    sum = sum_from(p256::Naf(scalar(whole), point_last ? p256::base_width + 1 : 5), at);
  }
  if (sum == Number{}) sum = {1};
  const Number other = with_top_digit(d, at, random);
  if (point_last) {  // sum * G = +-d * Q
    walk = {order().mul(sum, order().inverse(d)), whole, other};
  } else {  // sum * Q = +-d * G
    walk = {order().mul(d, order().inverse(sum)), other, whole};
  }
  walk.q = random_sign(walk.q, random);
  if (walk.v == Number{}) walk.v = {1};
  return walk;
}

void vary_after_meeting(Walk& walk, Random& random) {
  Number& n = random.one_in(2) ? walk.u : walk.v;
  bool carry = false;
  n = order().reduce(test::wrapping_add(n, {random.below(256)}, carry));
  if (walk.v == Number{}) walk.v = {1};
}

Number scalar_at_borders(Random& random) {
  constexpr int widths[] = {5, 7, 8, 35};
  const int width = random.one_of(widths);
  const std::uint64_t half = std::uint64_t{1} << (width - 1);
  const std::uint64_t digits[] = {1, half - 1, half, half + 1, 2 * half - 1, 2 * half - 2};
  Number n{};
  for (std::size_t count = 1 + random.below(random.one_in(3) ? 52 : 3); count > 0; count--) {
    const int at = width * static_cast<int>(random.below(static_cast<std::size_t>(256 / width))) +
                   static_cast<int>(random.below(3)) - (random.one_in(2) ? 1 : 0);
    const Number term = order().mul({random.one_of(digits)}, power_of_two(at < 0 ? 0 : at % 256));
    n = order().add(n, random.one_in(4) ? order().negate(term) : term);
  }
  return n;
}

}  // namespace signet::differential

#include <signet/tests/differential/values.hpp>

namespace signet::differential {
namespace {

Number plus(const Number& a, std::uint64_t b) {
  bool carry = false;
  return test::wrapping_add(a, {b}, carry);
}

std::vector<Number> make_edges() {
  const Number p25519 = test::number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
  const Number edwards_order =
      test::number("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
  const test::SlowP256& curve = slow_p256();
  std::vector<Number> edges;
  for (const Number& middle :
       {Number{}, curve.field.m, curve.order.m, p25519, edwards_order, power_of_two(255)}) {
    const Number from = test::wrapping_sub(middle, {2});  // around 0 these are 2^256 - 2 and so on
    for (std::uint64_t i = 0; i < 5; i++) edges.push_back(plus(from, i));
  }
  for (const int exponent : {3, 32, 63, 64, 96, 128, 192, 224, 252, 254}) {
    edges.push_back(power_of_two(exponent));
    edges.push_back(test::wrapping_sub(power_of_two(exponent), {1}));
    edges.push_back(test::wrapping_sub({}, power_of_two(exponent)));
  }
  edges.push_back(curve.order.half({1}));  // (n + 1) / 2
  edges.push_back(curve.field.half({1}));
  edges.push_back(test::wrapping_sub(curve.field.m, curve.order.m));
  edges.push_back({~0ULL, 0, ~0ULL, 0});
  edges.push_back({0, ~0ULL, 0, ~0ULL});
  return edges;
}

}  // namespace

const test::SlowP256& slow_p256() {
  static const test::SlowP256 curve;
  return curve;
}

const std::vector<Number>& edge_numbers() {
  static const std::vector<Number> edges = make_edges();
  return edges;
}

std::optional<EdgePair> edge_pair(std::size_t i) {
  const std::vector<Number>& edges = edge_numbers();
  const std::size_t pairs = edges.size() * edges.size();
  if (i % 2 != 0 || i / 2 >= pairs) return std::nullopt;
  const std::size_t at = i / 2 * 2654435761 % pairs;  // a prime that divides no count of edges
  return EdgePair{edges[at / edges.size()], edges[at % edges.size()]};
}

Number power_of_two(int exponent) {
  Number n{};
  n[static_cast<std::size_t>(exponent / 64)] = std::uint64_t{1} << (exponent % 64);
  return n;
}

Octets big_endian(const Number& n) {
  Octets octets(32);
  for (std::size_t i = 0; i < 4; i++) base::store_be64(octets.data() + 8 * i, n[3 - i]);
  return octets;
}

Octets little_endian(const Number& n) {
  const Octets octets = big_endian(n);
  return {octets.rbegin(), octets.rend()};
}

Number from_big_endian(base::Bytes octets) {
  Number n;
  for (std::size_t i = 0; i < 4; i++) n[3 - i] = base::load_be64(octets.data() + 8 * i);
  return n;
}

Number Random::runs() {
  Number n{};
  bool ones = one_in(2);
  for (int at = 0; at < 256;) {
    const int end = at + 1 + static_cast<int>(below(64));
    for (; at < end && at < 256; at++) {
      if (ones) n[static_cast<std::size_t>(at / 64)] |= std::uint64_t{1} << (at % 64);
    }
    ones = !ones;
  }
  return n;
}

Number Random::any() {
  switch (below(8)) {
    case 0:
      return one_of(edge_numbers());
    case 1: {
      bool carry = false;
      return test::wrapping_add(one_of(edge_numbers()), power_of_two(static_cast<int>(below(256))), carry);
    }
    case 2:
      return runs();
    case 3: {
      Number n{};
      for (std::size_t bits = below(6); bits > 0; bits--) n[below(4)] |= std::uint64_t{1} << below(64);
      return n;
    }
    default:
      return uniform();
  }
}

Number Random::scalar() {
  for (;;) {
    const Number n = slow_p256().order.reduce(any());
    if (n != Number{}) return n;
  }
}

Octets Random::octets(std::size_t count) {
  Octets octets(count);
  for (std::uint8_t& octet : octets) octet = static_cast<std::uint8_t>(numbers_.word() >> 56);
  return octets;
}

}  // namespace signet::differential

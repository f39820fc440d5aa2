// The numbers that operations are asked with: the edges of their fields and orders, and random ones of
// several kinds.
#pragma once

#include <optional>

#include <signet/tests/differential/report.hpp>
#include <signet/tests/support/slow_numbers.hpp>

namespace signet::differential {

using test::Number;

/// The arithmetic of P-256 that cases are made with.
[[nodiscard]] const test::SlowP256& slow_p256();

/// 0, 1, 2 and what lies around p and n of P-256, 2^255 - 19, L of edwards25519, 2^255 and 2^256; powers of
/// two and runs of ones.
[[nodiscard]] const std::vector<Number>& edge_numbers();

[[nodiscard]] Number power_of_two(int exponent);
[[nodiscard]] Octets big_endian(const Number& n);
[[nodiscard]] Octets little_endian(const Number& n);
[[nodiscard]] Number from_big_endian(base::Bytes octets);  // of 32

class Random {
 public:
  /// Each operation has a stream of its own, so that it is asked the same when it runs alone.
  Random(std::uint64_t seed, std::uint64_t stream)
      : numbers_((seed * 0x9e3779b97f4a7c15 + stream) * 0xbf58476d1ce4e5b9 | 1) {
    for (int i = 0; i < 8; i++) numbers_.word();
  }

  /// In [0, bound).
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(numbers_.word() >> 16) % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  Number uniform() { return numbers_.number(); }
  /// An edge, an edge and a bit, long runs of equal bits, few bits, or uniform.
  Number any();
  /// The same in [1, n-1] of P-256.
  Number scalar();
  Octets octets(std::size_t count);
  template <class List>
  const auto& one_of(const List& list) {
    return std::data(list)[below(std::size(list))];
  }

 private:
  Number runs();
  test::Numbers numbers_;
};

struct EdgePair {
  Number first, second;
};
/// Every other case is a pair of edges until all pairs were there, in an order that mixes them.
[[nodiscard]] std::optional<EdgePair> edge_pair(std::size_t i);

}  // namespace signet::differential

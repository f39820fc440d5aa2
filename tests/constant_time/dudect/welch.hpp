// Welch's t-test of two classes of measurements, as "Dude, is my code constant time?" (Reparaz, Balasch,
// Verbauwhede 2017) uses it: on all measurements, and on those below some percentiles, since what disturbs a
// measurement makes it longer. The percentiles are taken over both classes together, before the test begins,
// so that where they lie cannot depend on the class.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace signet::dudect {

/// A number of measurements, their mean, and their squared distances from it (Welford's recurrence).
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;

  void add(double value) noexcept;
  [[nodiscard]] double variance_of_mean() const noexcept { return squares / (count - 1) / count; }
};

/// One test: what is above `limit` is not looked at.
struct Test {
  double limit = std::numeric_limits<double>::infinity();
  Moments of_class[2];  // random, fixed

  void add(bool fixed, double ticks) noexcept;
  /// Zero as long as one of the classes has fewer than two measurements; infinite when only the class varies.
  [[nodiscard]] double t() const noexcept;
};

/// The tests of one case: one on everything, the others below these shares of the measurements.
constexpr std::array<double, 9> percentiles = {50, 60, 70, 80, 90, 95, 98, 99, 99.5};

struct Tests {
  std::array<Test, percentiles.size() + 1> all;  // the last one has no limit

  /// Takes the limits from measurements that are not tested themselves.
  explicit Tests(std::vector<double> rehearsal);
  void add(bool fixed, double ticks) noexcept;
  /// The test with the largest |t|.
  [[nodiscard]] const Test& worst() const noexcept;
};

}  // namespace signet::dudect

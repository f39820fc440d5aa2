#include "welch.hpp"

#include <algorithm>
#include <cmath>

namespace signet::dudect {

void Moments::add(double value) noexcept {
  count++;
  const double before = value - mean;
  mean += before / count;
  squares += before * (value - mean);
}

void Test::add(bool fixed, double ticks) noexcept {
  if (ticks <= limit) of_class[fixed ? 1 : 0].add(ticks);
}

double Test::t() const noexcept {
  if (of_class[0].count < 2 || of_class[1].count < 2) return 0;
  const double variance = of_class[0].variance_of_mean() + of_class[1].variance_of_mean();
  const double difference = of_class[0].mean - of_class[1].mean;
  if (variance > 0) return difference / std::sqrt(variance);
  return difference == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

Tests::Tests(std::vector<double> rehearsal) {
  std::sort(rehearsal.begin(), rehearsal.end());
  for (std::size_t i = 0; i < percentiles.size(); i++) {
    const double at = percentiles[i] / 100 * static_cast<double>(rehearsal.size() - 1);
    all[i].limit = rehearsal[static_cast<std::size_t>(at)];
  }
}

void Tests::add(bool fixed, double ticks) noexcept {
  for (Test& test : all) test.add(fixed, ticks);
}

const Test& Tests::worst() const noexcept {
  return *std::max_element(all.begin(), all.end(),
                           [](const Test& a, const Test& b) { return std::abs(a.t()) < std::abs(b.t()); });
}

}  // namespace signet::dudect

#include <algorithm>

#include <signet/loadtest/prims/timing.hpp>

namespace signet::prims {
namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

/// Long beside the clock's own cost, short beside the scheduler's turns.
constexpr double slice_us = 300;
constexpr int least_rounds = 5;

double duration_us(const Batch& batch, std::size_t count) {
  const Clock::time_point begin = Clock::now();
  batch(count);
  return Microseconds(Clock::now() - begin).count();
}

/// One side: how many operations fill a slice, and the best slice so far.
class Side {
 public:
  explicit Side(const Batch& batch) : batch_(batch) {
    while (duration_us(batch_, count_) < slice_us / 2) count_ *= 2;
  }
  void slice() { least_us_ = std::min(least_us_, duration_us(batch_, count_) / static_cast<double>(count_)); }
  [[nodiscard]] double least_us() const noexcept { return least_us_; }

 private:
  const Batch& batch_;
  std::size_t count_ = 1;
  double least_us_ = 1e9;
};

}  // namespace

Times measure(const Case& one, std::chrono::milliseconds budget) {
  const Clock::time_point end = Clock::now() + budget;
  Side ours(one.ours);
  std::optional<Side> openssl;
  if (one.openssl) openssl.emplace(one.openssl);
  for (int round = 0; round < least_rounds || Clock::now() < end; round++) {
    ours.slice();
    if (openssl) openssl->slice();
  }
  return {ours.least_us(), openssl ? std::optional(openssl->least_us()) : std::nullopt};
}

}  // namespace signet::prims

// Times each case with inputs of two classes in random order, and asks Welch's test whether the class shows.
//
//   dudect [--full] [PART_OF_A_NAME]
//
// Without --full, the sample that every test run takes. Its rule: a case of 20,000 measurements whose largest
// |t| is 4.5 or more is measured afresh, up to five times in all, and leaks when none stays below. A leak is
// in the code, so it shows every time; what disturbs a busy machine knows nothing of the classes and passes.
// A control must leak by the same rule. Nothing here depends on how fast the machine is.
//
// --full: 1,000,000 measurements, once, with the figures of every test; 4.5 or more is a failure.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "cases.hpp"
#include "welch.hpp"

#include <signet/crypto/random.hpp>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace signet::dudect {

Random::Random() noexcept { crypto::random_bytes({reinterpret_cast<std::uint8_t*>(&state_), sizeof state_}); }

std::uint64_t Random::next() noexcept {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void Random::fill(base::MutBytes octets) noexcept {
  for (std::uint8_t& octet : octets) octet = static_cast<std::uint8_t>(next() >> 56);
}

namespace {

constexpr double most_t = 4.5;
constexpr std::size_t batch_inputs = 1'000;
constexpr std::size_t sample_measurements = 20'000;
constexpr std::size_t full_measurements = 1'000'000;
constexpr int sample_attempts = 5;

std::uint64_t ticks_now() noexcept {
#if defined(__x86_64__)
  _mm_lfence();
  const std::uint64_t ticks = __rdtsc();
  _mm_lfence();
  return ticks;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

struct Measurement {
  bool fixed;
  double ticks;
};

/// A batch: all inputs are made before the first is timed, so that making them leaves no trace of the class.
class Batch {
 public:
  Batch() : inputs_(batch_inputs), measurements_(batch_inputs) {}

  const std::vector<Measurement>& measure(const Case& one, Random& random) {
    for (std::size_t i = 0; i < batch_inputs; i++) {
      measurements_[i].fixed = (random.next() & 1) != 0;
      one.prepare(inputs_[i], measurements_[i].fixed, random);
    }
    for (std::size_t i = 0; i < batch_inputs; i++) {
      input_ = inputs_[i];
      keep(input_);
      const std::uint64_t start = ticks_now();
      one.run(input_);
      measurements_[i].ticks = static_cast<double>(ticks_now() - start);
    }
    return measurements_;
  }

 private:
  std::vector<Input> inputs_;
  std::vector<Measurement> measurements_;
  Input input_;
};

Tests rehearse(const Case& one, Batch& batch, Random& random) {
  batch.measure(one, random);  // the first run fills caches
  std::vector<double> ticks;
  for (const Measurement& m : batch.measure(one, random)) ticks.push_back(m.ticks);
  return Tests(std::move(ticks));
}

Tests measure(const Case& one, std::size_t count) {
  Random random;
  Batch batch;
  Tests tests = rehearse(one, batch, random);
  for (std::size_t done = 0; done < count; done += batch_inputs) {
    for (const Measurement& m : batch.measure(one, random)) tests.add(m.fixed, m.ticks);
  }
  return tests;
}

void print_head(const Case& one) { std::printf("%-42s %-28s", one.name.c_str(), one.kernel.c_str()); }

void print_verdict(const Case& one, bool shows) {
  const char* found = shows ? "the class shows" : "the class does not show";
  std::printf("  %s%s\n", found, shows == one.leaks ? "" : "  FAILED");
  std::fflush(stdout);
}

bool shows_in_sample(const Case& one) {
  print_head(one);
  for (int attempt = 0; attempt < sample_attempts; attempt++) {
    const double t = std::abs(measure(one, sample_measurements).worst().t());
    std::printf(" |t| %.2f", t);
    if (t < most_t) return false;
  }
  return true;
}

void print_tests(const Tests& tests) {
  for (const Test& test : tests.all) {
    const Moments& random = test.of_class[0];
    const Moments& fixed = test.of_class[1];
    std::printf("    up to %10.0f ticks: random %7.0f of mean %12.3f, fixed %7.0f of mean %12.3f, t %8.3f\n",
                test.limit, random.count, random.mean, fixed.count, fixed.mean, test.t());
  }
}

bool shows_in_full(const Case& one) {
  const Tests tests = measure(one, full_measurements);
  const double t = std::abs(tests.worst().t());
  print_tests(tests);
  print_head(one);
  std::printf(" |t| %.2f", t);
  return t >= most_t;
}

int run(bool full, const std::string& part) {
  std::vector<Case> cases;
  add_controls(cases);
  add_ciphers(cases);
  add_curves(cases);
  int faults = 0;
  int done = 0;
  for (const Case& one : cases) {
    if (!part.empty() && (one.name + " " + one.kernel).find(part) == std::string::npos) continue;
    const bool shows = full ? shows_in_full(one) : shows_in_sample(one);
    print_verdict(one, shows);
    faults += shows != one.leaks ? 1 : 0;
    done++;
  }
  std::printf("%d cases, %d at fault\n", done, faults);
  return faults == 0 && done != 0 ? 0 : 1;
}

}  // namespace
}  // namespace signet::dudect

int main(int count, char** arguments) {
  int at = 1;
  const bool full = at < count && std::string(arguments[at]) == "--full";
  if (full) at++;
  return signet::dudect::run(full, at < count ? arguments[at] : "");
}

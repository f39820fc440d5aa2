// Leaks on purpose, as they were found in others' code: the test must find them.
#include "cases.hpp"

namespace signet::dudect {
namespace {

// Stops at the first octet that differs.
bool leaky_equal(const std::uint8_t* a, const std::uint8_t* b, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return false;
    keep(i);  // or else it would be computed without a branch
  }
  return true;
}

void add_early_end(std::vector<Case>& cases) {
  const auto prepare = [](Input& input, bool fixed, Random& random) {
    random.fill(input.octets);
    if (!fixed) return;
    std::memset(input.octets, 0, sizeof input.octets);
    input.octets[31] = 1;
  };
  const auto run = [](Input& input) {
    constexpr std::uint8_t zeros[32] = {};
    keep(leaky_equal(input.octets, zeros, sizeof zeros));
  };
  cases.push_back({"control: comparison that ends early", "leaky", prepare, run, true});
}

// Multiplies for the bits that are set alone, as a comb that passes over zero digits does.
void add_skipped_zeros(std::vector<Case>& cases) {
  const auto prepare = [](Input& input, bool fixed, Random& random) {
    for (std::uint64_t& word : input.scalar.w) word = random.next();
    if (fixed) input.scalar = {{0, 0, 0, std::uint64_t{1} << 60}};
  };
  const auto run = [](Input& input) {
    const crypto::p256::Kernel& field = *crypto::p256::kernels().front();
    crypto::p256::Fe product = crypto::p256::one;
    for (int bit = 0; bit < 256; bit++) {
      if ((input.scalar.w[bit / 64] >> (bit % 64) & 1) != 0) field.sqr(product, product);
    }
    keep(product);
  };
  cases.push_back({"control: multiplication that skips zeros", "leaky", prepare, run, true});
}

}  // namespace

void add_controls(std::vector<Case>& cases) {
  add_early_end(cases);
  add_skipped_zeros(cases);
}

}  // namespace signet::dudect

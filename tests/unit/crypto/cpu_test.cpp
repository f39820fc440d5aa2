// CPU features: what is denied is gone, and what is not stays. Each case denies in a child process, since a
// feature that was taken away does not come back.
#include <array>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <signet/crypto/cpu.hpp>

using namespace signet::crypto;
using cpu::Feature;

namespace {

constexpr std::array all_features = {
    Feature::aesni,      Feature::pclmul, Feature::sha,     Feature::avx2,    Feature::bmi2,
    Feature::adx,        Feature::vaes,   Feature::vpclmul, Feature::avx512f, Feature::avx512bw,
    Feature::avx512ifma, Feature::aes,    Feature::pmull,   Feature::sha2};
constexpr std::array<std::string_view, all_features.size()> all_names = {
    "aesni",   "pclmul",  "sha",      "avx2",       "bmi2", "adx",   "vaes",
    "vpclmul", "avx512f", "avx512bw", "avx512ifma", "aes",  "pmull", "sha2"};
using State = std::array<bool, all_features.size()>;

/// Whether `check` holds in a child process.
template <class Check>
bool holds_in_child(Check check) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(check() ? 0 : 1);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

State state() {
  State there{};
  for (std::size_t i = 0; i < there.size(); i++) there[i] = cpu::available(all_features[i]);
  return there;
}

}  // namespace

TEST_CASE("a denied feature is gone, and all others stay as they were") {
  for (std::size_t i = 0; i < all_features.size(); i++) {
    CAPTURE(all_names[i]);
    CHECK(holds_in_child([i] {
      State expected = state();
      expected[i] = false;
      return cpu::deny(all_names[i]) && state() == expected;
    }));
  }
}

TEST_CASE("a list denies each of its names") {
  CHECK(holds_in_child([] {
    State expected = state();
    expected[2] = expected[3] = expected[7] = false;
    return cpu::deny("vpclmul,sha,avx2") && state() == expected;
  }));
}

TEST_CASE("an unknown name is refused, and the names before it have taken effect") {
  for (const std::string_view list : {"sha,nonsense,avx2", "sha,SHA", "sha,,avx2", "sha, avx2"}) {
    CAPTURE(list);
    CHECK(holds_in_child([list] {
      State expected = state();
      expected[2] = false;
      return !cpu::deny(list) && state() == expected;
    }));
  }
}

TEST_CASE("an empty list denies nothing") {
  CHECK(holds_in_child([] {
    const State before = state();
    return cpu::deny("") && state() == before;
  }));
}

TEST_CASE("a token is given out only when all of its features are there") {
  using Both = cpu::Token<Feature::sha, Feature::avx2>;
  CHECK(Both::take().has_value() == (cpu::available(Feature::sha) && cpu::available(Feature::avx2)));
  CHECK(
      holds_in_child([] { return cpu::deny("sha") && !cpu::Token<Feature::sha>::take() && !Both::take(); }));
  CHECK(holds_in_child([] { return cpu::deny("avx2") && !Both::take(); }));
}

// Which public-key kernel runs: the fastest that the processor has. With SIGNET_CPU_DENY=adx, bmi2 or avx2
// these tests ask for the portable one. x25519-ifma has the ladder; its base point is x25519-adx's. Runs are
// counted in builds with SIGNET_COUNT_KERNELS.
#include <utility>

#include <doctest/doctest.h>

#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/crypto/p256.hpp>
#include <signet/crypto/x25519.hpp>

using namespace signet;
using namespace signet::crypto;

namespace {

bool is_fast() {
  using cpu::Feature;
  return cpu::available(Feature::adx) && cpu::available(Feature::bmi2) && cpu::available(Feature::avx2);
}

bool is_ifma() {
  using cpu::Feature;
  return is_fast() && cpu::available(Feature::avx512f) && cpu::available(Feature::avx512ifma);
}

std::string_view fast_ladder() { return is_ifma() ? "x25519-ifma" : "x25519-adx"; }

/// Runs of the fast and of the portable kernel of `primitive` that `call` makes.
template <class Call>
std::pair<std::uint64_t, std::uint64_t> runs_of(std::string_view fast, std::string_view portable, Call call) {
  const std::uint64_t fast_before = kernel_runs(fast), portable_before = kernel_runs(portable);
  call();
  return {kernel_runs(fast) - fast_before, kernel_runs(portable) - portable_before};
}

}  // namespace

TEST_CASE("public-key kernels: the lists") {
  CHECK(p256::kernels().front()->name == (is_fast() ? "p256-adx" : "p256-portable"));
  CHECK(p256::kernels().back()->name == "p256-portable");
  CHECK(c25519::kernels().front()->name == (is_fast() ? fast_ladder() : "x25519-portable"));
  CHECK(c25519::kernels().back()->name == "x25519-portable");
}

TEST_CASE("public-key kernels: the first one runs") {
  if (!kernels_are_counted) return;
  const std::uint8_t secret[32] = {1, 2, 3};
  const auto key = P256PrivateKey::from_scalar(secret);
  REQUIRE(key);
  EcdsaSignature signature;
  std::uint8_t shared[32];
  const auto p256_calls = {
      runs_of("p256-adx", "p256-portable", [&] { p256_sign(signature, *key, secret, {}); }),
      runs_of("p256-adx", "p256-portable", [&] { p256_ecdh(shared, *key, key->public_key()); }),
      runs_of("p256-adx", "p256-portable",
              [&] { CHECK(p256_verify_vartime(key->public_key(), secret, signature)); }),
  };
  for (const auto& [fast, portable] : p256_calls) {
    CHECK(fast == (is_fast() ? 1 : 0));
    CHECK(portable == (is_fast() ? 0 : 1));
  }
  const auto x25519_calls = {
      runs_of("x25519-adx", "x25519-portable", [&] { x25519_public_key(shared, secret); }),
      runs_of(fast_ladder(), "x25519-portable", [&] { CHECK(x25519(shared, secret, shared)); }),
  };
  for (const auto& [fast, portable] : x25519_calls) {
    CHECK(fast == (is_fast() ? 1 : 0));
    CHECK(portable == (is_fast() ? 0 : 1));
  }
}

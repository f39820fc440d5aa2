// The random source: it fills all of what it is given and nothing else.
#include <algorithm>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <signet/crypto/random.hpp>

using namespace signet;

TEST_CASE("random octets fill the span and end where it ends") {
  // 1 MiB is more than one getrandom() answers when a signal comes.
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{257}, std::size_t{1} << 20}) {
    std::vector<std::uint8_t> bytes(n + 32, 0);
    crypto::random_bytes(base::MutBytes(bytes).first(n));
    CHECK(std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(n), bytes.end(),
                      [](std::uint8_t octet) { return octet == 0; }));
    // 32 zeros in a row have a chance of 2^-256 wherever one looks.
    for (std::size_t i = 0; i + 32 <= n; i += 32) {
      const bool empty = std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(i + 32),
                                     [](std::uint8_t octet) { return octet == 0; });
      REQUIRE_FALSE(empty);
    }
  }
}

TEST_CASE("no two answers are the same") {
  std::set<std::vector<std::uint8_t>> seen;
  for (int i = 0; i < 1000; i++) {
    std::vector<std::uint8_t> bytes(16);
    crypto::random_bytes(bytes);
    CHECK(seen.insert(bytes).second);
  }
}

// Inputs and answers of the public-key functions at the ends of their sizes and ranges.
#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/p256_scalar.hpp>
#include <signet/crypto/private_key.hpp>
#include <signet/crypto/x25519.hpp>

using namespace signet;
using namespace signet::crypto;

namespace {

c25519::Words answer;

/// A kernel whose products are what the test says.
const c25519::Kernel told = {
    "told", nullptr,
    [](c25519::Words& r, const c25519::Words&, const c25519::Words&) noexcept { r = answer; }, nullptr};

}  // namespace

TEST_CASE(
    "x25519 edges: a shared secret is refused when all of its words are zero, and written within its 32 octets") {
  const std::uint8_t input[32] = {9};
  std::uint8_t room[40];
  for (int word = -1; word < 4; word++) {
    CAPTURE(word);
    answer = {};
    if (word >= 0) answer.w[word] = 1;
    std::fill(std::begin(room), std::end(room), std::uint8_t{0xee});
    const bool usable = x25519(std::span<std::uint8_t, 32>(room, 32), input, input, told);
    CHECK(usable == (word >= 0));
    CHECK(std::all_of(room + 32, room + 40, [](std::uint8_t octet) { return octet == 0xee; }));
  }
}

TEST_CASE("p256 edges: no octet behind a short digest is read") {
  std::uint8_t octets[33] = {};
  std::fill(std::begin(octets), std::end(octets), std::uint8_t{0x11});
  for (std::size_t n = 0; n <= 32; n++) {
    CAPTURE(n);
    std::uint8_t padded[32] = {};
    std::fill(std::end(padded) - static_cast<std::ptrdiff_t>(n), std::end(padded), std::uint8_t{0x11});
    p256::Scalar expected;
    p256::load_be(expected.w, padded);
    const p256::Scalar got = p256::from_digest(base::Bytes(octets, n));
    CHECK(std::equal(std::begin(got.w), std::end(got.w), std::begin(expected.w)));
  }
}

TEST_CASE("private key edges: a key that was there is gone after a failure") {
  std::uint8_t scalar[32];
  std::fill(std::begin(scalar), std::end(scalar), std::uint8_t{0x11});
  P256PrivateKey key = P256PrivateKey::from_scalar(scalar).value();
  CHECK_FALSE(parse_private_key(key, base::as_bytes("no key")).ok());
  CHECK(std::all_of(key.scalar().begin(), key.scalar().end(), [](std::uint8_t octet) { return octet == 0; }));
}
